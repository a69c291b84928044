"""Every answer of `reading_cases.yaml` is read as it says there."""

from pathlib import Path
from typing import get_args

import pytest
import yaml

from bias_tasks.binary_qa.items import BINARY_LABELS
from bias_tasks.binary_qa.reading.yes_no import read_yes_no
from bias_tasks.respondents import wording

GROUPS = yaml.safe_load((Path(__file__).parent / "reading_cases.yaml").read_text(encoding="utf-8"))
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


@pytest.mark.parametrize("label", BINARY_LABELS)
@pytest.mark.parametrize("style", get_args(wording.Style))
@pytest.mark.parametrize("verbosity", get_args(wording.Verbosity))
def test_a_respondent_s_wording(label, style, verbosity):
    for headings in (None, ("Reasoning:", "Final Answer:")):
        text = wording.put(
            label,
            wording.YES_NO_WORDS[label],
            wording.YES_NO_OBLIQUE[label],
            style=style,
            verbosity=verbosity,
            headings=headings,
        )
        assert read_yes_no(text).label == (None if style == "oblique" else label)


@pytest.mark.parametrize("chance", [0.0, 0.4, 0.9])
def test_a_respondent_s_refusal(chance):
    assert read_yes_no(wording.refuse(chance)).unread


def test_there_are_enough_cases():
    texts = [case[0] for group in GROUPS for case in group["cases"]]
    assert len(texts) == len(set(texts)) >= 250
