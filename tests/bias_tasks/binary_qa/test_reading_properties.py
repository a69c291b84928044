"""Properties that hold for every answer to a yes/no question."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.binary_qa.data.load import load_binary
from bias_tasks.binary_qa.items import BINARY_LABELS, ORDERS, VARIANTS, opposite
from bias_tasks.binary_qa.prompts.ask import ask_binary
from bias_tasks.binary_qa.reading.yes_no import read_yes_no

labels = st.sampled_from(BINARY_LABELS)
any_text = st.text(st.characters(exclude_categories=()), max_size=300)
FRAGMENTS = [
    *("yes", "no", "Yes.", "No,", "and", "or", "/", "the answer is", "Final Answer:", "so", "wait"),
    *("not", "maybe", "if", "I would say", "because", "Answer:", "\n", ". ", "?", "\\boxed{", "}"),
    *("<think>", "</think>", "Question:", '{"answer": "', "**", "No. 1", "\ud800", "\x00"),
]
fragments = st.lists(st.sampled_from(FRAGMENTS), max_size=40).map(" ".join)
blanks = st.text(" \n\t\r\u00a0\u200b", max_size=8)
WRAPPINGS = [
    "{}",
    "**{}**",
    "__{}__",
    "`{}`",
    "```\n{}\n```",
    "({})",
    "[{}]",
    '"{}"',
    "“{}”",
    "{}.",
    "{}!",
    "> {}",
    "# {}",
    "Final Answer: {}",
    "**Final Answer:** {}",
    "## Final Answer\n{}",
    "The answer is {}.",
    "The answer is **{}**.",
    "<answer>{}</answer>",
    '{{"answer": "{}"}}',
    "\\boxed{{{}}}",
    "Let me think about it.\n\nAnswer: {}",
    "{}, because the passage says it.",
    "{}, as far as I can tell.",
    "Both were born in Rome. Therefore, {}.",
    "I would say {}.",
]
wrappings = st.sampled_from(WRAPPINGS)
cases = st.sampled_from([str, str.lower, str.upper])
# Sentences that go on with neither word, and take nothing back.
EXPLANATIONS = [
    " The passage says so.",
    " It was built in 1990, two years before the other.",
    "\n\nExplanation: the first is a film; the second is a band.",
    " (See the second paragraph.)",
    "\n- He was born in Rome.\n- She was born in Oslo.",
    " Knowing nothing else, that follows.",
    " Another yesteryear's note: the north is not known for it.",
]


@given(any_text | fragments)
def test_every_outcome_is_named(text):
    reading = read_yes_no(text)
    assert reading.detail
    assert reading.options == ()
    if reading.label is None:
        assert reading.via == "unread"
        assert reading.reason in ("no_response", "refusal", "invalid_response_format")
        assert reading.span is None
    else:
        assert reading.label in BINARY_LABELS
        assert (reading.via, reading.reason) == ("explicit", None)


@given(any_text | fragments)
def test_a_reading_rests_on_its_word(text):
    reading = read_yes_no(text)
    if reading.label is not None:
        start, end = reading.span
        word = "".join(c for c in text[start:end].lower() if c.isalpha())
        assert word in {"Yes": ("yes", "yep", "yeah"), "No": ("no", "nope")}[reading.label]


@given(labels, wrappings, cases, blanks, blanks)
def test_the_word_in_any_wrapping(label, wrapping, case, before, after):
    text = before + wrapping.format(case(label)) + after
    assert read_yes_no(text).label == label, text


@given(labels, st.sampled_from(EXPLANATIONS), st.sampled_from(["{}.", "**{}.**", "Answer: {}."]))
def test_an_explanation_changes_nothing(label, explanation, wrapping):
    assert read_yes_no(wrapping.format(label) + explanation).label == label


@given(labels, st.text(alphabet="lorem ipsum dolor.\n", max_size=200))
def test_padding_does_not_change_a_final_answer(label, padding):
    assert read_yes_no(f"{padding}\nFinal Answer: {label}").label == label
    assert read_yes_no(f"{label}.\n{padding}").label == label


@given(labels, labels, labels)
def test_the_last_final_answer_counts(first, second, last):
    text = f"The answer is {first}.\nFinal Answer: {second}\nOn reflection:\nFinal Answer: {last}"
    assert read_yes_no(text).label == last


@given(labels, labels, wrappings)
def test_two_answers_agree_or_are_unread(first, second, wrapping):
    text = f"{first}. It is as they say. I repeat: the answer is {second}."
    assert read_yes_no(text).label == (first if first == second else None)


@pytest.mark.parametrize("label", BINARY_LABELS)
@pytest.mark.parametrize(
    "text",
    [
        "The answer is not {}.",
        "The answer isn't {}.",
        "Not {}.",
        "Maybe {}.",
        "Perhaps {}.",
        "Possibly {}",
        "{}?",
        "{}, maybe.",
        "{}, if he agrees.",
        "{}, I'm not sure.",
        "{}. It depends.",
        "{}, partly.",
        "{} and {other}",
        "{} or {other}",
        "{}/{other}",
        "{}, {other}",
        "{}\n{other}",
        "{}, but also {other}.",
        "Neither {} nor {other}.",
        "If so, {}.",
        "I would never say {}.",
        "Some say the answer is {}.",
        "Should the answer be {}?",
        "Is the answer {}?",
        "The answer may be {}.",
        "He said {} to her.",
        "I can't help with {}.",
        "{}, I can't help with that.",
        "{}, this cannot be determined.",
    ],
)
def test_denied_hedged_and_reported_words_are_unread(text, label):
    """The same for both words: what is read of one must not be refused of the other."""
    assert read_yes_no(text.format(label, other=opposite(label))).unread


ITEMS = load_binary("synthetic", variants=VARIANTS, n=24, seed=3).items


@given(st.data(), st.sampled_from(ITEMS), st.sampled_from(VARIANTS), st.sampled_from(ORDERS))
def test_the_prompt_repeated_in_part_is_unread(data, item, variant, order):
    """From any word on that stands before its list of answers, up to anywhere; with a cue too."""
    prompt = ask_binary(item, variant, order, cue=data.draw(st.booleans()))
    words = [word.start() for word in re.finditer(r"\S+", prompt[: prompt.index("following")])]
    start = data.draw(st.just(0) | st.sampled_from([*words, prompt.index("following")]))
    end = data.draw(st.just(len(prompt)) | st.integers(start, len(prompt)))
    echoed = prompt[start:end]
    for question in (None, item.wording(variant)):
        assert read_yes_no(echoed, question).unread, echoed
        assert read_yes_no(f"{echoed}\n{prompt}", question).unread, echoed


even = st.sampled_from(["yes,", *sorted({*FRAGMENTS, "no,"} - {"yes", "no", "No. 1"})])


@given(st.lists(even, max_size=40).map(" ".join))
def test_neither_word_is_preferred(text):
    """But for phrases that only "no" opens ("no answer"), exchanging them exchanges readings."""
    other = {"yes": "no", "no": "yes", "Yes": "No", "No": "Yes"}
    swapped = re.sub(r"\b(?:yes|no|Yes|No)\b", lambda word: other[word.group()], text)
    readings = read_yes_no(text).label, read_yes_no(swapped).label
    assert readings in (("Yes", "No"), ("No", "Yes"), (None, None))
