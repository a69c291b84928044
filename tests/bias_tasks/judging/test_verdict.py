"""Verdicts on pairs: what is read, and what is not."""

from pathlib import Path

import pytest
import yaml

from bias_tasks.judging.reading.verdict import read_verdict

CASES = yaml.safe_load(Path(__file__).with_name("verdict_cases.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (text, None if verdict == "none" else verdict)
        for verdict, texts in CASES.items()
        for text in texts
    ],
)
def test_a_verdict_is_read_or_left(text, verdict):
    reading = read_verdict(text)
    assert reading.label == verdict, reading
    if verdict is None:
        assert reading.via == "unread"
        assert reading.reason in ("no_response", "refusal", "invalid_response_format")
    else:
        start, end = reading.span
        assert 0 <= start < end <= len(text)


def test_a_cut_text_counts_where_it_begins_with_its_verdict():
    assert read_verdict("A", cut=True).label == "A"
    assert read_verdict("I think that the verdict is: A", cut=True).label is None


def test_an_answer_of_megabytes_is_read_at_its_end():
    for filler in ("[[", "Verdict: ", '{"verdict": ', "A\n", "\n", "x", "-", "a "):
        text = filler * (3_000_000 // len(filler))
        assert read_verdict(f"{text}\n\nSo it is.\nVerdict: B").label in ("B", None)
    assert read_verdict("word " * 600_000 + "\nVerdict: B").label == "B"
