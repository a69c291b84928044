"""Judgements as models of many families write them are read as a careful human reads them.

The readers were mended by `judges_mended.yaml`; `judges_fresh.yaml` was written by people who knew
neither it nor the readers, and kept aside, so that its shares say how unseen answers are read.
"""

from collections import Counter

import pytest

from tests.bias_tasks.complex_eval.answer_sets import answers, value_of, verdict

FRESH = {
    "realistic": Counter(right=161, unread=5),
    "adversarial": Counter(right=50, unread=2, wrong=1),
}
"""What was measured on the set that was kept aside."""


@pytest.mark.parametrize("part", ["realistic", "adversarial"])
def test_the_answers_that_the_readers_were_mended_by(part):
    for answer in answers("judges_mended", part):
        assert value_of(answer) == answer["value"], (answer["text"], answer["why"])


@pytest.mark.parametrize("part", ["realistic", "adversarial"])
def test_answers_that_the_readers_were_not_made_for(part):
    found = Counter(map(verdict, answers("judges_fresh", part)))
    assert found["right"] >= FRESH[part]["right"]
    assert found["wrong"] <= FRESH[part]["wrong"]


def test_there_are_enough_answers_of_each_kind():
    for name in ("judges_mended", "judges_fresh"):
        realistic = Counter(answer["kind"] for answer in answers(name, "realistic"))
        assert len(realistic) == 4
        assert min(realistic.values()) >= 30
