"""Biases of language models that come from how they are asked, as evaluation tasks.

The task `instruction_boundary` stands in `bias_tasks.tasks.instruction_boundary`: here the package
of its paper has the name.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for type checkers and editors; at run time each is loaded on first use
    from bias_tasks.reading.answer import read_answer as read_answer
    from bias_tasks.results.frames import outcome_columns as outcome_columns
    from bias_tasks.results.frames import outcomes_df as outcomes_df
    from bias_tasks.results.frames import results_df as results_df
    from bias_tasks.scorers.format_gated import format_gated as format_gated
    from bias_tasks.scorers.outcome import outcome as outcome
    from bias_tasks.solvers.ask import ask as ask
    from bias_tasks.solvers.compare_with_other import compare_with_other as compare_with_other
    from bias_tasks.solvers.formats import demonstrate as demonstrate
    from bias_tasks.solvers.formats import format_instruction as format_instruction
    from bias_tasks.solvers.replay import replay as replay
    from bias_tasks.solvers.settings import by_variant as by_variant
    from bias_tasks.solvers.settings import distract as distract
    from bias_tasks.solvers.settings import omit_option as omit_option
    from bias_tasks.solvers.settings import polish as polish
    from bias_tasks.solvers.settings import reflect as reflect
    from bias_tasks.solvers.settings import suggest as suggest
    from bias_tasks.solvers.settings import terse as terse
    from bias_tasks.tasks.binary_qa import binaryqa as binaryqa
    from bias_tasks.tasks.binary_qa import binaryqa_arc as binaryqa_arc
    from bias_tasks.tasks.binary_qa import binaryqa_nrc as binaryqa_nrc
    from bias_tasks.tasks.binary_qa import binaryqa_prc as binaryqa_prc
    from bias_tasks.tasks.binary_qa import binaryqa_qa as binaryqa_qa
    from bias_tasks.tasks.binary_qa import binaryqa_sc as binaryqa_sc
    from bias_tasks.tasks.complex_eval import (
        complexeval_attention_limit as complexeval_attention_limit,
    )
    from bias_tasks.tasks.complex_eval import complexeval_basic as complexeval_basic
    from bias_tasks.tasks.complex_eval import complexeval_math as complexeval_math
    from bias_tasks.tasks.complex_eval import complexeval_role_playing as complexeval_role_playing
    from bias_tasks.tasks.complex_eval import complexeval_writing as complexeval_writing
    from bias_tasks.tasks.instruction_boundary import conformity as conformity
    from bias_tasks.tasks.instruction_boundary import disturbing_miscellany as disturbing_miscellany
    from bias_tasks.tasks.instruction_boundary import few_shot as few_shot
    from bias_tasks.tasks.instruction_boundary import missing_choices as missing_choices
    from bias_tasks.tasks.instruction_boundary import multi_turn as multi_turn
    from bias_tasks.tasks.instruction_boundary import prompt_polishing as prompt_polishing
    from bias_tasks.tasks.instruction_boundary import self_reflection as self_reflection
    from bias_tasks.tasks.instruction_boundary import vagueness as vagueness
    from bias_tasks.tasks.instruction_boundary import vanilla as vanilla
    from bias_tasks.tasks.judging import judge_pairwise as judge_pairwise
    from bias_tasks.tasks.judging import judge_single as judge_single
    from bias_tasks.tasks.judging import self_preference as self_preference
    from bias_tasks.tasks.output_format import format_bias as format_bias
    from bias_tasks.tasks.output_format import format_list as format_list
    from bias_tasks.tasks.output_format import format_mapping as format_mapping
    from bias_tasks.tasks.output_format import format_mcq as format_mcq
    from bias_tasks.tasks.output_format import format_wrapping as format_wrapping
    from bias_tasks.tasks.probing import probe as probe

__version__: str

_HOMES = {
    "reading.answer": "read_answer",
    "results.frames": "outcome_columns outcomes_df results_df",
    "scorers.format_gated": "format_gated",
    "scorers.outcome": "outcome",
    "solvers.ask": "ask",
    "solvers.compare_with_other": "compare_with_other",
    "solvers.formats": "demonstrate format_instruction",
    "solvers.replay": "replay",
    "solvers.settings": "by_variant distract omit_option polish reflect suggest terse",
    "tasks.binary_qa": ("binaryqa binaryqa_arc binaryqa_nrc binaryqa_prc binaryqa_qa binaryqa_sc"),
    "tasks.complex_eval": (
        "complexeval_attention_limit complexeval_basic complexeval_math "
        "complexeval_role_playing complexeval_writing"
    ),
    "tasks.instruction_boundary": (
        "conformity disturbing_miscellany few_shot missing_choices multi_turn "
        "prompt_polishing self_reflection vagueness vanilla"
    ),
    "tasks.judging": "judge_pairwise judge_single self_preference",
    "tasks.output_format": "format_bias format_list format_mapping format_mcq format_wrapping",
    "tasks.probing": "probe",
}
"""By module what can be imported from the package itself."""
_MODULES = {name: module for module, names in _HOMES.items() for name in names.split()}
__all__ = sorted(_MODULES)


def _load(name: str) -> Any:
    """A task, a solver, a scorer or a data frame on its first use: the import loads no host."""
    if name == "__version__":
        return import_module("importlib.metadata").version("bias-tasks")
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


if not TYPE_CHECKING:  # to which every name would then be one of the package's
    __getattr__ = _load


def __dir__() -> list[str]:
    """The tasks, solvers and scorers, and what every module has."""
    return sorted({*globals(), *__all__, "__version__"})
