"""Prompts for models that continue a text, and where their answers end.

A base model answers behind a cue, and then goes on with questions of its own.
"""

from __future__ import annotations

_CUE = "Answer:"
STOPS = ("\n\n", "\nQuestion:", "\nContext:", "\nAnswer:")
"""Texts at which an answer behind a cue ends; providers take four at most."""


def with_cue(prompt: str) -> str:
    """The prompt, ending in a line on which the answer is to follow."""
    return prompt if prompt.rstrip().endswith(_CUE) else f"{prompt}\n{_CUE}"
