"""Whatever an answer to a yes/no question holds, it is read in bounded time and memory."""

import tracemalloc
from random import Random

import pytest

from bias_tasks.binary_qa.reading.yes_no import read_yes_no
from bias_tasks.reading import bounds
from tests.bias_tasks.effort import cpu_limit, steps
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
    "commas": "all things considered, yes, ",
    "ticks": "[x] Yes [ ] No\n",
    "crossed out": "~~yes~~ ",
    "tags": "<b>yes</b><answer>",
    "arrows": "they differ -> no",
    "labels": "Question: is it\n",
    "courtesies": "Yes, I'd be happy to. ",
    "changes": "I change my answer from yes to no. ",
    "no and marks": "no]]]]]]]))))))''''",
}
GO_ON = ("new questions",)
"""What answers a question and goes on with others, so that all later answers are to these."""
REASONS = ("no_response", "refusal", "invalid_response_format")
LIMIT = 2
"""Seconds of processor time a reading may take; that of head and tail takes about a hundredth."""
WHOLE, LIMIT_WHOLE = 200_000, 13
"""Characters of an answer that is examined whole, and seconds: linear work takes up to 0.2."""
MEMORY = 4_000_000
"""Bytes a reading may take, whatever the answer's length."""


def _texts(size):
    yield from sized_answers(size)
    for kind, unit in UNITS.items():
        yield kind, (unit * (size // len(unit) + 1))[:size]


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


@pytest.mark.parametrize("size", [LARGE, HUGE])
def test_time_is_bounded(size):
    for kind, text in _texts(size):
        with cpu_limit(LIMIT, kind):
            reading = read_yes_no(text)
        _check_named(reading, text)


def test_time_is_linear_in_what_is_examined(monkeypatch):
    """As much is examined as would take a quadratic search many seconds."""
    monkeypatch.setattr(bounds, "TAIL", WHOLE)
    for kind, text in _texts(WHOLE):
        with cpu_limit(LIMIT_WHOLE, kind):
            read_yes_no(text)


def test_memory_is_bounded():
    texts = [text for _, text in _texts(LARGE)]
    texts += [KINDS[kind](Random(0), HUGE) for kind in ("fragments", "code points")]
    for text in texts:
        tracemalloc.start()
        read_yes_no(text)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < MEMORY, (text[:40], peak)


@pytest.mark.parametrize("kind", [kind for kind in (*KINDS, *UNITS) if kind not in GO_ON])
def test_a_final_answer_is_found_behind_anything_long(kind):
    text = f"{dict(_texts(LARGE))[kind]}\n\n## Final Answer\nNo"
    reading = read_yes_no(text)
    assert reading.label == "No", reading
    assert text[slice(*reading.span)] == "No"
    assert "were examined" in reading.detail


def test_what_is_repeated_without_end_is_no_answer():
    for kind in ("both", "both lines", "both sentences", "and", "hedged", "prompt", "numbers"):
        assert read_yes_no(dict(_texts(LARGE))[kind]).unread, kind


def test_a_short_answer_takes_few_steps():
    """No pattern is compiled anew for each answer: that alone would take 5000."""
    for text in ("Yes", "Final Answer: No", "No, it is not.", '{"answer": "Yes"}', "I can't say."):
        read_yes_no(text)
        assert steps(lambda text=text: read_yes_no(text)) < 4000, text
