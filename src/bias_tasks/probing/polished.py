"""Whether a prompt that a model has rewritten still asks the same."""

import re
from collections.abc import Sequence

from bias_tasks.instruction_boundary.prompts.polished import plain
from bias_tasks.probing.options import find_options

CUT = "the polisher's answer was cut short"
LOST = "the polisher lost or changed the question, the choices or their labels"
_MARKUP = re.compile(r"[*_`]")


def still_asks(
    prompt: str, polished: str, question: str, choices: Sequence[str], labels: Sequence[str]
) -> bool:
    """Whether a rewritten prompt has every line of the question that the prompt holds, and the
    choices that it prints, and no more, in their order, each behind its label if there are labels.
    Case, blanks and Markdown marks do not count."""
    told, before = plain(polished), plain(prompt)
    lines = [line for line in map(plain, question.splitlines()) if line in before]
    found = find_options(_MARKUP.sub("", polished)) if choices else None
    more = found is not None and len(found.labels) > len(choices)
    kept = all(line in told for line in lines) and _in_order(told, choices, labels)
    return bool(told) and kept and not more


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
