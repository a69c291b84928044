"""Figures through Inspect's epoch reducer: a question's answers of several epochs are its mean."""

import pytest
from inspect_ai.model._providers.mockllm import MockLLM
from pytest_inspect_evals.metrics import run_metrics

from bias_tasks.contract.family import Answer
from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.scorers.outcome import figures, score_of


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    """The host's mock counts tokens with a tokenizer that it downloads; here it counts none."""

    async def no_usage(self, output, input, tools):
        return None

    monkeypatch.setattr(MockLLM, "_ensure_default_usage", no_usage)


def scored(facts, *answers):
    """The scores of one question's answers, one an epoch."""
    return [
        score_of(FAMILY.read(facts, Answer(text, epoch=epoch)), FAMILY.name)
        for epoch, text in enumerate(answers, start=1)
    ]


def test_disagreeing_epochs_are_averaged_before_the_figures():
    scores = [
        scored(facts, *texts)
        for item, gold, texts in (
            ("a", "True", ["1", "3"]),
            ("b", "False", ["2", "2"]),
            ("c", "Unknown", ["Hm.", "Hm."]),
        )
        for facts in [
            {"item": item, "cluster": item, "form": "judging", "variant": "vanilla", "gold": gold}
            | {"protocol": "corrected", "offered": 3}
        ]
    ]
    result = run_metrics([figures()], scores)
    for name, value in (
        *(("judging/acc", 0.5), ("judging/sr", 0.75), ("judging/gr", 0), ("judging/sr_n", 2)),
        *(("or/True", 1 / 6), ("unread", 1 / 3)),
    ):
        assert result[name] == pytest.approx(value), name
    assert result["judging/acc_ci_low"] < 0.5 < result["judging/acc_ci_high"]
