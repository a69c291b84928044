"""Reading model answers: what was answered, how that was read, and where in the text."""

from bias_tasks.instruction_boundary.reading.choice import read_choice
from bias_tasks.instruction_boundary.reading.judging import read_judging
from bias_tasks.instruction_boundary.reading.published import contains_symbol
from bias_tasks.instruction_boundary.reading.verdict import choice_verdict, judging_verdict
from bias_tasks.reading.options import Symbols
from bias_tasks.reading.types import Reading, Via

__all__ = [
    "Reading",
    "Symbols",
    "Via",
    "choice_verdict",
    "contains_symbol",
    "judging_verdict",
    "read_choice",
    "read_judging",
]
