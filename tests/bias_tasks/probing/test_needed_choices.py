"""Probes of choices keep off items whose choices can't be told apart or lettered."""

import random

import pytest

from bias_tasks.probing.probes import PROBES
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.probes.base import DoesNotApplyError


@pytest.mark.parametrize("probe", ["order", "suggest"])
def test_a_wrong_choice_that_reads_as_the_right_one_is_neither_moved_nor_suggested(probe):
    item = ProbedItem("i", "Which?", ("cat", " cat", "dog"), right=(0,), target="A")
    with pytest.raises(DoesNotApplyError, match="the same"):
        PROBES[probe].asked(item, random.Random(0))


@pytest.mark.parametrize("probe", ["order", "labels", "separator", "casing", "suggest"])
def test_more_choices_than_letters_are_refused_by_name(probe):
    item = ProbedItem("i", "Which?", tuple(f"word{n}" for n in range(27)), right=(3,), target="D")
    with pytest.raises(DoesNotApplyError, match="more than 26 choices"):
        PROBES[probe].asked(item, random.Random(0))
