"""No option and no text makes a parser fail: whatever they are made of, there is a reading."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bias_tasks.parsing import UnparsedReason, parse_answer
from bias_tasks.probing.answers import find_named_labels, normalize_answer
from bias_tasks.probing.items import ProbedItem
from tests.bias_tasks.effort import cpu_limit

FORMS = {
    "choice": {"options": 4},
    "judging": {},
    "yes_no": {},
    "score": {},
    "criteria": {"criteria": ["Theme", "Pacing"]},
    "verdict": {},
    "flaws": {"criteria": ["Theme"]},
    "first_error": {"n_steps": 6},
}
HOSTILE = {
    "brackets": "[" * 400_000,
    "backticks": "`" * 400_000,
    "objects": '{"a":' * 80_000,
    "one letter": "a" * 400_000,
    "answers": "Answer: A\n" * 10_000,
    "halves": "\ud800" * 400_000,
}


UNITS = [
    *('{"reasoning": "', '", "score": 7} {"score": 1}', '{"score": [', '{"', '{"\\"', "{}", "7/10"),
    *('{"flaws": [{"dimension": "Theme", "severity": 1, "quote": "x"}]}', "score: 7 ", "not "),
    *("| a | 7 |\n", "overall score is ", "first error is in step ", "step 2 is wrong ", "{ "),
    *("<think></think>", "7/10 if it ", "wait, ", "{'score': '\\':", "1, 3 and ", "option 1 is "),
    *("(a) ", "\n1. x", "the answer is ", "\\boxed{", "[[", "none of the ", "both the first and "),
    *("yes or no ", "A > B "),
]
ROMAN = ["(i) and (ii) only", "(i) only"]
WORDS = ["the", "a", "an", "Hague", "i", "ii", "only", "1", "10", "1.5", "-1", "é", "ß", "ı", "İ"]
MARKS = [*"()[]{}\"'.,:;*`$_-–|<>/\\?!", " ", "  ", "\n", "“", "((", "]]", "**", "...", "\ud800"]
PHRASES = [
    *("The answer is ", "Answer: ", "option ", "Final answer: ", " is correct", " and ", " or "),
    *("only ", "both ", "neither ", "none of the above", "all except ", " through ", "not "),
    *("Yes", "No", "True", "tie", "A > B", "7/10", "Theme: 7", "Pacing: 8", "step 2", "the first "),
    *('{"answer": ', '{"score": ', '{"flaws": [', "\\boxed{", "<think>", "</think>", "wait, "),
    *("first ", "fırst ", "the thırd option", "Question: ", "\n1. ", "\nB. "),
]
LABELS = [f"{left}{label}{right}" for label in "ABI12" for left in ("", "(") for right in ".) "]
options_of_pieces = st.lists(
    st.lists(st.sampled_from(WORDS + MARKS), min_size=1, max_size=5).map(" ".join)
    | st.lists(st.sampled_from(WORDS + MARKS), max_size=5).map("".join)
    | st.sampled_from([*ROMAN, "The Hague", "the hague.", '"yes"', "A", "", "[]", "I and II"]),
    min_size=1,
    max_size=5,
)
pieces = st.sampled_from(WORDS + MARKS + PHRASES + LABELS)


@st.composite
def options_and_texts(draw):
    """Options, and a text of them, of labels, of articles and of brackets."""
    options = draw(options_of_pieces)
    text = draw(st.lists(st.sampled_from(options) | pieces, min_size=1, max_size=12))
    return options, "".join(text)


def check(text, **arguments):
    parsed = parse_answer(text, **arguments)
    assert parsed.explanation
    if parsed.span is not None:
        start, end = parsed.span
        assert 0 <= start < end <= len(text)
    return parsed


@settings(max_examples=300)
@given(options_and_texts(), st.sampled_from(["letters", "numbers"]), st.booleans(), st.booleans())
def test_any_options_with_any_text(drawn, labels, truncated, has_prompt):
    options, text = drawn
    prompt = "\n".join(options) * has_prompt
    form = {"form": "choice", "options": options, "option_labels": labels}
    check(text, **form, truncated=truncated, prompt=prompt)


@settings(max_examples=100)
@given(options_and_texts(), st.text(), st.sampled_from(sorted(FORMS)), st.booleans())
def test_any_text_in_every_form(drawn, text, form, truncated):
    for answer in (drawn[1], text):
        check(answer, form=form, **FORMS[form], truncated=truncated)


@settings(max_examples=50)
@given(options_and_texts())
def test_texts_of_options_under_a_probe(drawn):
    options, text = drawn
    labels = "ABCDEFGHIJ"
    data = ProbedItem("p", "?", choices=tuple(options)).to_data("baseline")
    for named in find_named_labels(text, labels):
        assert 0 <= named.start < named.end <= len(text)
    assert isinstance(normalize_answer(data, text, labels), str)


@pytest.mark.parametrize("text", ["{} {}", "({} {}", "Answer: {} {}", "{} ({})"])
def test_an_option_in_brackets_behind_its_label(text):
    for label in ("A.", "A", "A)"):
        answer = text.format(label, ROMAN[0])
        form = {"form": "choice", "options": ROMAN, "option_labels": "letters"}
        assert check(answer, **form).options == (0,), answer


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("word", ["the ", "an ", "a (", "the the\n", "A. ", "A and ", "1. ", "[["])
def test_one_word_again_and_again(form, word):
    """A label again and again may be that label; a word says nothing."""
    text = word * 1_000
    may_be_label = word in ("A. ", "1. ")
    assert check(text, form=form, **FORMS[form]).unparsed or may_be_label
    if form == "choice":
        parsed = check(text, form=form, options=[*ROMAN, "The Hague", "a"], option_labels="letters")
        assert parsed.unparsed or may_be_label or word == "a ("


MANY = {"options": [*ROMAN, "The Hague", "a"] * 2, "option_labels": "letters"}


@pytest.mark.parametrize(
    ("form", "declared"), [*FORMS.items(), ("choice", MANY)], ids=lambda value: str(value)[:20]
)
def test_very_long_answers_are_read_or_refused_at_once(form, declared):
    prompt = "Which is it? " + "\n".join(MANY["options"]) if declared is MANY else ""
    for name, text in HOSTILE.items() | {(unit, unit * (60_000 // len(unit))) for unit in UNITS}:
        with cpu_limit(4, f"{form}: {name}"):
            check(text, form=form, **declared, prompt=prompt)


def test_articles_before_an_option_are_no_part_of_it():
    options = ["Hague", "Paris"]
    for text in ("the Hague", "the the Hague.", "the " * 2_000 + "Hague"):
        assert check(text, form="choice", options=options).options == (0,), text[:20]


def test_an_i_without_its_dot_is_an_i():
    for text in ("the fırst option is correct", "the fırst"):
        assert check(text, form="choice", options=4).options in ((0,), ())
    assert check("the fırst and the second", form="choice", options=4).options == (0, 1)
    assert check("The fırst response is better", form="verdict").label == "A"
    for text in ("Answer: İ", "Answer: (ı)", "İ"):
        assert find_named_labels(text, "ABCDEFGHIJ") == []


def test_an_echo_is_known_by_the_beginning_of_a_long_answer():
    """Comparing all words of megabytes with the prompt takes seconds, and hundreds of megabytes."""
    prompt = "Which city lies by the sea, and which of the others lies by a river or a lake? "
    parsed = check(prompt * 250 + "so " * 100_000, form="yes_no", prompt=prompt)
    assert parsed.unparsed_reason is UnparsedReason.ECHO
