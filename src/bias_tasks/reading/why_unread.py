"""What makes an answer unread, beside that it holds no value that stands (`engine.py`): it refuses,
breaks off, never ends its reasoning, repeats the prompt, or goes on with questions of its own."""

from collections import Counter

from bias_tasks.reading.echo import mostly_echo
from bias_tasks.reading.patterns import patterns
from bias_tasks.reading.reasoning import Spoken
from bias_tasks.reading.types import Stop

UNFINISHED = "its reasoning never ends"
"""There is the beginning of reasoning alone."""
CUT = "token limit"
"""Stands in why there is no answer where a text was cut before one."""
GOES_ON = "it goes on with questions and answers of its own"
"""It never stops behind an answer."""
REPEATS = "it repeats what it was asked"
"""Most of it is the prompt's."""


def why_unread(why: str, said: Spoken, stop: Stop | None, prompt: str) -> str | None:
    """What to add to a reader's reason; None where nothing is known, or the reader says it. `stop`
    is why the text ended, and the prompt empty where it is not known."""
    if said.unfinished and not said.text.strip():
        return UNFINISHED
    # Whether or not a token limit ends such a text at last.
    if goes_on(said.text):
        return GOES_ON
    if mostly_echo(said.text, prompt):
        return REPEATS
    return f"cut at its {CUT}" if stop == "cut" and CUT not in why else None


_EXAMINED = 4_000
"""Characters examined at the beginning."""
_SAME_TURNS, _SAME_LINES = 2, 3
_ITEMS = 5
"""Whole items of a list from which on it is looked at."""


def goes_on(text: str) -> bool:
    """Whether the text has several turns of question and answer, or says the same over and over:
    one line, or the items of a numbered list.

    One turn behind other words is enough where it asks and answers. A heading alone is not: chat
    models repeat the facts or the question before they reason.
    """
    beginning = text[:_EXAMINED]
    turns = list(patterns.own_turn.finditer(beginning))
    labels = Counter(turn["label"].lower().rstrip("s") for turn in turns)
    if max(labels.values(), default=0) >= _SAME_TURNS:
        return True
    further = [turn["label"] for turn in turns if beginning[: turn.start()].strip()]
    asked = next((n for n, each in enumerate(further) if patterns.asking.match(each)), len(further))
    if any(patterns.answering.match(label) for label in further[asked:]):
        return True
    lines = [line.strip() for line in beginning.splitlines() if line.strip()]
    runs = zip(lines, lines[1:], lines[2:], strict=False)
    if any(len(set(run)) == 1 for run in runs) and len(lines) >= _SAME_LINES:
        return True
    items = patterns.numbered_item.findall(beginning)
    return len(items) >= _ITEMS and len(set(items)) < len(items) - 1


_BEGINNING = 400


def refuses(low: str) -> bool:
    """Whether an answer that names nothing declines to answer."""
    return patterns.declined.search(low, 0, _BEGINNING) is not None


def refuses_outright(low: str) -> bool:
    """Whether an answer declines so plainly that keywords in it are about the refusal."""
    return patterns.declined_outright.search(low, 0, _BEGINNING) is not None


def cut_off(low: str, start: int, end: int) -> bool:
    """Whether a text breaks off within a sentence."""
    return patterns.cut_off.search(low[max(start, end - 40) : end]) is not None
