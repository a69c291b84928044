"""Whatever an answer to a yes/no question holds, it is read in bounded time and memory."""

import time
import tracemalloc
from random import Random

import pytest

from bias_tasks.binary_qa.reading.yes_no import read_yes_no
from tests.bias_tasks.hostile import HUGE, KINDS, LARGE, hostile_answers, sized_answers

UNITS = {
    "both": "yes no ",
    "both lines": "yes\nno\n",
    "both sentences": "Yes. No. ",
    "and": "yes and no ",
    "hedged": "yes, maybe. ",
    "conclusions": "so yes, so no, ",
    "chosen": "I would say yes. ",
    "introduced": "So, well, no. ",
    "fill": "a clear very most likely ",
    "questions": "Is it? Yes. ",
    "unanswerable": "no information to ",
    "refused": "No, I can't help. ",
    "numbers": "No. 1 ",
    "json": '{"answer": "Yes"},',
    "prompt": "Choose one of the following answers: Yes/No\n",
    "new questions": "\nQuestion: is it?\nAnswer: no",
    "thoughts": "<think>yes</think>",
    "finals": "Final Answer: yes and no\n",
    "announcements": "Final Answer\n",
    "marks": ". \"'(",
    "no and marks": "no]]]]]]]))))))''''",
}
REASONS = ("no_response", "refusal", "invalid_response_format")
LIMIT_100_KB, LIMIT_10_MB = 0.05, 1.0
"""Seconds of processor time a reading may take."""
MEMORY = 4_000_000
"""Bytes a reading may take, whatever the answer's length."""


def _texts(size):
    yield from sized_answers(size)
    for kind, unit in UNITS.items():
        yield kind, (unit * (size // len(unit) + 1))[:size]


def _seconds(text):
    start = time.process_time()
    reading = read_yes_no(text)
    return time.process_time() - start, reading


def _check_named(reading, text):
    assert reading.detail
    if reading.label is None:
        assert reading.reason in REASONS
    else:
        assert reading.label in ("Yes", "No")
        start, end = reading.span
        assert 0 <= start < end <= len(text)


def test_hostile_answers():
    seen = set()
    for kind, text in hostile_answers(2_000):
        seen.add(kind)
        _check_named(read_yes_no(text), text)
    assert seen == set(KINDS)


@pytest.mark.parametrize(("size", "limit"), [(LARGE, LIMIT_100_KB), (HUGE, LIMIT_10_MB)])
def test_time_is_bounded(size, limit):
    for kind, text in _texts(size):
        seconds, reading = _seconds(text)
        if seconds > limit:  # once more: the collector may have run
            seconds = min(seconds, _seconds(text)[0])
        assert seconds < limit, (kind, seconds)
        _check_named(reading, text)


def test_memory_is_bounded():
    texts = [text for _, text in _texts(LARGE)]
    texts += [KINDS[kind](Random(0), HUGE) for kind in ("fragments", "code points")]
    for text in texts:
        tracemalloc.start()
        read_yes_no(text)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < MEMORY, (text[:40], peak)


@pytest.mark.parametrize("kind", [*KINDS, *UNITS])
def test_a_final_answer_is_found_behind_anything_long(kind):
    text = f"{dict(_texts(LARGE))[kind]}\n\n## Final Answer\nNo"
    reading = read_yes_no(text)
    assert reading.label == "No", reading
    assert text[slice(*reading.span)] == "No"
    assert "were examined" in reading.detail


def test_what_is_repeated_without_end_is_no_answer():
    for kind in ("both", "both lines", "both sentences", "and", "hedged", "prompt", "numbers"):
        assert read_yes_no(dict(_texts(LARGE))[kind]).unread, kind


def test_a_short_answer_is_cheap():
    texts = ["Yes", "Final Answer: No", "No, it is not.", '{"answer": "Yes"}', "I can't say."]
    start = time.process_time()
    for _ in range(200):
        for text in texts:
            read_yes_no(text)
    assert (time.process_time() - start) / 1000 < 0.0002
