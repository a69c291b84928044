"""Names, ids and values from outside: compared with known ones, shown, made storable, hashed."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from reprlib import Repr
from typing import Any, Literal

Names = str | Sequence[str] | None
"""Several names: a list, or one text that separates them by commas; None where none is given."""
_SIMILAR = 0.65
"""From which share of equal characters on two names count as near."""
_LONGEST = 200
"""Characters from which on a text is no mistyped name, and a value is shown in short."""


def names_in(given: Names) -> list[str]:
    """The names given, each once and without blanks around it; a text separates them by commas."""
    split = given.split(",") if isinstance(given, str) else given or ()
    stripped = (str(name).strip() for name in split)
    return list(dict.fromkeys(name for name in stripped if name))


def nearest(name: object, known: Iterable[str]) -> str | None:
    """The known name that is nearest to one that was given, upper or lower case; None if far.

    One that is far but a part of a single known one, as `gsm8k` of `format_gsm8k`, means that.
    """
    if len(text := str(name)) > _LONGEST:
        return None
    given, by_folded = text.casefold(), {each.casefold(): each for each in known}
    found = get_close_matches(given, by_folded, n=1, cutoff=_SIMILAR)
    if not found and len(given) > 2:
        holding = [each for each in by_folded if given in each]
        found = holding if len(holding) == 1 else []
    return by_folded[found[0]] if found else None


def did_you_mean(names: Iterable[object], known: Iterable[str]) -> str:
    """` (did you mean 'folio'?)` with the nearest of each of the names, or nothing."""
    known = list(known)
    near = dict.fromkeys(nearest(name, known) for name in names)
    told = " or ".join(repr(name) for name in near if name is not None)
    return f" (did you mean {told}?)" if told else ""


def unknown_name(name: str, known: Iterable[str], what: str) -> str:
    """What to say of a name that is none of the known ones: the nearest, and all there are."""
    known = list(known)
    near = nearest(name, known)
    hint = "." if near is None else f": did you mean {near!r}?"
    return f"unknown parameter {quoted(name)}{hint} The {what} are {', '.join(known)}"


_BRIEF = Repr()
_BRIEF.maxstring = _BRIEF.maxother = _LONGEST
_BRIEF.maxlist = _BRIEF.maxtuple = _BRIEF.maxdict = _BRIEF.maxset = 10
_BRIEF.maxlevel = 4


def quoted(value: Any, most: int = 2 * _LONGEST) -> str:
    """The value as `repr` has it, shortened to `most` characters and an ellipsis."""
    try:
        return cut(_BRIEF.repr(value), most)
    except ValueError:  # Python writes out no number of thousands of digits
        return "a number of thousands of digits"


def cut(text: str, most: int = 2 * _LONGEST) -> str:
    """The text, of a long one its beginning."""
    return text if len(text) <= most else f"{text[:most]}..."


def encodable(text: str) -> str:
    """The text, with halves of surrogate pairs joined, and a lone half as U+FFFD."""
    if is_encodable(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_encodable(text: str) -> bool:
    """Whether the text holds no half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def content_hash(*fields: object) -> str:
    """Ten hex digits over the fields' JSON: the stable part of an item's or cluster's id."""
    text = json.dumps(fields, ensure_ascii=False, sort_keys=True, default=list)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]


def digest(*parts: object) -> str:
    """Sixteen hex digits over the JSON of parts; a TypeError where one is no plain JSON values."""
    found = hashlib.sha256()
    for part in parts:
        text = json.dumps(part, ensure_ascii=False, sort_keys=True)
        found.update(text.encode("utf-8", "surrogatepass") + b"\n")
    return found.hexdigest()[:16]


PaperProtocol = Literal["corrected", "published"]
"""`corrected` measures what the paper says it measures; `published` repeats its instrument."""
PROTOCOLS: tuple[PaperProtocol, ...] = ("corrected", "published")
