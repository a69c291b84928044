"""What a prompt must still hold once a model has rewritten it, so that it asks the same."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bias_tasks.instruction_boundary.prompts.polished import plain
from bias_tasks.probing.options import find_options

EMPTY = "the polisher wrote nothing"
CUT = "the polisher's answer was cut short"
SAME = "the polisher left the prompt as it is"
NO_QUESTION = "the polished prompt lost or changed the question"
NO_CHOICES = "the polished prompt lost or changed the choices or their labels"
MORE_CHOICES = "the polished prompt prints more choices than the task has"
_MARKUP = re.compile(r"[*_`]")


def lost_in_polishing(
    prompt: str, polished: str, question: str, choices: Sequence[str], labels: Sequence[str]
) -> str | None:
    """What a rewritten prompt has lost of what it asks; None for nothing.

    As the request has it, every line of the question must be there, and the choices in their order,
    each behind its label where it had one. Case, blanks and Markdown marks do not count. Guidance,
    and how the answer is asked for, may have changed: that is what polishing does.

    Args:
        prompt: that was to be rewritten.
        polished: what the model wrote.
        question: the item's, as the prompt holds it.
        choices: in the order in which the prompt prints them; none where it prints none.
        labels: of the choices; empty where they are printed without.
    """
    told = plain(polished)
    if not told:
        return EMPTY
    if told == plain(prompt):
        return SAME
    lines = (plain(line) for line in question.splitlines())
    before = plain(prompt)
    if not all(line in told for line in lines if line in before):
        return NO_QUESTION
    if not _in_order(told, choices, labels):
        return NO_CHOICES
    found = find_options(_MARKUP.sub("", polished)) if choices else None
    more = found is not None and len(found.labels) > len(choices)
    return MORE_CHOICES if more else None


def _in_order(told: str, choices: Sequence[str], labels: Sequence[str]) -> bool:
    """Whether a plain text has the choices one behind the other, behind their labels if any."""
    place = 0
    for number, text in enumerate(choices):
        mark = rf"[(\[]?{re.escape(labels[number].casefold())}[)\].:]{{1,2}} " if labels else ""
        found = re.compile(rf"(?<!\w){mark}{re.escape(plain(text))}(?!\w)").search(told, place)
        if found is None:
            return False
        place = found.end()
    return True
