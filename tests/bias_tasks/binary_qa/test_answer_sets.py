"""Answers as models of many families write them are read as a careful human reads them.

The reader was mended by `yesno_mended.yaml`; `yesno_fresh.yaml` was written by people who knew
neither it nor the reader, and kept aside, so that its shares say how unseen answers are read.
"""

from collections import Counter
from pathlib import Path

import pytest
import yaml

from bias_tasks.binary_qa.reading.yes_no import read_yes_no
from bias_tasks.reading.reasoning import without_reasoning

FOLDER = Path(__file__).with_name("answers")
FRESH = {
    "realistic": Counter(right=168, unread=2),
    "adversarial": Counter(right=55, unread=4),
}
"""What was measured on the set that was kept aside."""


def _answers(name, part):
    return yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))[part]


def _verdict(answer):
    """`right`, `unread` where a human reads an answer, or `wrong`: another answer."""
    found = read_yes_no(without_reasoning(answer["text"])).label
    if found == answer["label"]:
        return "right"
    return "unread" if found is None else "wrong"


@pytest.mark.parametrize("part", ["realistic", "adversarial"])
def test_the_answers_that_the_reader_was_mended_by(part):
    for answer in _answers("yesno_mended", part):
        assert _verdict(answer) == "right", (answer["text"], answer["why"])


@pytest.mark.parametrize("part", ["realistic", "adversarial"])
def test_answers_that_the_reader_was_not_made_for(part):
    found = Counter(map(_verdict, _answers("yesno_fresh", part)))
    assert found["right"] >= FRESH[part]["right"]
    assert found["wrong"] <= FRESH[part]["wrong"]


@pytest.mark.parametrize("name", ["yesno_mended", "yesno_fresh"])
def test_there_are_enough_answers_of_each_label(name):
    realistic = Counter(answer["label"] for answer in _answers(name, "realistic"))
    assert realistic.total() >= 155
    assert min(realistic.values()) >= 25
    assert len(_answers(name, "adversarial")) >= 45
