"""The metric through Inspect's epoch reducer."""

import subprocess
import sys

import pytest
from bias_tasks.scorers.boundary import figures
from bias_tasks.scorers.yes_no import yes_no_figures
from inspect_ai.model._providers.mockllm import MockLLM
from inspect_ai.scorer import Score
from pytest_inspect_evals.metrics import assert_agreeing_epochs_change_nothing, run_metrics

LABELS = ("True", "False", "Unknown", "invalid", "unread")


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    """The host's mock counts tokens with a tokenizer that it downloads; here it counts none."""

    async def no_usage(self, output, input, tools):
        return None

    monkeypatch.setattr(MockLLM, "_ensure_default_usage", no_usage)


def value(label, gold):
    shares = {"ok": float(label == gold), "judged": 0.0}
    return shares | {f"answer/{name}": float(name == label) for name in LABELS}


def facts(item, gold):
    return {
        "facts": {
            "item": item,
            "cluster": item,
            "form": "judging",
            "variant": "vanilla",
            "gold": gold,
        }
    }


GOLD = {"a": "True", "b": "False", "c": "Unknown"}
METADATA = [facts(item, gold) for item, gold in GOLD.items()]


def test_disagreeing_epochs_are_averaged_before_the_figures():
    epochs = [
        [value("True", "True"), value("Unknown", "True")],
        [value("False", "False"), value("False", "False")],
        [value("unread", "Unknown"), value("unread", "Unknown")],
    ]
    result = run_metrics([figures()], epochs, metadata=METADATA)
    assert result["judging/acc"] == pytest.approx(0.5)
    assert result["judging/sr"] == pytest.approx(0.75)
    assert result["judging/gr"] == 0
    assert result["or/True"] == pytest.approx(1 / 6)
    assert result["unread"] == pytest.approx(1 / 3)
    assert result["judging/sr_n"] == 2
    assert result["judging/acc_ci_low"] < 0.5 < result["judging/acc_ci_high"]


def test_agreeing_epochs_change_no_figure():
    values = [value("True", "True"), value("True", "False"), value("unread", "Unknown")]
    assert_agreeing_epochs_change_nothing([figures()], values, metadata=METADATA)


def test_nothing_scored_gives_no_figures():
    assert figures()([]) == {}


def yes_no_facts(item, variant):
    shared = {"item": item, "cluster": item, "domain": "reading", "gold": "Yes"}
    return {"facts": {**shared, "variant": variant}}


def answered(*answers):
    """One score an epoch."""
    return [
        Score(value="C" if answer == "Yes" else "I", answer=answer, metadata={"epoch": epoch})
        for epoch, answer in enumerate(answers, start=1)
    ]


@pytest.mark.parametrize(
    ("protocol", "consistent"),
    # item b: alike within each epoch; item a: alike in the first, and both unread in the second
    [("corrected", (1 + 0.5) / 2), ("published", 1.0)],
)
def test_yes_no_answers_are_compared_within_an_epoch(protocol, consistent):
    epochs = [answered("Yes", None)] * 2 + [answered("Yes", "No")] * 2
    metadata = [yes_no_facts(item, v) for item in "ab" for v in ("original", "reversed")]
    result = run_metrics([yes_no_figures(protocol=protocol)], epochs, metadata=metadata)
    assert result["arc"] == pytest.approx(consistent)
    assert result["arc_n"] == 2
    assert result["acc/original"] == pytest.approx(0.5)
    assert result["unread"] == pytest.approx(0.25)


def test_no_yes_no_answers_give_no_figures():
    assert yes_no_figures()([]) == {}


def test_registering_with_the_host_loads_no_statistics():
    code = (
        "import sys, inspect_ai.model, inspect_ai.scorer; before = set(sys.modules)\n"
        "import bias_tasks._registry\n"
        "print(*{'numpy', 'scipy', 'pandas', 'datasets'} & (set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
