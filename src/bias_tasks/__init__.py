"""Biases of language models that come from how they are asked, as evaluation tasks."""

from importlib import import_module

__all__ = [
    "binaryqa",
    "binaryqa_arc",
    "binaryqa_nrc",
    "binaryqa_prc",
    "binaryqa_qa",
    "binaryqa_sc",
    "complexeval_attention_limit",
    "complexeval_basic",
    "complexeval_math",
    "complexeval_role_playing",
    "complexeval_writing",
    "conformity",
    "disturbing_miscellany",
    "few_shot",
    "format_bias",
    "format_list",
    "format_mapping",
    "format_mcq",
    "format_wrapping",
    "instruction_boundary",
    "missing_choices",
    "multi_turn",
    "prompt_polishing",
    "self_reflection",
    "vagueness",
    "vanilla",
]


def __getattr__(name: str) -> object:
    """Load a task on first use, so that `import bias_tasks` doesn't import a host."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    family = import_module("bias_tasks.families").family_of_task(name)
    return getattr(import_module(f"bias_tasks.tasks.{family.name}"), name)


def __dir__() -> list[str]:
    """The tasks, and what every module has."""
    return sorted({*globals(), *__all__})
