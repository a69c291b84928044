"""Every answer of `yes_no_cases.yaml` is read as it says there."""

from pathlib import Path

import pytest
import yaml

from bias_tasks.reading.yes_no import read_yes_no

GROUPS = yaml.safe_load((Path(__file__).parent / "yes_no_cases.yaml").read_text(encoding="utf-8"))
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


def test_there_are_enough_cases():
    texts = [case[0] for group in GROUPS for case in group["cases"]]
    assert len(texts) == len(set(texts)) >= 250
