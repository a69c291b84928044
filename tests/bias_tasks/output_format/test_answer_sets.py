"""Answers as models of many families write them are read as a careful human reads them.

The readers were mended by `formats_mended.yaml`; `formats_fresh.yaml` was written with it and kept
aside, so that its shares say how unseen answers are read.
"""

from collections import Counter

import pytest

from tests.bias_tasks.output_format.answer_sets import answers, verdict

UNREAD = {
    "In the tale *The Three Brothers*": "titles are in italics, too, and nothing says which of the "
    "three is the answer",
    "My first idea was <ANSWER>B</ANSWER>": "two answers stand between tags, and the reader does "
    "not follow what takes one back",
    "Let x = ((2 + 3) × 6) / 2": "one double parenthesis is not closed as such, so that the tokens "
    "are not well formed",
}
"""Answers of the mended set that are not read, by how they begin, and why."""
FRESH = {"realistic": Counter(right=180), "adversarial": Counter(right=41)}
"""What was measured on the set that was kept aside."""


@pytest.mark.parametrize("part", ["realistic", "adversarial"])
def test_the_answers_that_the_readers_were_mended_by(part):
    for answer in answers("formats_mended", part):
        known = any(answer["text"].startswith(beginning) for beginning in UNREAD)
        expected = "unread" if known else "right"
        assert verdict(answer) == expected, (answer["format"], answer["text"], answer["why"])


@pytest.mark.parametrize("part", ["realistic", "adversarial"])
def test_answers_that_the_readers_were_not_made_for(part):
    found = Counter(map(verdict, answers("formats_fresh", part)))
    assert found["right"] >= FRESH[part]["right"]
    assert found["wrong"] <= FRESH[part]["wrong"]


def test_there_are_enough_answers_of_each_format():
    for name in ("formats_mended", "formats_fresh"):
        realistic = Counter(answer["format"] for answer in answers(name, "realistic"))
        assert len(realistic) == 15
        assert min(realistic.values()) >= 10
        follows = sum(answer["follows"] for answer in answers(name, "realistic"))
        assert 0.4 < follows / realistic.total() < 0.8
