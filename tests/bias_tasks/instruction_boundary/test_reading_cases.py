"""Every answer of `reading_cases.yaml` and `reading_rules.yaml` is read as it says there."""

from pathlib import Path

import pytest
import yaml

from bias_tasks.instruction_boundary.reading.choice import read_choice
from bias_tasks.instruction_boundary.reading.judging import read_judging
from bias_tasks.reading.types import Reading

GROUPS = [
    group
    for name in ("reading_cases", "reading_rules")
    for group in yaml.safe_load(Path(__file__).with_name(f"{name}.yaml").read_text("utf-8"))
]


def _cases(form):
    for group in GROUPS:
        if group["form"] == form:
            for number, case in enumerate(group["cases"]):
                yield pytest.param(
                    *case, group.get("with", {}), id=f"{group['kind']}-{number}".replace(" ", "_")
                )


def _check(text: str, reading: Reading, label, via_or_reason):
    if label is None:
        assert (reading.label, reading.via) == (None, "unread"), reading
        assert reading.reason == via_or_reason
        assert reading.span is None
    else:
        assert (reading.label, reading.via) == (label, via_or_reason), reading
        assert reading.span is not None
        start, end = reading.span
        assert 0 <= start < end <= len(text)
        expected = "invalid_response_format" if label == "invalid" else None
        assert reading.reason == expected
    assert reading.detail


@pytest.mark.parametrize(("text", "label", "via_or_reason", "arguments"), _cases("judging"))
def test_judging_answer(text, label, via_or_reason, arguments):
    reading = read_judging(text, **arguments)
    _check(text, reading, label, via_or_reason)
    assert reading.options == ()


@pytest.mark.parametrize(
    ("text", "label", "options", "via_or_reason", "arguments"), _cases("choice")
)
def test_choice_answer(text, label, options, via_or_reason, arguments):
    reading = read_choice(text, **arguments)
    _check(text, reading, label, via_or_reason)
    assert reading.options == tuple(options)


def test_there_are_enough_cases():
    texts = [
        (group["form"], str(group.get("with")), case[0])
        for group in GROUPS
        for case in group["cases"]
    ]
    assert len(texts) == len(set(texts)) >= 600
