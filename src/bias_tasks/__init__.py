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
    "vagueness",
    "vanilla",
]


def __getattr__(name: str) -> object:
    """Load a task on first use, so that `import bias_tasks` doesn't import a host."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name.startswith("binaryqa"):
        family = "binary_qa"
    elif name.startswith("complexeval"):
        family = "complex_eval"
    elif name.startswith("format_"):
        family = "output_format"
    else:
        family = "instruction_boundary"
    return getattr(import_module(f"bias_tasks.tasks.{family}"), name)
