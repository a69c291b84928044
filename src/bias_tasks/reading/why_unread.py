"""What an answer's text tells of why nothing could be read in it."""

from __future__ import annotations

from bias_tasks.reading.echo import mostly_echo
from bias_tasks.reading.goes_on import goes_on
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
    """What to add to a reader's reason; None where nothing is known, or the reader says it.

    Args:
        why: what the reader found.
        said: the answer without reasoning in it.
        stop: why the text ended.
        prompt: what the model was asked; empty where that is not known.
    """
    if said.unfinished and not said.text.strip():
        return UNFINISHED
    # Whether or not a token limit ends such a text at last.
    if goes_on(said.text):
        return GOES_ON
    if mostly_echo(said.text, prompt):
        return REPEATS
    return f"cut at its {CUT}" if stop == "cut" and CUT not in why else None
