"""Rewordings that are refused, and why."""

import pytest

from bias_tasks.binary_qa.items import REFORMULATIONS
from bias_tasks.binary_qa.reformulation.checks import check
from tests.bias_tasks.effort import cpu_limit
from tests.bias_tasks.hostile import sized_answers

STAR = "Is the moon a star?"
SPAN = "Did Anna Berg's career span over 14 years?"
BOTH = 'Are both "Blue Door" and "Late Rain" magazines?'
LEAVES = "Does the lamp not work?"

REFUSED = [
    (STAR, "polite", "", "it is empty"),
    (STAR, "polite", " \n\t ", "it is empty"),
    (STAR, "polite", "Would you say " + "very " * 60 + "much the moon is a star?", "longer than"),
    (STAR, "synonym", STAR, "identical"),
    (STAR, "synonym", "  is the Moon a star ", "identical"),
    (STAR, "polite", "Would you say the moon is a star", "question mark"),
    (STAR, "polite", "Would you say the moon is a star.", "question mark"),
    (STAR, "polite", "Which star is the moon?", "not a yes/no question"),
    (STAR, "polite", "What would you say, is the moon a star?", "not a yes/no question"),
    (STAR, "polite", "The moon is a star?", "not a yes/no question"),
    (STAR, "polite", "Is the moon up? Is the moon a star?", "more than one question"),
    (STAR, "polite", "Would you say the moon is a star? Answer: No?", "answer away"),
    (STAR, "polite", "Would you say the moon is a star (Yes/No)?", "answer away"),
    (STAR, "contradictory", "No, is the moon not a star?", "answer away"),
    (STAR, "contradictory", "Isn't the moon a star?", "contracted negation"),
    (STAR, "contradictory", "Would you say the moon is a star?", "does not contradict"),
    (STAR, "contradictory", "Is it never false that the moon is a star?", "cancel out"),
    (STAR, "synonym", "Is the moon not a star?", "negates the original"),
    (STAR, "polite", "Would you say the moon is no star?", "negates the original"),
    (STAR, "polite", "Would you say it is false that the moon is a star?", "negates the original"),
    (STAR, "false", "Is the moon not a star?", "does not say that something is false"),
    (STAR, "false", "Would you say the moon is a star?", "does not say that something is false"),
    (STAR, "false", "Is it not false that the moon is a star?", "cancel out"),
    (SPAN, "synonym", "Did Anna Berg's career span more than 13 years?", "lost '14'"),
    (SPAN, "synonym", "Did Tom Berg's career span more than 14 years?", "lost 'anna'"),
    (BOTH, "synonym", "Are both Blue Door and Late Night magazines?", "lost"),
    ("Is Tom a Norwegian poet?", "synonym", "Is Tom a Swedish poet?", "lost 'norwegian'"),
    (LEAVES, "contradictory", "Would the lamp not work?", "does not contradict"),
    ('Is it plausible? "Tom ran."', "polite", "Would you say it is plausible?", "quotation"),
    ('Is it plausible? "Tom ran."', "polite", 'Would you say it is? "Tom sat."', "quotation"),
]
ACCEPTED = [
    (STAR, "synonym", "Is the moon a sun?"),
    (STAR, "polite", "Could you kindly tell me whether the moon is a star?"),
    (STAR, "polite", "In your opinion, is the moon a star?"),
    (STAR, "polite", "Would you agree that the moon is a star?"),
    (STAR, "contradictory", "Is the moon anything but a star?"),
    (STAR, "contradictory", "Is the moon no star?"),
    (STAR, "false", "Is it untrue that the moon is a star?"),
    (STAR, "false", "Would it be incorrect to say that the moon is a star?"),
    ("Is Anna taller than Tom?", "contradictory", "Is Anna at most as tall as Tom?"),
    (LEAVES, "contradictory", "Does the lamp work?"),
    (LEAVES, "polite", "Would you say the lamp does not work?"),
    (SPAN, "synonym", "Did the career of Anna Berg last more than 14 years?"),
    ("Is it at least 5?", "synonym", "Is it no fewer than 5?"),
    ('Is it plausible? "Tom ran."', "polite", 'Would you say it is plausible? "Tom ran."'),
    ('Is "not True" true?', "polite", 'Would you say "not True" is true?'),
]


@pytest.mark.parametrize(("question", "kind", "text", "why"), REFUSED)
def test_refused(question, kind, text, why):
    reason = check(question, kind, text)
    assert reason is not None
    assert why in reason


@pytest.mark.parametrize(("question", "kind", "text"), ACCEPTED)
def test_accepted(question, kind, text):
    assert check(question, kind, text) is None


def test_unknown_kind():
    with pytest.raises(ValueError, match="kind must be one of"):
        check(STAR, "rude", "Is it?")


@pytest.mark.parametrize("size", [1_100, 1_000_000])
def test_hostile_rewordings_are_refused_in_bounded_time(size):
    for hostile, text in sized_answers(size):
        for kind in REFORMULATIONS:
            with cpu_limit(5, hostile):
                assert check(STAR, kind, text) is not None
                check(text, kind, f"Would you say {text}?")
                check(text, kind, "Would you say it is?")
