"""Which template a prompt is made from: an appendix's or, published, the public code's."""

from __future__ import annotations

from bias_tasks.instruction_boundary.items import VANILLA, ChoiceItem, Form
from bias_tasks.names import PaperProtocol
from bias_tasks.prompts.templates import template

# In the choice form the public code is the instrument that was run. It has no judging form but
# vanilla and missing choices, which are appendix J's but for one word.
_PUBLIC_CODE = frozenset(
    {
        VANILLA,
        "missing_choices",
        "conformity",
        "consensus",
        "few_shot",
        "example",
        "vagueness",
        "multi_turn_next",
        "prompt_polishing",
        "disturbing_miscellany",
    }
)
_CORRECTED = {"multi_turn": "multi_turn_first", "disturbing_miscellany": VANILLA}
_PUBLISHED = {
    "choice": {"multi_turn": "vagueness"},
    "judging": {**_CORRECTED, "few_shot": "few_shot_as_printed"},
}


def setting_text(form: Form, variant: str, protocol: PaperProtocol) -> str:
    """The template of a setting's prompt, or of its first round."""
    names = _PUBLISHED[form] if protocol == "published" else _CORRECTED
    return text_of(form, names.get(variant, variant), protocol)


def text_of(form: Form, name: str, protocol: PaperProtocol) -> str:
    """A template by its name."""
    public = protocol == "published" and form == "choice" and name in _PUBLIC_CODE
    return template(f"instruction_boundary/{'published' if public else form}/{name}.txt")


def facts_line(item: ChoiceItem) -> str:
    """The facts with their heading, or nothing where the item has no passage."""
    return f"Facts: {item.context}\n" if item.context else ""
