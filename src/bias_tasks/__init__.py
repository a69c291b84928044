"""Biases of language models that come from how they are asked, as evaluation tasks."""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for type checkers and editors; at run time each is loaded on first use
    from bias_tasks.results.frames import outcomes_df, results_df
    from bias_tasks.results.sample_columns import outcome_columns
    from bias_tasks.scorers.format_gated import format_gated
    from bias_tasks.scorers.outcome import outcome
    from bias_tasks.solvers.ask import ask
    from bias_tasks.solvers.compare_with_other import compare_with_other
    from bias_tasks.solvers.formats import demonstrate, format_instruction
    from bias_tasks.solvers.replay import replay
    from bias_tasks.solvers.settings import (
        by_variant,
        distract,
        omit_option,
        polish,
        reflect,
        suggest,
        terse,
    )
    from bias_tasks.tasks.binary_qa import (
        binaryqa,
        binaryqa_arc,
        binaryqa_nrc,
        binaryqa_prc,
        binaryqa_qa,
        binaryqa_sc,
    )
    from bias_tasks.tasks.complex_eval import (
        complexeval_attention_limit,
        complexeval_basic,
        complexeval_math,
        complexeval_role_playing,
        complexeval_writing,
    )
    from bias_tasks.tasks.instruction_boundary import (
        conformity,
        disturbing_miscellany,
        few_shot,
        instruction_boundary,
        missing_choices,
        multi_turn,
        prompt_polishing,
        self_reflection,
        vagueness,
        vanilla,
    )
    from bias_tasks.tasks.judging import judge_pairwise, judge_single, self_preference
    from bias_tasks.tasks.output_format import (
        format_bias,
        format_list,
        format_mapping,
        format_mcq,
        format_wrapping,
    )
    from bias_tasks.tasks.probing import probe

__version__: str

__all__ = [
    "ask",
    "binaryqa",
    "binaryqa_arc",
    "binaryqa_nrc",
    "binaryqa_prc",
    "binaryqa_qa",
    "binaryqa_sc",
    "by_variant",
    "compare_with_other",
    "complexeval_attention_limit",
    "complexeval_basic",
    "complexeval_math",
    "complexeval_role_playing",
    "complexeval_writing",
    "conformity",
    "demonstrate",
    "distract",
    "disturbing_miscellany",
    "few_shot",
    "format_bias",
    "format_gated",
    "format_instruction",
    "format_list",
    "format_mapping",
    "format_mcq",
    "format_wrapping",
    "instruction_boundary",
    "judge_pairwise",
    "judge_single",
    "missing_choices",
    "multi_turn",
    "omit_option",
    "outcome",
    "outcome_columns",
    "outcomes_df",
    "polish",
    "probe",
    "prompt_polishing",
    "reflect",
    "replay",
    "results_df",
    "self_preference",
    "self_reflection",
    "suggest",
    "terse",
    "vagueness",
    "vanilla",
]


FRAMES = {
    "outcome_columns": "sample_columns",
    "outcomes_df": "frames",
    "results_df": "frames",
}
"""What finished runs are analysed with, by its module in `results`."""


class _CalledAsTask(ModuleType):
    """A family's package that has the name of one of its tasks, and can be called as that."""

    def __call__(self, *values: Any, **parameters: Any) -> Any:
        name = self.__name__.rpartition(".")[2]
        return getattr(import_module(f"bias_tasks.tasks.{name}"), name)(*values, **parameters)


import_module("bias_tasks.instruction_boundary").__class__ = _CalledAsTask


def _load(name: str) -> Any:
    """A task, a solver or a scorer on its first use, so that the import alone loads no host."""
    if name == "__version__":
        return import_module("importlib.metadata").version("bias-tasks")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in FRAMES:
        return getattr(import_module(f"bias_tasks.results.{FRAMES[name]}"), name)
    try:
        family = import_module("bias_tasks.families").family_of_task(name)
    except LookupError:
        return getattr(import_module("bias_tasks._registry"), name)
    return getattr(import_module(f"bias_tasks.tasks.{family.name}"), name)


if not TYPE_CHECKING:  # to which every name would then be one of the package's
    __getattr__ = _load


def __dir__() -> list[str]:
    """The tasks, solvers and scorers, and what every module has."""
    return sorted({*globals(), *__all__, "__version__"})
