"""How questions are put: the papers' templates and the code that fills them in. Knows no host."""

from bias_tasks.instruction_boundary.items import VANILLA
from bias_tasks.instruction_boundary.prompts.ask import (
    Asked,
    ask,
    ask_again,
    judge_prompt,
    polish_request,
)
from bias_tasks.instruction_boundary.prompts.examples import paper_examples
from bias_tasks.instruction_boundary.prompts.options import ShownOptions
from bias_tasks.instruction_boundary.prompts.suggestion import Suggestion
from bias_tasks.instruction_boundary.settings import (
    COVERAGE,
    SETTINGS,
    SettingParams,
    check_form,
    check_suggestion,
)

__all__ = [
    "COVERAGE",
    "SETTINGS",
    "VANILLA",
    "Asked",
    "SettingParams",
    "ShownOptions",
    "Suggestion",
    "ask",
    "ask_again",
    "check_form",
    "check_suggestion",
    "judge_prompt",
    "paper_examples",
    "polish_request",
]
