"""Whatever an answer holds, it is read in bounded time and memory, and its outcome is named."""

import tracemalloc
from functools import partial
from random import Random

import pytest

from bias_tasks.instruction_boundary.reading import published
from bias_tasks.instruction_boundary.reading.choice import read_choice
from bias_tasks.instruction_boundary.reading.judging import read_judging
from bias_tasks.instruction_boundary.reading.verdict import choice_verdict, judging_verdict
from bias_tasks.reading import bounds
from tests.bias_tasks.effort import cpu_limit, steps
from tests.bias_tasks.hostile import HUGE, KINDS, LARGE, hostile_answers, sized_answers

READERS = {
    "judging": read_judging,
    "choice": partial(read_choice, n_options=4),
    "letters": partial(read_choice, n_options=10, symbols="letters"),
    "published judging": partial(read_judging, protocol="published"),
    "published choice": partial(read_choice, n_options=4, first=0, protocol="published"),
}
REASONS = ("no_response", "refusal", "invalid_response_format")
LIMIT = 2
"""Seconds of processor time for an answer; reading its head and tail takes about a hundredth."""
WHOLE, LIMIT_WHOLE = 100_000, 6
"""Characters of an answer that is examined whole, and seconds: linear work takes up to 0.1."""
MEMORY = 4_000_000
"""Bytes a reader may take for an answer of up to 100 KB."""


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
        with cpu_limit(LIMIT, kind):
            reading = reader(text)
        _check_named(reading, text)
        if n % 10 == 0:
            assert judging_verdict(text) is None
            choice_verdict(text, 4)
    assert n == 10_000
    assert seen == set(KINDS)


@pytest.mark.parametrize("name", READERS)
def test_100_kilobytes_of_every_kind(name):
    for kind, text in sized_answers(LARGE):
        with cpu_limit(LIMIT, kind):
            reading = READERS[name](text)
        _check_named(reading, text)


def test_10_megabytes_of_every_kind():
    for kind, text in sized_answers(HUGE):
        for name in ("judging", "choice"):
            with cpu_limit(LIMIT, f"{kind} for {name}"):
                reading = READERS[name](text)
            _check_named(reading, text)


@pytest.mark.parametrize("name", [name for name in READERS if name != "choice"])
def test_time_is_linear_in_what_is_examined(name, monkeypatch):
    """As much is examined as would take a quadratic search many seconds."""
    monkeypatch.setattr(bounds, "TAIL", WHOLE)
    monkeypatch.setattr(published, "EXAMINED", WHOLE)
    for kind, text in sized_answers(WHOLE):
        with cpu_limit(LIMIT_WHOLE, kind):
            READERS[name](text)


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


def test_a_short_answer_takes_few_steps():
    """No pattern is compiled anew for each answer: that alone would take 5000."""
    for text in ("2", "Final Answer: 2", "1, 3", "No correct answer", "The answer is option 3."):
        read_judging(text)
        assert steps(lambda text=text: read_judging(text)) < 4500, text
