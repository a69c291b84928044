"""The worked examples that few_shot shows (paper, sections 2.1 and 3.3, appendix F)."""

from __future__ import annotations

from collections.abc import Mapping

from bias_tasks.items import Form, Item
from bias_tasks.prompts import paper_examples

_LABELS: Mapping[str, Mapping[Form, tuple[str, ...]]] = {
    "sparse": {"judging": ("Unknown",), "choice": ("multiple", "none")},
    "tense": {"judging": ("True", "False"), "choice": ("single",)},
    "balanced": {"judging": ("True", "False", "Unknown"), "choice": ("single", "multiple", "none")},
}


def few_shot_examples(form: Form, examples: str, shots: int, seed: int) -> tuple[Item, ...]:
    """`shots` worked examples of each label that `examples` stands for, label after label.

    The choice form starts with the paper's own examples (appendix I); all others come from the
    synthetic generator, from seeds that no test item uses.
    """
    from bias_tasks.data.examples import choice_examples, judging_examples

    labels = _LABELS[examples][form]
    if form == "judging":
        return tuple(judging_examples(labels * shots, len(labels) * shots, seed))
    own = [item for item in paper_examples() if item.label in labels]
    more = labels * (shots - 1)
    return (*own, *(choice_examples(more, len(more), seed) if more else ()))
