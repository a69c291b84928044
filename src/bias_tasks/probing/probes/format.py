"""The final answer asked for in an output format (FormatEval, appendix E)."""

from __future__ import annotations

import random
from collections.abc import Sequence

from bias_tasks.probing.formats import FINAL_FORMATS
from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.probes.base import DoesNotApplyError, Probe


class AnswerFormat(Probe):
    """One of the formats; what it holds is what the task reads."""

    name = "format"
    meaning = (
        "the final answer asked for in one of thirteen formats, or of those that `formats` names "
        "(one for each item)"
    )
    generates = True

    def __init__(self, formats: Sequence[str] = tuple(FINAL_FORMATS)) -> None:
        self._formats = formats

    def asked(self, item: ProbedItem, rng: random.Random) -> Asked:
        """One of those in which the item's answer can be given, at the end of the prompt."""
        names = [name for name in self._formats if FINAL_FORMATS[name].holds(item)]
        if not names:
            raise DoesNotApplyError("it has no choices, which these formats name")
        name = rng.choice(sorted(names))
        return Asked(ending=FINAL_FORMATS[name].instruction, format=name)
