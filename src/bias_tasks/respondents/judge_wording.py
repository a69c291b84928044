"""How a simulated judge puts its verdict."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bias_tasks.respondents.sentences import sentences
from bias_tasks.respondents.wording import Style, Verbosity, lead

REASONING = "I went through it part by part before I settled on a verdict."
"""What stands under the key of the reasoning; it holds no score and names no flaw."""
OBLIQUE = "Much of it holds up, and some of it does not."
"""A verdict that holds no score."""

_SCORES = sentences("scores")
"""A single score said otherwise than in JSON."""


def put_verdict(verdict: Mapping[str, Any], *, style: Style, verbosity: Verbosity) -> str:
    """The whole answer; its end holds the verdict.

    Args:
        verdict: what the JSON object says that the prompt asks for, but for the reasoning.
        style: how it is put: "asked" and "json" as that object, "oblique" so that no score can be
            read, the others in words where it is a single score; all else stays JSON.
        verbosity: how much stands before it.
    """
    before = lead(verbosity)
    if style == "oblique":
        closing = OBLIQUE
    elif style in _SCORES and "score" in verdict:
        number = f"{verdict['score']:g}"
        bare = style == "number" and not before
        closing = number if bare else _SCORES[style].format(score=number)
    else:
        closing = json.dumps({"reasoning": REASONING, **verdict}, ensure_ascii=False)
    return f"{before}\n{closing}" if before else closing
