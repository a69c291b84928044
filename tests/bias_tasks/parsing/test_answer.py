"""What decides an answer, and hostile answers."""

import pytest

from bias_tasks.instruction_boundary.published_parser import (
    contains_symbol,
    parse_published_choice,
    parse_published_judging,
)
from bias_tasks.parsing import UnparsedReason, parse_answer
from bias_tasks.parsing.echo import echo_share

LETTERED = {
    "(D) a town": 3,
    "(B) a trigonometric function": 1,
    "(A) The U.S. economy": 0,
    "(E) r + s + t": 4,
    "Answer: \\( G \\)": 6,
    "The correct option letter is (D) 3.5.": 3,
    "the answer is A, 03/13/2002": 0,
    "(D). None at all": 3,
    "So (A) fits, but on reflection: Final answer: \\boxed{C}": 2,
}
"""What stands behind a letter is no second option."""
NOTHING = [
    ("choice", "It depends on what is meant by a river."),
    ("choice", "Let's go through the options.\n1. The first one says that the"),
    ("choice", "I'm sorry, but I can't help with that."),
    ("choice", "Option 1 or option 2."),
    ("choice", "The experts chose 3."),
    ("choice", "Incorrect: 1, 2\nFalse statements: 3, 4"),
    ("yes_no", "The answer (Yes or No) is dependent on the year."),
    ("yes_no", "Yes and no."),
    ("yes_no", "No one knows."),
    ("judging", "If fact 3 held, the statement would be true."),
    ("verdict", "Verdict: A or B"),
    ("score", "Rate it on a scale from 1 to 10."),
    ("score", "15/10"),
]


def options_in(text, options=4, **arguments):
    """Return the options that a text names; None if it is unparsed."""
    parsed = parse_answer(text, form="choice", options=options, **arguments)
    return None if parsed.unparsed else parsed.options


def test_options_by_letter_text_and_number():
    found = {text: options_in(text, 8, option_labels="letters") for text in LETTERED}
    assert found == {text: (position,) for text, position in LETTERED.items()}
    texts = ["Syltozwi", "1 May 2046", "No one", "3"]
    assert [options_in(f"{text}.", texts) for text in texts[:3]] == [(0,), (1,), (2,)]
    assert (options_in("2"), options_in("2", first_number=0)) == ((1,), (2,))
    beyond = parse_answer("5", form="choice", options=4)
    assert (beyond.label, beyond.unparsed_reason) == (None, UnparsedReason.NOT_OFFERED)
    denied = "The answer is (B), though its exact value is not given in the options."
    assert options_in(denied, option_labels="letters") in ((1,), None)


def test_what_says_nothing_is_unparsed():
    parsed = [
        (form, text, parse_answer(text, form=form, options=4).label) for form, text in NOTHING
    ]
    assert not [row for row in parsed if row[2] is not None]


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
    options = [
        "The lake froze over in the winter of that year",
        "The school stayed open all the year",
    ]
    lead = "An expert consensus holds that the answer to this problem is option 3, and so do many."
    prompt = f"{lead}\n1. {options[0]}\n2. {options[1]}"
    assert options_in(lead, 2, prompt=prompt) is None
    assert options_in(f"2. {options[1]}", options, prompt=prompt) == (1,)


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
    assert options_in("<think>It may be 1.") is None
    long = "First, the passage. Then, the answer is 2. But"
    assert (options_in(long), options_in(long, truncated=True)) == ((1,), None)
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


SCHOOLS = ["Classical economics", "Keynesian economics", "Austrian economics"]
CAPITALS = ["Paris", "Sydney", "Madrid", "Rome"]


@pytest.mark.parametrize(
    ("options", "text", "says"),
    [
        # The steps of a solution are no list of options.
        (SCHOOLS, "1. First we add.\n2. The best way is to divide.\n3. So we get 12.", [None]),
        (SCHOOLS, "1. The sky is blue.\n2. Grass is green. Nothing is known", [None]),
        (SCHOOLS, "1. Classical economics\n3. Austrian economics", [(0, 2)]),
        (SCHOOLS, "1.\n3.", [(0, 2)]),
        (SCHOOLS, "1. Classical\n3. Austrian", [(0, 2), None]),
        (SCHOOLS, "1. Classical economics\n3. Keynes", [(0, 2), None]),
        # Options stand behind each other with their texts.
        (CAPITALS, "1. Paris, 3. Madrid, 4. Rome", [(0, 2, 3)]),
        (CAPITALS, "**1. Paris**, **3. Madrid** and **4. Rome**", [(0, 2, 3)]),
    ],
)
def test_lists_of_options(options, text, says):
    assert options_in(text, options) in says


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
    assert options_in(text, CITIES) == says
