"""Properties that hold for every answer."""

from hypothesis import assume, given
from hypothesis import strategies as st

from bias_tasks.instruction_boundary.items import JUDGING_LABELS
from bias_tasks.instruction_boundary.reading.choice import read_choice
from bias_tasks.instruction_boundary.reading.judging import read_judging

LETTERS = "ABCDEFGHIJ"
WRAPPINGS = [
    "{}",
    " {} ",
    "\n\n{}\n",
    "**{}**",
    "`{}`",
    "```\n{}\n```",
    "({})",
    "[{}]",
    '"{}"',
    "{}.",
    "Final Answer: {}",
    "**Final Answer:** {}",
    "## Final Answer\n{}",
    "The answer is {}.",
    "<answer>{}</answer>",
    '{{"answer": "{}"}}',
    "\\boxed{{{}}}",
    "Let me think about the facts.\n\nAnswer: {}",
    "\ufeff{}\u200b",
    "{}\r\n",
]

any_text = st.text(st.characters(exclude_categories=()), max_size=300)
FRAGMENTS = [
    *("the answer is", "Final Answer:", "option", "2", "3,", "1", "(B)", "not", "proven", "if"),
    *("does not", "support", "unknown", "false", "true", "none of the above", "unclear", "and"),
    *("or", "\n", ". ", "?", "\\boxed{", "}", "**", "\ud800", "\x00"),
]
fragments = st.lists(st.sampled_from(FRAGMENTS), max_size=40).map(" ".join)
wrappings = st.sampled_from(WRAPPINGS)


def _all_readings(text: str):
    yield read_judging(text)
    yield read_judging(text, shown=2)
    yield read_judging(text, protocol="published")
    yield read_choice(text, n_options=4)
    yield read_choice(text, n_options=4, first=0, protocol="published")
    yield read_choice(text, n_options=10, symbols="letters")
    yield read_choice(text, n_options=10, symbols="letters", protocol="published")


@given(any_text | fragments)
def test_every_outcome_is_named(text):
    for reading in _all_readings(text):
        assert reading.detail
        if reading.label is None:
            assert reading.via == "unread"
            assert reading.reason in ("no_response", "refusal", "invalid_response_format")
            assert reading.options == ()
        elif reading.label == "invalid":
            assert reading.reason == "invalid_response_format"
        else:
            assert reading.via in ("explicit", "keyword")
            assert reading.reason is None
        if reading.span is not None:
            start, end = reading.span
            assert 0 <= start < end <= len(text)


@given(any_text | fragments)
def test_options_fit_their_label(text):
    reading = read_choice(text, n_options=4)
    assert list(reading.options) == sorted(set(reading.options))
    assert all(0 <= option < 4 for option in reading.options)
    sizes = {"single": (1, 1), "multiple": (2, 4), "none": (0, 0), None: (0, 0), "invalid": (0, 4)}
    least, most = sizes[reading.label]
    assert least <= len(reading.options) <= most


@given(st.integers(1, 3), wrappings)
def test_judging_number_in_any_wrapping(number, wrapping):
    reading = read_judging(wrapping.format(number))
    assert (reading.label, reading.via) == (JUDGING_LABELS[number - 1], "explicit")


@given(st.integers(4, 99), wrappings)
def test_a_number_that_is_no_label_is_invalid_in_any_wrapping(number, wrapping):
    assert read_judging(wrapping.format(number)).label == "invalid"


@given(st.integers(1, 3), st.sampled_from(["０", "٠", "۰", "०", "০", "෦", "𝟎"]))
def test_digits_of_any_script(number, zero):
    reading = read_judging(f"The answer is {chr(ord(zero) + number)}.")
    assert reading.label == JUDGING_LABELS[number - 1]


@given(st.sets(st.integers(0, 9), min_size=1), st.randoms(), st.sampled_from([0, 1]), wrappings)
def test_options_in_any_order_and_wrapping(options, random, first, wrapping):
    order = random.sample(sorted(options), len(options))
    separator = random.choice([", ", ",", " and ", " & ", "; "])
    text = wrapping.format(separator.join(str(option + first) for option in order))
    reading = read_choice(text, n_options=10, first=first)
    assert reading.options == tuple(sorted(options))
    assert reading.label == ("single" if len(options) == 1 else "multiple")


@given(st.sets(st.integers(0, 9), min_size=1), st.randoms(), wrappings)
def test_letters_in_any_order_and_wrapping(options, random, wrapping):
    order = random.sample(sorted(options), len(options))
    text = wrapping.format(", ".join(LETTERS[option] for option in order))
    reading = read_choice(text, n_options=10, symbols="letters")
    assert reading.options == tuple(sorted(options))


@given(st.integers(1, 8), st.integers(1, 8), wrappings)
def test_an_option_beyond_those_shown_is_invalid(n_options, number, wrapping):
    assume(number > n_options)
    assert read_choice(wrapping.format(number), n_options=n_options).label == "invalid"


@given(st.integers(1, 3), st.integers(1, 3), st.integers(1, 3))
def test_the_last_final_answer_counts(before, between, last):
    text = f"The answer is {before}.\nFinal Answer: {between}\nOn reflection:\nFinal Answer: {last}"
    assert read_judging(text).label == JUDGING_LABELS[last - 1]


@given(st.integers(1, 3), st.integers(1, 3))
def test_two_answers_agree_or_are_unread(first, second):
    label = read_judging(f"The answer is {first}. I repeat: the answer is {second}.").label
    assert label == (JUDGING_LABELS[first - 1] if first == second else None)


@given(st.integers(1, 3), st.integers(1, 9))
def test_numbered_reasoning_is_no_answer(number, steps):
    reasoning = "\n".join(f"{step}. Fact {step} gives q{step}." for step in range(1, steps + 1))
    assert read_judging(reasoning).via != "explicit"
    assert (
        read_judging(f"{reasoning}\n\nFinal answer: {number}").label == JUDGING_LABELS[number - 1]
    )


@given(st.sampled_from(["proven", "supported", "confirmed", "true", "established"]))
def test_a_denied_keyword_is_not_its_label(keyword):
    denials = ("It is not {}.", "It was never {}.", "It cannot be {}.", "It is hardly {}.")
    for denial in (*denials, "Nothing here is {}.", "I doubt that it is {}.", "Is it {}?"):
        assert read_judging(denial.format(keyword)).label != "True"
    assert read_judging(f"It is {keyword}.").label == "True"


@given(st.text(alphabet="lorem ipsum dolor.\n", max_size=200), st.integers(1, 3))
def test_padding_does_not_change_a_final_answer(padding, number):
    text = f"{padding}\nFinal Answer: {number}"
    assert read_judging(text).label == JUDGING_LABELS[number - 1]
