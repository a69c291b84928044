"""Every answer of `reading_cases.yaml` and `reading_rules.yaml` is read as it says there."""

from pathlib import Path

import pytest
import yaml

from bias_tasks.binary_qa.reading.yes_no import read_yes_no

GROUPS = [
    group
    for name in ("reading_cases", "reading_rules")
    for group in yaml.safe_load(Path(__file__).with_name(f"{name}.yaml").read_text("utf-8"))
]
CASES = [
    pytest.param(*case, id=f"{group['kind']}-{number}".replace(" ", "_"))
    for group in GROUPS
    for number, case in enumerate([*case, "invalid_response_format"][:3] for case in group["cases"])
]


@pytest.mark.parametrize(("text", "label", "reason"), CASES)
def test_answer(text, label, reason):
    reading = read_yes_no(text)
    assert reading.detail
    assert reading.label == label, reading
    if label is None:
        assert (reading.via, reading.reason, reading.span) == ("unread", reason, None)
    else:
        assert (reading.via, reading.reason, reading.options) == ("explicit", None, ())


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("So **Yes**, it is.", "Yes"),
        ("No. Final Answer: y\u200bes", "y\u200bes"),
        ('{"answer": "No"}', "No"),
        ("The answer is a clear nope, sorry.", "nope"),
    ],
)
def test_the_span_is_the_word(text, word):
    assert text[slice(*read_yes_no(text).span)] == word


@pytest.mark.parametrize(
    ("text", "label"),
    [
        # It is told from other questions by what was asked.
        ("Question: Is it red?\nAnswer: Yes\n\nQuestion: Is it blue?\nAnswer: No", "Yes"),
        ("Question: Is it blue?\nAnswer: No\n\nQuestion: Is it red?\nAnswer: Yes", None),
        ("Question: Is it blue?\nAnswer: No", None),
        ("question:   is it RED\nAnswer: No", "No"),
        ("Context:\nA ball.\n\nQuestion: Is it red?\nAnswer: No", "No"),
        ("Context:\nA ball.\n\nQuestion: Is it blue?\nAnswer: No", None),
        ("No\n\nQuestion: Is it blue?\nAnswer: Yes", "No"),
        ("Example: balls can be red.\nSo it can be. Answer: Yes", "Yes"),
    ],
)
def test_the_question_that_was_asked(text, label):
    assert read_yes_no(text, "Is it red?").label == label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Yes, because the passage", "Yes"),
        ("Answer: Yes\n\nThe passage", "Yes"),
        ("The answer is No, as", "No"),
        ("Both are films. So yes, as", None),
        # A question behind an answer shows that the answer was whole.
        ("Both are films. So yes.\n\nQuestion: Is it", "Yes"),
    ],
)
def test_what_was_cut_is_read_where_it_begins_with_its_answer(text, label):
    assert read_yes_no(text, cut=True).label == label


def test_there_are_enough_cases():
    texts = [case[0] for group in GROUPS for case in group["cases"]]
    assert len(texts) == len(set(texts)) >= 850
