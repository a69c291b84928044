"""The metric through Inspect's epoch reducer."""

import pytest
from inspect_ai.model._providers.mockllm import MockLLM
from pytest_inspect_evals.metrics import run_metrics

from bias_tasks.families import load_family
from bias_tasks.family import Answer
from bias_tasks.scorers.outcome import figures, score_of


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    """The host's mock counts tokens with a tokenizer that it downloads; here it counts none."""

    async def no_usage(self, output, input, tools):
        return None

    monkeypatch.setattr(MockLLM, "_ensure_default_usage", no_usage)


def scored(family, facts, *answers):
    """The scores of one question's answers, one an epoch."""
    return [
        score_of(load_family(family).read(facts, Answer(text, epoch=epoch)), family)
        for epoch, text in enumerate(answers, start=1)
    ]


def judging(item, gold):
    shared = {"item": item, "cluster": item, "form": "judging", "variant": "vanilla"}
    return {**shared, "gold": gold, "protocol": "corrected", "offered": 3}


GOLD = {"a": "True", "b": "False", "c": "Unknown"}
QUESTIONS = [judging(item, gold) for item, gold in GOLD.items()]


def of_judging(*answers):
    return [
        scored("instruction_boundary", facts, *texts)
        for facts, texts in zip(QUESTIONS, answers, strict=True)
    ]


def test_disagreeing_epochs_are_averaged_before_the_figures():
    result = run_metrics([figures()], of_judging(["1", "3"], ["2", "2"], ["Hm.", "Hm."]))
    assert result["judging/acc"] == pytest.approx(0.5)
    assert result["judging/sr"] == pytest.approx(0.75)
    assert result["judging/gr"] == 0
    assert result["or/True"] == pytest.approx(1 / 6)
    assert result["unread"] == pytest.approx(1 / 3)
    assert result["judging/sr_n"] == 2
    assert result["judging/acc_ci_low"] < 0.5 < result["judging/acc_ci_high"]


def yes_no(item, variant):
    shared = {
        "item": item,
        "cluster": item,
        "domain": "reading",
        "gold": "Yes",
        "question": "Is it?",
    }
    return {**shared, "variant": variant, "answer_to_original": "Yes"}


@pytest.mark.parametrize(
    ("protocol", "consistent"),
    # item b: alike within each epoch; item a: alike in the first, and both unread in the second
    [("corrected", (1 + 0.5) / 2), ("published", 1.0)],
)
def test_yes_no_answers_are_compared_within_an_epoch(protocol, consistent):
    scores = [
        scored("binary_qa", yes_no(item, variant), "Yes", second)
        for item, second in (("a", "Hm."), ("b", "No"))
        for variant in ("original", "reversed")
    ]
    result = run_metrics([figures({"protocol": protocol})], scores)
    assert result["arc"] == pytest.approx(consistent)
    assert result["arc_n"] == 2
    assert result["acc/original"] == pytest.approx(0.5)
    assert result["unread"] == pytest.approx(0.25)
