"""Whatever an answer holds, it is read in bounded time and memory, and its outcome is named."""

import time
import tracemalloc
from functools import partial
from random import Random

import pytest

from bias_tasks.instruction_boundary.reading import (
    choice_verdict,
    judging_verdict,
    read_choice,
    read_judging,
)
from tests.bias_tasks.hostile import HUGE, KINDS, LARGE, hostile_answers, sized_answers

READERS = {
    "judging": read_judging,
    "choice": partial(read_choice, n_options=4),
    "letters": partial(read_choice, n_options=10, symbols="letters"),
    "published judging": partial(read_judging, protocol="published"),
    "published choice": partial(read_choice, n_options=4, first=0, protocol="published"),
}
REASONS = ("no_response", "refusal", "invalid_response_format")
LIMIT_100_KB, LIMIT_10_MB = 0.05, 1.0
"""Seconds of processor time a reader may take for an answer."""
MEMORY = 4_000_000
"""Bytes a reader may take for an answer of up to 100 KB."""


def _seconds(read, text):
    start = time.process_time()
    reading = read(text)
    return time.process_time() - start, reading


def _check_named(reading, text):
    assert reading.detail
    if reading.label is None:
        assert reading.reason in REASONS
    if reading.span is not None:
        assert 0 <= reading.span[0] < reading.span[1] <= len(text)


def test_ten_thousand_hostile_answers():
    n, seen = 0, set()
    for kind, text in hostile_answers(10_000):
        n += 1
        seen.add(kind)
        assert len(text) <= LARGE + 200
        reader = READERS["judging" if n % 2 else "choice"]
        seconds, reading = _seconds(reader, text)
        if seconds > LIMIT_100_KB:  # once more: the collector may have run
            seconds = min(seconds, _seconds(reader, text)[0])
        assert seconds < LIMIT_100_KB, (kind, len(text), seconds)
        _check_named(reading, text)
        if n % 10 == 0:
            assert judging_verdict(text) is None
            choice_verdict(text, 4)
    assert n == 10_000
    assert seen == set(KINDS)


@pytest.mark.parametrize("name", READERS)
def test_100_kilobytes_of_every_kind(name):
    for kind, text in sized_answers(LARGE):
        seconds, reading = min(
            (_seconds(READERS[name], text) for _ in range(2)), key=lambda timed: timed[0]
        )
        assert seconds < LIMIT_100_KB, (kind, seconds)
        _check_named(reading, text)


def test_10_megabytes_of_every_kind():
    for kind, text in sized_answers(HUGE):
        for name in ("judging", "choice"):
            seconds, reading = _seconds(READERS[name], text)
            assert seconds < LIMIT_10_MB, (kind, name, seconds)
            _check_named(reading, text)


def test_memory_is_bounded():
    texts = [text for _, text in sized_answers(LARGE)]
    texts += [KINDS[kind](Random(0), HUGE) for kind in ("fragments", "code points", "options")]
    for text in texts:
        for name in ("judging", "published choice"):
            tracemalloc.start()
            READERS[name](text)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            assert peak < MEMORY, (name, text[:40], peak)


@pytest.mark.parametrize("kind", KINDS)
def test_a_final_answer_is_found_behind_anything_long(kind):
    """The end of a long answer is examined, and what stands before it does not blur it."""
    text = KINDS[kind](Random(0), LARGE) + "\n\n## Final Answer\n2"
    reading = read_judging(text)
    assert reading.label == "False", reading
    assert text[slice(*reading.span)] == "2"
    assert "were examined" in reading.detail


def test_a_short_answer_is_cheap():
    texts = ["2", "Final Answer: 2", "1, 3", "No correct answer", "The answer is option 3."]
    start = time.process_time()
    for _ in range(200):
        for text in texts:
            read_judging(text)
    assert (time.process_time() - start) / 1000 < 0.0002
