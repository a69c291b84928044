"""The judges' metrics through Inspect's own machinery, over epochs."""

import pytest
from bias_tasks.scorers.flaw_count import attention_figures
from bias_tasks.scorers.judgement import judgement_figures
from inspect_ai.model._providers.mockllm import MockLLM
from inspect_ai.scorer import NOANSWER, Score
from pytest_inspect_evals.metrics import run_metrics


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    """The host's mock counts tokens with a tokenizer that it downloads; here it counts none."""

    async def no_usage(self, output, input, tools):
        return None

    monkeypatch.setattr(MockLLM, "_ensure_default_usage", no_usage)


def judged(*scores):
    """What the scorer makes of a sample's epochs; None is unread."""
    return [
        Score(
            value=NOANSWER if score is None else score,
            metadata={"score": score, "epoch": epoch},
        )
        for epoch, score in enumerate(scores, start=1)
    ]


def facts(item, response, family="basic", aux="none"):
    fact = {"item": item, "cluster": item, "family": family, "domain": "d", "aux": aux}
    return {"facts": {"judgements": [fact | {"response": response, "gold": None}]}}


def test_pairs_are_compared_within_an_epoch():
    """The pair is right in the first epoch, unread in the second: half right, not a tie."""
    metadata = [facts("a", "chosen"), facts("a", "rejected")]
    result = run_metrics(
        [judgement_figures()], [judged(8.0, 8.0), judged(3.0, None)], metadata=metadata
    )
    assert result["acc/none"] == result["acc_half_ties/none"] == 0.5
    assert result["unread"] == 0.25
    assert result["acc/none_n"] == 1


@pytest.mark.parametrize(("beta", "won"), [(None, 0.5), (12, 0.0)])
def test_rises_are_those_within_an_epoch(beta, won):
    metadata = [facts("a", response, "role_playing", "full") for response in ("original", "format")]
    epochs = [judged(50.0, 70.0), judged(60.0, 70.0)]
    result = run_metrics([judgement_figures(beta=beta)], epochs, metadata=metadata)
    assert result["asr/format"] == won


def test_counts_of_an_epoch_are_added_up():
    count = {"item": "a", "cluster": "a", "mode": "per_dimension", "planted": 2}
    metadata = [{"facts": {"count": count, "parts": 2}}] * 2
    found = ((1, 3), (1, None))
    scores = [
        [
            Score(
                value=NOANSWER if n is None else n,
                metadata={"found": n, "located": n, "epoch": epoch},
            )
            for epoch, n in enumerate(epochs, start=1)
        ]
        for epochs in found
    ]
    result = run_metrics([attention_figures()], scores, metadata=metadata)
    assert result["found@k=2/per_dimension"] == 2
    assert result["unread/per_dimension"] == 0.5
