"""The answer asked for in one of the wrapping formats (FormatEval, appendix E.2)."""

from __future__ import annotations

import random
from functools import cache

from bias_tasks.output_format.foreign import foreign_question
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.formats._wrapping import Wrapping
from bias_tasks.output_format.formats.types import MAX_READ, NotFollowedError
from bias_tasks.output_format.questions import FormatParams
from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.probes.base import Probe

WRAPPINGS = {name: each for name, each in FORMATS.items() if isinstance(each, Wrapping)}


class WrappedFormat(Probe):
    """One of the seven wrapping formats; what it encloses is what the task reads."""

    name = "format"
    meaning = "the final answer asked for in one of the seven wrapping formats (one for each item)"
    generates = True

    def asked(self, item: ProbedItem, rng: random.Random) -> Asked:
        """One of them, at the end of the prompt."""
        name = rng.choice(sorted(WRAPPINGS))
        return Asked(ending=instruction_of(name), format=name)


@cache
def instruction_of(name: str) -> str:
    """The sentence that asks for a wrapping format, of which no question changes a word."""
    return WRAPPINGS[name].instruction(foreign_question("", "", name, FormatParams()).item)


def unwrapped(name: str, text: str) -> str:
    """An answer without the tokens of its format, such as `ANSWER: **B**` without its stars.

    As it is where it does not follow the format: how it then fares is the task's to say.
    """
    wrapping = WRAPPINGS[name]
    if len(text) > MAX_READ:
        return text
    try:
        stretches = wrapping.enclosed(text)
    except NotFollowedError:
        return text
    for stretch in reversed(stretches):
        begin = stretch.start - len(wrapping.opening)
        end = stretch.end + len(wrapping.closing)
        text = f"{text[:begin]}{text[stretch.start : stretch.end]}{text[end:]}"
    return text
