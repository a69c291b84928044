"""Biases of language models that come from how they are asked, as evaluation tasks."""

from importlib import import_module

__all__ = [
    "conformity",
    "disturbing_miscellany",
    "few_shot",
    "instruction_boundary",
    "missing_choices",
    "multi_turn",
    "prompt_polishing",
    "vagueness",
    "vanilla",
]


def __getattr__(name: str) -> object:
    """Load a task on first use, so that `import bias_tasks` doesn't import a host."""
    if name in __all__:
        return getattr(import_module("bias_tasks.tasks.instruction_boundary"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
