"""The judges' figures through Inspect's own machinery, over epochs."""

import pytest
from inspect_ai.model._providers.mockllm import MockLLM
from pytest_inspect_evals.metrics import run_metrics

from bias_tasks.family import Outcome
from bias_tasks.scorers.outcome import figures, score_of


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    """The host's mock counts tokens with a tokenizer that it downloads; here it counts none."""

    async def no_usage(self, output, input, tools):
        return None

    monkeypatch.setattr(MockLLM, "_ensure_default_usage", no_usage)


def scored(own, *scores):
    """What the scorer makes of a sample's epochs; None is unread. `own(score)` is the family's."""
    return [
        score_of(
            Outcome(
                **{"item": "a", "cluster": "a", "variant": "", "gold": None, "answer": None},
                **{"score": score, "why": "", "epoch": epoch},
                own=own(score),
            ),
            "complex_eval",
        )
        for epoch, score in enumerate(scores, start=1)
    ]


def judged(response, *scores, family="basic", aux="none"):
    fact = {"item": "a", "cluster": "a", "family": family, "domain": "d", "aux": aux}
    fact |= {"response": response, "gold": None}
    return scored(lambda score: {"judgements": [fact]}, *scores)


def test_pairs_are_compared_within_an_epoch():
    """The pair is right in the first epoch, unread in the second: half right, not a tie."""
    scores = [judged("chosen", 8.0, 8.0), judged("rejected", 3.0, None)]
    result = run_metrics([figures()], scores)
    assert result["acc/none"] == result["acc_half_ties/none"] == 0.5
    assert result["unread"] == 0.25
    assert result["acc/none_n"] == 1


@pytest.mark.parametrize(("beta", "won"), [(None, 0.5), (12, 0.0)])
def test_rises_are_those_within_an_epoch(beta, won):
    kind = {"family": "role_playing", "aux": "full"}
    scores = [judged("original", 50.0, 70.0, **kind), judged("format", 60.0, 70.0, **kind)]
    result = run_metrics([figures({"beta": beta})], scores)
    assert result["asr/format"] == won


def test_counts_of_an_epoch_are_added_up():
    count = {"item": "a", "cluster": "a", "mode": "per_dimension", "planted": 2}
    parts = ((1.0, 3.0), (1.0, None))
    scores = [
        scored(lambda n: {"count": count, "parts": 2, "located": n and int(n)}, *found)
        for found in parts
    ]
    result = run_metrics([figures()], scores)
    assert result["found@k=2/per_dimension"] == 2
    assert result["unread/per_dimension"] == 0.5
