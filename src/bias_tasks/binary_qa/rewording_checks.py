"""Surface checks of rewordings. They do not check the meaning: a person or a checker model does."""

import re
from collections import Counter

from bias_tasks.binary_qa.items import PendingNumberQuestion, Reformulation

_WORD = re.compile(r"[^\W_]+")
_STATED_NUMBER = re.compile(r"(?<![\w.,])\d{1,15}(?:,\d{3}){0,4}(?:\.\d{1,9})?(?![\w]|[.,]\d)")
_CLOSING_QUOTES = "\"'”’»)"


def find_rewording_problem(question: str, kind: Reformulation, text: str) -> str | None:
    """Return why `text` cannot be a rewording of the question; None if no problem is visible."""
    if kind == "false" and "is it false that" not in text.lower():
        return 'it does not ask "Is it false that"'
    return _find_text_problem(question, text)


def find_number_question_problem(item: PendingNumberQuestion, text: str) -> str | None:
    """Return why `text` cannot be the yes/no form of a question for a number.

    The text must ask about exactly one new number: the correct value for an exact question with the
    answer Yes, and any other number for every other question.

    Returns:
        A clause that completes "the text is unusable: ..."; None if no problem is visible.
    """
    before, after = _find_numbers(item.question), _find_numbers(text)
    if before - after:
        return f"it lost {next(iter(before - after)):g}"
    new = list((after - before).elements())
    if len(new) != 1:
        return f"it asks about {len(new)} new numbers, not one (in digits)"
    needs_value = item.style == "exact" and item.answer == "Yes"
    if (new[0] == item.value) != needs_value:
        return f"its number doesn't make {item.answer} the right answer"
    return _find_text_problem(item.question, text)


def _find_text_problem(question: str, text: str) -> str | None:
    if not text.rstrip(_CLOSING_QUOTES).endswith("?"):
        return "it does not end with a question mark"
    if len(text) > 2 * len(question) + 100 or 4 * len(text) < len(question):
        return "it is much longer or shorter than the original"
    if _WORD.findall(question.lower()) == _WORD.findall(text.lower()):
        return "it is the original"
    return None


def _find_numbers(text: str) -> Counter[float]:
    return Counter(float(number.replace(",", "")) for number in _STATED_NUMBER.findall(text))
