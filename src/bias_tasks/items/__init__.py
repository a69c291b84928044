"""What is asked: the items of each family, and what they share."""

from bias_tasks.items.common import PROTOCOLS, Protocol, content_hash
from bias_tasks.items.instruction_boundary import (
    CHOICE_LABELS,
    FORMS,
    JUDGING_LABELS,
    LABELS,
    SPARSE_LABELS,
    VANILLA,
    ChoiceItem,
    ChoiceLabel,
    Form,
    Item,
    JudgingItem,
    JudgingLabel,
    choice_label,
    item_from_dict,
    item_to_dict,
)

__all__ = [
    "CHOICE_LABELS",
    "FORMS",
    "JUDGING_LABELS",
    "LABELS",
    "PROTOCOLS",
    "SPARSE_LABELS",
    "VANILLA",
    "ChoiceItem",
    "ChoiceLabel",
    "Form",
    "Item",
    "JudgingItem",
    "JudgingLabel",
    "Protocol",
    "choice_label",
    "content_hash",
    "item_from_dict",
    "item_to_dict",
]
