"""The keyword lists are appendix N's, and each of their words is read as its list says."""

import pytest

from bias_tasks.instruction_boundary.reading.choice import read_choice
from bias_tasks.instruction_boundary.reading.judging import read_judging
from bias_tasks.instruction_boundary.reading.keywords import keyword_lists

JUDGING = [(label, word) for label, words in keyword_lists("judging").items() for word in words]
NONE = [word for words in keyword_lists("choice").values() for word in words]
SAY_LESS = {
    *("not applicable", "insufficient information", "cannot determine"),
    *("no good advice", "no answer", *keyword_lists("choice")["uncertainty"]),
}
"""Keywords that do not say of the options that none of them is right."""
SINGLE = ["answer: {}", "choice {}", "option {}", "the answer is {}", "i choose {}"]


def test_the_lists_have_the_papers_sizes():
    sizes = {label: len(words) for label, words in keyword_lists("judging").items()}
    assert sizes == {"Unknown": 11, "True": 11, "False": 10}
    sizes = {label: len(words) for label, words in keyword_lists("choice").items()}
    assert sizes == {"no_answer": 17, "uncertainty": 12}


@pytest.mark.parametrize(("label", "word"), JUDGING)
def test_judging_keyword(label, word):
    for text in (word, word.upper(), f"**{word.title()}**.", f"I find: {word}!"):
        reading = read_judging(text)
        assert (reading.label, reading.via) == (label, "keyword"), text
        assert text[slice(*reading.span)].lower() == word


@pytest.mark.parametrize("word", NONE)
def test_choice_keyword(word):
    for text in (word, word.upper(), f"**{word.title()}**.", f"I find: {word}!"):
        reading = read_choice(text, n_options=4)
        via = "keyword" if word in SAY_LESS else "explicit"
        assert (reading.label, reading.via, reading.options) == ("none", via, ()), text


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("form", SINGLE)
def test_single_choice_keyword(form, number):
    reading = read_choice(form.format(number), n_options=4, first=0)
    assert (reading.label, reading.options) == ("single", (number,))


@pytest.mark.parametrize(
    ("inside", "not_read_as"),
    [
        ("disproven", "True"),
        ("incorrect", "True"),
        ("invalid", "True"),
        ("unsupported", "True"),
        ("unconfirmed", "True"),
        ("untrue", "True"),
        ("non-false", "False"),
        ("dismissing", "Unknown"),
        ("certainly", "Unknown"),
    ],
)
def test_keywords_match_whole_words(inside, not_read_as):
    assert read_judging(inside).label != not_read_as


@pytest.mark.parametrize("verb", ["support", "confirm", "prove", "demonstrate", "establish"])
@pytest.mark.parametrize(
    "denial",
    [
        "The facts do not {} it.",
        "The facts don't {} it.",
        "The facts cannot {} it.",
        "The facts never {} it.",
        "The facts fail to {} it.",
        "None of the facts {} it.",
        "Neither fact would {} it.",
        "No fact serves to {} it.",
        "The facts hardly {} it.",
        "The facts are unable to {} it.",
        "The facts, if anything, do not {} it.",
        "I doubt that the facts {} it.",
        "The facts {} the opposite.",
        "The facts {} nothing.",
        "The facts {} neither side.",
        "If the facts {} it, so be it.",
        "The facts might {} it.",
        "Do the facts {} it?",
        "We need to {} it.",
        "I wonder whether the facts {} it.",
    ],
)
def test_a_denied_verb_is_not_true(verb, denial):
    assert read_judging(denial.format(verb)).label != "True"
    assert read_judging(f"The facts {verb} it.").label == "True"


@pytest.mark.parametrize("verb", ["contradict", "disprove", "refute", "reject"])
@pytest.mark.parametrize(
    "denial",
    ["The facts do not {} it.", "No fact is there to {} it.", "Could the facts {} it?"],
)
def test_a_denied_verb_is_not_false(verb, denial):
    assert read_judging(denial.format(verb)).label != "False"
    assert read_judging(f"The facts {verb} it.").label == "False"
