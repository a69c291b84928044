"""Read a value phrase: "(B)", "A and C", "7/10", "option 2 (Paris)".

One reader serves every form. Two different values side by side are a set where several options may
be right, and no value elsewhere.
"""

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from bias_tasks.parsing.answer import AnswerForm

UNCLEAR = object()
"""The value of a phrase that names two values, or one that was not offered."""
NONE: tuple[int, ...] = ()
"""The value that denies every option."""
OPEN, CLOSE = r"[(\[{\"'⟦<]{0,3}\s?", r"\s?[)\]}\"'⟧>]{0,3}"
"""Marks around a value."""
_VALUE_SEPARATOR = re.compile(
    r"(?i)\s*(?:,?\s*\b(?:or|vs\.?)\b|(?:-|–|to\b)\s*(?=\d)|\||<->|[,/&+]\s*(?:(?:and|but|or)\b)?"
    r"|;(?!.*\b(?:are|is|all|both)\b)|\b(?:and|und|et|y|but|plus)\b|[和と과및]"
    r"|(?<=[)\]⟧])(?=[(\[⟦]))\s*(?:also\s)?(?:the\s(?!\w+(?:st|nd|rd|th)\b))?"
)
_ALTERNATIVE = re.compile(r"\b(?:or|vs|to)\b|[–|-]", re.I)
_BLANK = re.compile(" ?")
_ADJACENT_LABELS = re.compile(r"[\W\d]*$|\W*(?:[A-Z]\W*)+$", re.M)
"""Labels without a separator that are a set up to the end of their line: `ABD`, `(A)(C)`."""
_FLUFF = re.compile(
    r"(?i)\s*(?:(?P<either>either|between)\s|(?:both|only|just|simply|likely|probably|clearly"
    r"|definitely|most likely|indeed|the)\s|[:=\"]\s*)*"
)
_UNSAID = re.compile(
    r"\s*(?:\?|,?\s*(?:if|unless)\b|(?:is|are|was|were)\s*(?:not\b|n't|in?correct\b|wrong|false\b"
    r"|ruled|eliminated|impossible)|isn't|aren't|(?:can(?:not|'t)|could) be)"
)
_REMARK = re.compile(r"\s*\((?P<inner>[^()\n]{1,60})\)")
_GAP = re.compile(r"[\s.):\]}\"⟧,(|–—-]{0,6}")
_UNKNOWN_TEXT = re.compile(r"\s(?!(?:or|and)\s)[^().;:\n]{1,60}?(?=,?\s(?:and\s|or\s)?\([A-Z]\))")
_MAX_VALUES = 40


class Form:
    """How the values of a form are written."""

    item: re.Pattern[str]
    """One value; a group `label` if it is a label, and not a text."""
    noun: ClassVar[str]
    """Nouns that announce a value: "the answer is", "Verdict:"."""
    praise: ClassVar[str] = r"(?!)"
    """Predicates that say of a value that it is the right one."""
    texts: tuple[str, ...] = ()
    """Choice: the texts of the options."""
    keys: tuple[str, ...] = ()
    """Choice: what identifies each text (`text_key`)."""
    count: int = 0
    """Choice: the number of options."""
    several: bool = False
    """Whether a value may have several parts."""

    def __init__(self, declared: AnswerForm) -> None:
        """Build the form that a prompt asks for."""

    def value(self, match: re.Match[str]) -> Any:
        """Return the value of an item; `UNCLEAR` if it was not offered, None if it is none.

        Args:
            match: A match of `item`.
        """
        raise NotImplementedError


def text_key(text: str) -> str:
    """Return what identifies an option's text: letters, digits and signs, a number without unit.

    Args:
        text: The text of an option, or what an answer says, without markup.
    """
    key = re.sub(
        r"\\(?:left|right|circ|degree)\b|[\s{}$\\.,;!\"']|(?<=[A-Za-z])\^|\^(?=\\)", "", text
    )
    return re.sub(r"(?<=\d)(?:\^?°|\^|%|cm|mm|km|kg|m|g|s)+[23]?$", "", key.casefold())


