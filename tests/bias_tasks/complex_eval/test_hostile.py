"""Whatever a judge's answer holds, it is read in bounded time and memory, and never invented."""

import tracemalloc

import pytest

from bias_tasks.complex_eval.reading.scores import (
    read_criterion_scores,
    read_first_error,
    read_flaws,
    read_score,
)
from bias_tasks.reading import bounds
from bias_tasks.reading import json_objects as objects
from bias_tasks.reading.json_objects import json_objects
from tests.bias_tasks.effort import cpu_limit
from tests.bias_tasks.hostile import HUGE, hostile_answers, sized_answers

READERS = {
    "score": lambda text: read_score(text, (1, 10)),
    "scores": lambda text: read_criterion_scores(text, ["a", "b"], (1, 10)),
    "flaws": lambda text: read_flaws(text, ["a", "b"], (1, 10)),
    "first_error": lambda text: read_first_error(text, 5),
}
UNITS = {
    "reasoning": '{"reasoning": "',
    "reasons": '{"reasoning": "a", "score": 7}',
    "verdicts behind reasoning": '", "score": 7} {"score": 1}',
    "open objects": '{"score": ',
    "open lists": '{"score": [',
    "open keys": '{"',
    "escapes": '{"\\"',
    "empty objects": "{}",
    "scores": '{"score": 7} ',
    "broken scores": '{"score": 7,} ',
    "flaws": '{"flaws": [{"dimension": "a", "severity": 1, "quote": "x"}]}',
    "claims": "score: 7 ",
    "many claims": "final score (1 - 10): 7/10, ",
    "fractions": "7/10",
    "long number": "7.7",
    "thinking": "<think></think>",
    "blank object": "{ ",
    "labels": "overall score is ",
    "errors": "first error is in step ",
    "wrong steps": "step 2 is wrong ",
    "steps and links": "first error is in the solution, therefore, ",
    "right steps": "no errors found in the steps of ",
    "given": "i give it the score of a solid ",
    "conditions": "7/10 if it ",
    "taken back": '{"score": 7} wait, {"score": 8} ',
    "standing": '{"score": 7}\n{"score": 8}\nwait\n',
    "single quotes": "{'score': '7",
    "typographic quotes": "{“score”: ‘7",
    "bare keys": "{score: ",
    "escaped quotes": "{'score': '\\':",
    "comments": "{'score': 7 // ",
    "nested lists": "{'flaws': [",
    "parts": '"flaws": [{"dimension": "a", "severity": 1, "quote": "x"}, ',
    "tables": "| a | 7 |\n",
    "bars": "|",
    "rules": "|-",
    "fields": "Dimension: a\nSeverity: 3\n",
    "severities": 'severity 3 "x" a ',
    "names": "a a b ",
    "headings": "a\n7/10\n",
    "no flaws": "no flaws found in any of the ",
    "blocks": "<response-4c1f>\n</response-4c1f>\n",
    "prompts": "What you need stands below, in blocks. ",
    "turns": "Human:\n",
}
LIMIT = 20
"""Seconds of processor time a reading may take; the longest that is examined takes up to 2."""
WHOLE, LIMIT_WHOLE = 100_000, 10
"""Characters of an answer that is examined whole, and seconds: linear work takes up to 2."""
MEMORY = 12_000_000
"""Bytes a reading may take, whatever the answer's length."""


def _texts(size):
    yield from sized_answers(size)
    for kind, unit in UNITS.items():
        yield kind, (unit * (size // len(unit) + 1))[:size]


@pytest.mark.parametrize("name", READERS)
def test_hostile_answers_are_read_or_have_a_reason(name):
    for _, text in hostile_answers(1500, seed=5):
        reading = READERS[name](text)
        if reading.value is None:
            assert reading.reason in ("no_response", "refusal", "invalid_response_format")
            assert reading.detail
        else:
            start, end = reading.span
            assert 0 <= start < end <= len(text)


@pytest.mark.parametrize("name", READERS)
def test_time_is_linear_in_what_is_examined(name, monkeypatch):
    """As much is examined as would take a quadratic search many seconds."""
    monkeypatch.setattr(bounds, "TAIL", WHOLE)
    monkeypatch.setattr(objects, "TAIL", WHOLE)
    for kind, text in _texts(WHOLE):
        with cpu_limit(LIMIT_WHOLE, kind):
            READERS[name](text)


def test_huge_answers_take_bounded_time_and_memory():
    for kind, unit in UNITS.items():
        text = unit * (HUGE // len(unit))
        tracemalloc.start()
        with cpu_limit(LIMIT, kind):
            read_score(text, (1, 10))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < MEMORY, kind


def test_deep_nesting_is_unread():
    for depth in (50, 5_000, 50_000):
        text = '{"score": ' * depth + "7" + "}" * depth
        assert read_score(text, (1, 10)).value is None


def test_objects_in_other_objects_are_parts_of_them():
    objects = json_objects('a {"b": {"score": 1}} {"score": 2} {"score": 3')
    assert [each.value for each in objects.found] == [{"b": {"score": 1}}, {"score": 2}]


def test_too_much_that_is_no_object():
    assert json_objects('{"a" ' * 101) is None
    assert json_objects('{"a" ' * 100).found == []
