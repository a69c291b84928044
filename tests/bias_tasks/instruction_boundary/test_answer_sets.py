"""Answers as models of many families write them are read as a careful human reads them.

The readers were mended by `<form>_mended.yaml`; `<form>_fresh.yaml` was written with it and kept
aside, so that its shares say how unseen answers are read.
"""

from collections import Counter
from pathlib import Path

import pytest
import yaml

from bias_tasks.instruction_boundary.reading.choice import read_choice
from bias_tasks.instruction_boundary.reading.judging import read_judging
from bias_tasks.reading.reasoning import without_reasoning

FOLDER = Path(__file__).with_name("answers")
MENDED = {
    ("choice", "realistic"): Counter(right=498, unread=2),
    ("choice", "adversarial"): Counter(right=143, unread=15),
    ("judging", "realistic"): Counter(right=480),
    ("judging", "adversarial"): Counter(right=130, unread=12),
}
FRESH = {
    ("choice", "realistic"): Counter(right=165),
    ("choice", "adversarial"): Counter(right=42, unread=7),
    ("judging", "realistic"): Counter(right=157, unread=2),
    ("judging", "adversarial"): Counter(right=37, unread=7, wrong=2),
}
"""What was measured on the sets that were kept aside."""


def _answers(name, part):
    return yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))[part]


def _verdict(form, answer):
    """`right`, `unread` where a human reads an answer, or `wrong`: another answer."""
    text = without_reasoning(answer["text"])
    if form == "judging":
        found, wanted = read_judging(text).label, answer["label"]
    else:
        reading = read_choice(text, n_options=answer["n"])
        named = reading.label in ("single", "multiple")
        found = reading.label, [place + 1 for place in reading.options] if named else []
        wanted = answer["label"], answer["options"]
    if found == wanted:
        return "right"
    return "unread" if found in (None, (None, [])) else "wrong"


@pytest.mark.parametrize(("form", "part"), MENDED)
def test_the_answers_that_the_readers_were_mended_by(form, part):
    found = Counter(_verdict(form, answer) for answer in _answers(f"{form}_mended", part))
    assert found == MENDED[form, part]


@pytest.mark.parametrize(("form", "part"), FRESH)
def test_answers_that_the_readers_were_not_made_for(form, part):
    found = Counter(_verdict(form, answer) for answer in _answers(f"{form}_fresh", part))
    assert found["right"] >= FRESH[form, part]["right"]
    assert found["wrong"] <= FRESH[form, part]["wrong"]


@pytest.mark.parametrize("form", ["choice", "judging"])
@pytest.mark.parametrize("name", ["mended", "fresh"])
def test_there_are_enough_answers_of_each_label(form, name):
    realistic = Counter(answer["label"] for answer in _answers(f"{form}_{name}", "realistic"))
    assert realistic.total() >= 155
    assert sum(count >= 20 for count in realistic.values()) == 4
    assert len(_answers(f"{form}_{name}", "adversarial")) >= 45
