"""Why a rewording can't be used, as far as can be seen without reading it.

Whether it means what it should is for a person, or for the model in the role `checker`.
"""

import re
from collections import Counter

from bias_tasks.binary_qa.items import PendingNumberQuestion, Reformulation

_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"(?<![\w.,])\d{1,15}(?:,\d{3}){0,4}(?:\.\d{1,9})?(?![\w]|[.,]\d)")
_QUOTES = "\"'”’»)"


def unusable_rewording(question: str, kind: Reformulation, text: str) -> str | None:
    """Why `text` can't be a question's rewording of that kind; None where it may be one."""
    if kind == "false" and "is it false that" not in text.lower():
        return 'it does not ask "Is it false that"'
    return _unusable(question, text)


def unusable_number_question(item: PendingNumberQuestion, text: str) -> str | None:
    """Why `text` can't be the yes/no form of a question for a number, to which its answer is right.

    It asks about exactly one new number: the value itself for an exact Yes, another for an exact
    No, and any other for a threshold.
    """
    before, after = _numbers(item.question), _numbers(text)
    if before - after:
        return f"it lost {next(iter(before - after)):g}"
    new = list((after - before).elements())
    if len(new) != 1:
        return f"it asks about {len(new)} new numbers, not one (in digits)"
    if (new[0] == item.value) != (item.style == "exact" and item.answer == "Yes"):
        return f"its number doesn't make {item.answer} the right answer"
    return _unusable(item.question, text)


def _unusable(question: str, text: str) -> str | None:
    if not text.rstrip(_QUOTES).endswith("?"):
        return "it does not end with a question mark"
    if len(text) > 2 * len(question) + 100 or 4 * len(text) < len(question):
        return "it is much longer or shorter than the original"
    if _WORD.findall(question.lower()) == _WORD.findall(text.lower()):
        return "it is the original"
    return None


def _numbers(text: str) -> Counter[float]:
    return Counter(float(found.replace(",", "")) for found in _NUMBER.findall(text))
