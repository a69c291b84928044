"""How questions are put: the papers' templates and the code that fills them in. Knows no host."""

from bias_tasks.items import VANILLA
from bias_tasks.prompts.examples import paper_examples
from bias_tasks.prompts.instruction_boundary import (
    Asked,
    ask,
    ask_again,
    judge_prompt,
    polish_request,
)
from bias_tasks.prompts.options import ShownOptions
from bias_tasks.prompts.settings import (
    COVERAGE,
    SETTINGS,
    SettingParams,
    check_form,
    check_suggestion,
)
from bias_tasks.prompts.suggestion import Suggestion

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