def read(form: Form, text: str, at: int = 0) -> tuple[Any, int]:
    """Read the value phrase at a place.

    Args:
        form: The form of the value.
        text: Any text without markup.
        at: Index of the first character.

    Returns:
        The value, `UNCLEAR`, or None if there is none, and the index behind it.
    """
    fluff = None if form.item.match(text, at) else _FLUFF.match(text, at)
    began = at = fluff.end() if fluff else at
    is_unclear, values = bool(fluff and fluff["either"]), list[Any]()
    while len(values) < _MAX_VALUES and (match := form.item.match(text, at)):
        value, at = form.value(match), match.end()
        if value is None:
            break
        if form.several and match["label"]:
            value, at = _skip_text(form, text, at, value)
        elif form.several and match["except"]:
            value, at = _all_except(form, text, at)
        is_closed = match[0].rstrip()[-1:] in (")", "]", "⟧")
        remark = None if is_closed else _REMARK.match(text, at)
        values = _with_remark(form, [*values, value], match, remark["inner"] if remark else "")
        between = _VALUE_SEPARATOR.match(text, remark.end() if remark else at)
        between = between or (None if is_closed else _BLANK.match(text, at))
        if between is None or not form.item.match(text, between.end()):
            break
        if not between[0].strip() and not _ADJACENT_LABELS.match(text, at):
            if between[0] or is_closed:
                break
            return None, at  # the first letter of a name, such as `ABD` of a triangle
        is_unclear |= _ALTERNATIVE.search(between[0]) is not None
        at = between.end()
    if not values or _UNSAID.match(text, at):
        return None, at
    return _combine(form, values, is_unclear, "/" in text[began:at]), at


def _combine(form: Form, values: Sequence[Any], is_unclear: bool, is_template: bool) -> Any:
    """Return the value of the parts of a phrase."""
    if is_unclear or UNCLEAR in values or (NONE in values and len(values) > 1):
        return UNCLEAR
    distinct = list(dict.fromkeys(values))
    if not form.several:
        return distinct[0] if len(distinct) == 1 else UNCLEAR
    positions = {n for value in distinct for n in value}
    return UNCLEAR if is_template and 2 < form.count == len(distinct) else tuple(sorted(positions))


def _skip_text(form: Form, text: str, at: int, said: Any) -> tuple[Any, int]:
    """Skip the option's text behind its label; another option's text makes the value unclear."""
    gap = _GAP.match(text, at)
    start = gap.end() if gap else at
    options = [option for option in form.texts if _stands_at(text, start, option)]
    if not options:
        other = None if form.texts else _UNKNOWN_TEXT.match(text, at)
        return said, other.end() if other else at
    longest = max(options, key=len)
    if said is UNCLEAR or form.texts[said[0]].casefold() != longest.casefold():
        item = form.item.match(text, start)
        return (said, at) if item and item["label"] else (UNCLEAR, start)
    end = start + len(longest)
    return said, end + (text[end : end + 1] == ")")


def _stands_at(text: str, at: int, option: str) -> bool:
    """Return whether an option's text is at a place, in any case."""
    end = at + len(option)
    is_there = option and text[at:end].casefold() == option.casefold()
    return bool(is_there) and not text[end : end + 1].isalnum()


def _all_except(form: Form, text: str, at: int) -> tuple[Any, int]:
    """Return all options except those that are named at a place."""
    excluded, end = read(form, text, at)
    if excluded is None or excluded is UNCLEAR:
        return UNCLEAR, at
    return tuple(n for n in range(form.count) if n not in excluded), end


def _with_remark(form: Form, values: list[Any], match: re.Match[str], remark: str) -> list[Any]:
    """Return the values before a remark in brackets, which may name the last or all of them."""
    other = whole(form, remark) if form.several and remark else None
    if other is None or other in (values[-1], _combine(form, values, False, False)):
        return values
    is_text = form.texts and other is not UNCLEAR and len(other) == 1
    if is_text and form.keys[other[0]] == text_key(match[0]):
        return [*values[:-1], other]
    return [UNCLEAR]


def whole(form: Form, text: str) -> Any:
    """Return the value of a text that is nothing but a value phrase, perhaps with a text behind it.

    Args:
        form: The form of the value.
        text: Any text without markup.

    Returns:
        The value, `UNCLEAR`, or None.
    """
    text = text.lstrip(" \n,;:!\"'›→=>").rstrip(" \n.,;:!\"'")
    item = form.item.fullmatch(text)
    key = text_key(text) if form.keys and not (item and item["label"]) else None
    if form.keys.count(key) == 1:
        return (form.keys.index(key),)
    value, end = read(form, text)
    rest = text[end:].strip(" .)]}:\"'*")
    if not rest or value in (None, UNCLEAR) or not form.texts or len(value) != 1:
        return None if rest else value
    return value if text_key(rest) == form.keys[value[0]] else None
