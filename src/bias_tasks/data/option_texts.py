"""Texts of options that refer to other options of the same question, or repeat one."""

import re
from collections.abc import Sequence

_REFERS_BY_PLACE = re.compile(
    r"\b(?:all|none|both|neither|any|either|some|two|one)"
    r" of (?:the |these|them|those|above|other|previous|following|preceding)"
    r"|\bnone (?:is|are) (?:right|correct)\b|\b(?:above|preceding|previous)\b",
    re.IGNORECASE,
)
_REFERS_ALONE = re.compile(r"\s*(?:all|none|both|neither|any)\W*", re.IGNORECASE)
_ASKS_FOR_QUANTITY = re.compile(r"\bhow (?:many|much|often)\b", re.IGNORECASE)
_OF_THINGS = re.compile(
    r" of the (?!(?:above|others?|previous|following|preceding|options|choices|answers"
    r"|statements)\b)",
    re.IGNORECASE,
)
_BEFORE_LABEL = r"\b(?:[Oo]ptions?|[Cc]hoices?|[Aa]nswers?|[Bb]oth|[Nn]either|[Ee]ither|[Oo]nly)\s+"
_MORE_LABELS = r"(?:(?:[\s,&]|and|or|nor)+\(?[A-J]\b\)?)"
_LABELS = re.compile(
    rf"{_BEFORE_LABEL}\(?[A-J]\b\)?{_MORE_LABELS}*|^\s*\(?[A-J]\)?{_MORE_LABELS}+\W*$"
)


def refers_to_options(text: str, question: str = "") -> bool:
    """Return whether an option refers to others: `none of the above`, `A and C`, `neither`.

    Args:
        text: The text of the option.
        question: The question. If it asks for a quantity, the option `none` is zero.
    """
    by_place = _REFERS_BY_PLACE.search(_OF_THINGS.sub(" ", text))
    alone = _REFERS_ALONE.fullmatch(text) and not _ASKS_FOR_QUANTITY.search(question)
    return bool(by_place or _LABELS.search(text) or alone)


def number_references(text: str, n_options: int) -> str:
    """Return an option that refers to others by letters with numbers, from 1, in their place.

    An option that names a letter of no option, or `I`, which may be a Roman number, is unchanged.

    Args:
        text: The text of the option.
        n_options: The number of options.
    """
    letters = set("ABCDEFGHJ"[:n_options])

    def replace(labels: re.Match[str]) -> str:
        if not set(re.findall(r"\b[A-J]\b", labels[0])) <= letters:
            return labels[0]
        return re.sub(r"\b[A-J]\b", lambda letter: str(ord(letter[0]) - ord("@")), labels[0])

    return _LABELS.sub(replace, text)


def check_different(options: Sequence[str]) -> tuple[str, ...]:
    """Return the options.

    Raises:
        ValueError: Two have the same text, apart from blanks.
    """
    first: dict[str, int] = {}
    for number, text in enumerate(options, start=1):
        earlier = first.setdefault(" ".join(text.split()), number)
        if earlier != number:
            raise ValueError(
                f"options {earlier} and {number} have the same text, so that an answer could mean "
                "either: change or remove one"
            )
    return tuple(options)
