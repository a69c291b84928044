"""What decides an answer, and hostile answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.instruction_boundary.published_parser import (
    contains_symbol,
    parse_published_choice,
    parse_published_judging,
)
from bias_tasks.parsing import UnparsedReason, parse_answer
from bias_tasks.parsing.echo import echo_share
from tests.bias_tasks.effort import cpu_limit

LETTERED = [
    ("(D) a town", 3),
    ("(B) a trigonometric function", 1),
    ("(A) The U.S. economy", 0),
    ("(E) r + s + t", 4),
    ("Answer: \\( G \\)", 6),
    ("The correct option letter is (D) 3.5.", 3),
    ("the answer is A, 03/13/2002", 0),
    ("(D). None at all", 3),
    ("So (A) fits, but on reflection: Final answer: \\boxed{C}", 2),
]
NOTHING = [
    ("choice", "It depends on what is meant by a river."),
    ("choice", "Let's go through the options.\n1. The first one says that the"),
    ("choice", "I'm sorry, but I can't help with that."),
    ("choice", "Option 1 or option 2."),
    ("choice", "The experts chose 3."),
    ("yes_no", "The answer (Yes or No) is dependent on the year."),
    ("yes_no", "Yes and no."),
    ("yes_no", "No one knows."),
    ("judging", "If fact 3 held, the statement would be true."),
    ("verdict", "Verdict: A or B"),
    ("score", "Rate it on a scale from 1 to 10."),
    ("score", "15/10"),
]


def test_what_stands_behind_a_letter_is_no_second_option():
    found = {
        text: parse_answer(text, form="choice", options=8, option_labels="letters").options
        for text, _ in LETTERED
    }
    assert found == {text: (place,) for text, place in LETTERED}


def test_the_text_of_an_option_is_that_option():
    texts = ["Syltozwi", "1 May 2046", "No one", "3"]
    read = [parse_answer(f"{text}.", form="choice", options=texts).options for text in texts[:3]]
    assert read == [(0,), (1,), (2,)]


def test_numbers_count_from_the_first():
    assert parse_answer("2", form="choice", options=4).options == (1,)
    assert parse_answer("2", form="choice", options=4, first_number=0).options == (2,)
    beyond = parse_answer("5", form="choice", options=4)
    assert (beyond.label, beyond.unparsed_reason) == (None, UnparsedReason.NOT_OFFERED)


def test_what_says_nothing_is_unparsed():
    read = {
        (form, text): reading.label
        for form, text in NOTHING
        if (reading := parse_answer(text, form=form, options=4)).label is not None
    }
    assert not read


@pytest.mark.parametrize(
    ("form", "text", "label"),
    [
        ("yes_no", 'He said "no way, but so it is. So the answer is Yes.', "Yes"),
        ("yes_no", "No.", "No"),
        ("verdict", "My answer: B\n\n[[A=B]]", "tie"),
        ("verdict", "Therefore, Output (a) is better.", "A"),
        ("verdict", "Output (b)", "B"),
        ("score", "Question 3 was hard.\n\nRating: [[10]]", "10"),
        ("judging", "__DISPROVED__", "False"),
        ("judging", "Answer: 3", "Unknown"),
        ("judging", "**Final Answer**\n2", "False"),
    ],
)
def test_announced_values(form, text, label):
    assert parse_answer(text, form=form).label == label


def test_what_repeats_the_prompt_is_nobodys_answer():
    prompt = (
        "An expert consensus holds that the answer to this problem is option 3, and so do many.\n"
        "1. The lake froze over in the winter of that year\n2. The school stayed open all the year"
    )
    told = parse_answer(prompt.split("\n")[0], form="choice", options=2, prompt=prompt)
    assert told.label is None
    options = [
        "The lake froze over in the winter of that year",
        "The school stayed open all the year",
    ]
    own = f"2. {options[1]}"
    assert parse_answer(own, form="choice", options=options, prompt=prompt).options == (1,)


def test_a_later_round_may_repeat_the_model_s_own_answer_but_not_its_prompt():
    """What the prompt quotes of the model is passed with it, not matched by its wording."""
    answer = "I am sure that the answer to this problem is option 3, as the passage says."
    prompt = f"Question: What froze?\nBefore, you said: {answer}\nPlease reflect on it."

    def read(prompt, quoted=""):
        parsed = parse_answer(answer, form="choice", options=4, prompt=prompt, quoted=quoted)
        return parsed.options, echo_share(answer, prompt, quoted)

    assert read(prompt, answer) == ((2,), 0)
    assert read(prompt) == ((), 1)
    assert read(prompt, "1") == ((), 1)
    assert read(f"{answer}\n{prompt}", answer) == ((), 1)  # the question says it, too


def test_reasoning_is_passed_over_and_a_cut_answer_read_only_at_its_beginning():
    text = "<think>It may be 1.</think>The answer is 2."
    reading = parse_answer(text, form="choice", options=4)
    assert reading.options == (1,)
    assert text[slice(*reading.span)].rstrip(".") == "2"
    assert parse_answer("<think>It may be 1.", form="choice", options=4).label is None
    long = "First, the passage. Then, the answer is 2. But"
    assert parse_answer(long, form="choice", options=4).options == (1,)
    assert parse_answer(long, form="choice", options=4, truncated=True).label is None
    assert parse_answer("Yes, since", form="yes_no", truncated=True).label == "Yes"


def test_what_is_asked_for_must_be_given():
    for asked, told in (
        ({"form": "choice"}, "options"),
        ({"form": "letter"}, "expected one of"),
        ({"form": "criteria"}, "criteria"),
        ({"form": "choice", "options": 4, "option_labels": "roman"}, "numbers or letters"),
        ({"form": "score", "scale": (5, 1)}, "the lowest and the highest"),
    ):
        with pytest.raises(ValueError, match=told):
            parse_answer("1", **asked)


def test_the_published_instrument_with_its_quirks():
    judging = {
        "1": "True",
        "1. Nothing is missing.": "Unknown",  # a keyword for Unknown anywhere
        "disproven": "True",  # parts of words match, and True's list is tried first
        "Fact 2 says so.": "False",  # any digit counts, wherever it stands
        "hello": None,
    }
    assert {text: parse_published_judging(text).label for text in judging} == judging
    choice = {
        "1, 3": ("multiple", (1, 3)),
        "The answer is 2. Option 1 cannot be right.": ("none", ()),
        "The answer is 2 because of fact 3.": ("multiple", (2, 3)),
        "1, 3, 4": ("multiple", (1, 3)),
        "abc": (None, ()),
    }
    read = {text: parse_published_choice(text, n_options=4) for text in choice}
    assert {text: (each.label, each.options) for text, each in read.items()} == choice
    assert contains_symbol("A banana", "N")
    assert not contains_symbol("A banana", "C")


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
    "brackets": "[" * 5_000_000,
    "backticks": "`" * 5_000_000,
    "objects": '{"a":' * 1_000_000,
    "one letter": "a" * 5_000_000,
    "answers": "Answer: A\n" * 10_000,
    "halves": "\ud800" * 1_000_000,
}


UNITS = [
    *('{"reasoning": "', '", "score": 7} {"score": 1}', '{"score": [', '{"', '{"\\"', "{}", "7/10"),
    *(
        '{"flaws": [{"dimension": "Theme", "severity": 1, "quote": "x"}]}',
        "score: 7 ",
        "| a | 7 |\n",
    ),
    *("overall score is ", "first error is in step ", "step 2 is wrong ", "<think></think>", "{ "),
    *(
        "7/10 if it ",
        "wait, ",
        "{'score': '\\':",
        "not ",
        "1, 3 and ",
        "option 1 is ",
        "(a) ",
        "\n1. x",
    ),
    *(
        "the answer is ",
        "\\boxed{",
        "[[",
        "none of the ",
        "both the first and ",
        "yes or no ",
        "A > B ",
    ),
]


@pytest.mark.parametrize("form", FORMS)
def test_megabytes_are_read_or_refused_at_once(form):
    texts = HOSTILE | {unit: unit * (60_000 // len(unit)) for unit in UNITS}
    for name, text in texts.items():
        with cpu_limit(4, f"{form}: {name}"):
            parse_answer(text, form=form, **FORMS[form])


@given(st.text(), st.sampled_from(sorted(FORMS)))
def test_any_text_gives_a_reading_within_it(text, form):
    reading = parse_answer(text, form=form, **FORMS[form])
    assert reading.explanation
    if reading.span is not None:
        start, end = reading.span
        assert 0 <= start < end <= len(text)


def test_the_steps_of_a_solution_are_no_list_of_options():
    options = ["Classical economics", "Keynesian economics", "Austrian economics"]
    for text in (
        "1. First we add.\n2. The best way is to divide.\n3. So we get 12.",
        "1. The sky is blue.\n2. Grass is green. Nothing is known",
    ):
        assert parse_answer(text, form="choice", options=options).unparsed, text
    for text in ("1. Classical economics\n3. Austrian economics", "1.\n3."):
        assert parse_answer(text, form="choice", options=options).options == (0, 2), text
    for text in ("1. Classical\n3. Austrian", "1. Classical economics\n3. Keynes"):
        assert parse_answer(text, form="choice", options=options).options in ((0, 2), ()), text


def test_options_stand_behind_each_other_with_their_texts():
    options = ["Paris", "Sydney", "Madrid", "Rome"]
    for text in (
        "1. Paris, 3. Madrid, 4. Rome",
        "**1. Paris**, **3. Madrid** and **4. Rome**",
    ):
        assert parse_answer(text, form="choice", options=options).options == (0, 2, 3), text


def test_lists_of_wrong_options_name_no_right_one():
    reading = parse_answer("Incorrect: 1, 2\nFalse statements: 3, 4", form="choice", options=4)
    assert reading.label is None


CITIES = ["Paris", "The Hague", "Rome", "Oslo"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("The capitals are **Paris (1)**, Rome (3) and Oslo (4). The Hague is a seat.", None),
        ("Both Paris and Oslo are supported.", (0, 3)),
        ("Rome. Oslo.", None),
        ("- the Hague\n- Rome", (1, 2)),
        ("The right ones:\n\n* Option 1 - by the Seine\n* Option 4 - by the sea", None),
        ('{"1": true, "2": false, "3": false, "4": true}', (0, 3)),
        ("| 1 | Paris | ✗ |\n| 2 | The Hague | ✓ |\n| 3 | Rome | ✗ |\n| 4 | Oslo | ✗ |", (1,)),
        ("2 and 3 are by a river.", None),
        ("Only Oslo is in the north.", None),
        ("Neither 1, 2, 3 nor 4 is correct.", ()),
        ("The correct answer would be Bern, which is not among the options.", ()),
        ("None of the cities (Paris, The Hague, Rome, Oslo) lies there.", ()),
        # What names options and says nothing of all of them, or two things.
        ("2 and 3 are by a river. 1 and 4 are by the sea.", None),
        ("Paris and Rome could be meant; it depends.", None),
        ("Not only 1 is right.", None),
        *(("Jerome.", None), ("Romeo.", None)),
        ("To find out:\n1. We look at Paris.\n2. We look at a map.", None),
        ("Final Answer: either 2 or 3", None),
    ],
)
def test_options_by_their_texts_and_in_plain_sentences(text, says):
    reading = parse_answer(text, form="choice", options=CITIES)
    assert (None if reading.unparsed else reading.options) == says, reading.explanation


def test_a_value_that_is_not_listed_denies_no_option_that_is_named():
    text = "The answer is (B), though its exact value is not given in the options."
    parsed = parse_answer(text, form="choice", options=4, option_labels="letters")
    assert parsed.label in ("single", None)
