"""Every answer of `cases.py` is read as it says there."""

from collections import Counter

import pytest

from bias_tasks.output_format.formats import FORMATS
from tests.bias_tasks.output_format.cases import CASES

ROWS = [
    pytest.param(name, item, case, id=f"{name}-{item.answer_type}-{number}")
    for name, item, cases in CASES
    for number, case in enumerate(cases)
]


@pytest.mark.parametrize(("name", "item", "case"), ROWS)
def test_corrected(name, item, case):
    text, payload = case[:2]
    reading = FORMATS[name].read(text, item, "corrected")
    assert reading.payload == payload, reading
    assert reading.follows == (payload is not None)
    assert bool(reading.detail) != reading.follows


@pytest.mark.parametrize(("name", "item", "case"), ROWS)
def test_published(name, item, case):
    text, payload = case[:2]
    follows, taken = case[2:] or (payload is not None, payload)
    reading = FORMATS[name].read(text, item, "published")
    assert (reading.follows, reading.payload) == (follows, taken), reading
    assert bool(reading.detail) != reading.follows


def test_follows_and_extract_are_parts_of_the_reading():
    for name, item, cases in CASES:
        for text, *_ in cases:
            for protocol in ("corrected", "published"):
                reading = FORMATS[name].read(text, item, protocol)
                assert FORMATS[name].follows(text, item, protocol) == reading.follows
                assert FORMATS[name].extract(text, item, protocol) == reading.payload


def test_there_are_enough_cases():
    counts = Counter()
    for name, item, cases in CASES:
        texts = [case[0] for case in cases]
        assert len(set(texts)) == len(texts), name
        assert FORMATS[name].holds(item)
        counts[name] += len(cases)
    assert set(counts) == set(FORMATS)
    assert min(counts.values()) >= 15, counts
