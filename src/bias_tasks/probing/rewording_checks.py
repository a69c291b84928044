"""Reasons not to ask a rewording or a translation, whoever made it.

Mechanical only: what a text holds is compared with what its original holds. Words are known in
English; of a translation that is checked which has to be the same in any language, and the rest of
its translation back. Time and memory are bounded: of an original or a text that is too long
nothing but its length is looked at.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from bias_tasks.binary_qa.reformulation.checks import negations
from bias_tasks.names import is_encodable
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.options import find_options
from bias_tasks.probing.rewording_parts import (
    bare,
    figures,
    literals,
    names,
    number_words,
    plain,
    quotations,
    unquoted,
    words,
)

PASSED = "passed"
LONGEST = 8_000
"""Characters of the longest text that is reworded."""
_MARKS = ("?", "？", "؟", "՞")
_ENDS = tuple(".?!:;…。？！؟՞\"'”’»)]`$")
"""What a text ends with that is whole; one that choices go on with does not."""
_ASSURES = re.compile(
    r"\W{0,5}(?:(?:sure|certainly|of course|absolutely|okay|ok|great|understood)\b ?[,.!:–—-]"
    r"|here(?:['’]s| is| are) (?:the|a|your|my|one|another)\b"
    r"|(?:i['’]m |i am )?sorry\b|i (?:can['’]?t|can ?not|won['’]t|will not) |as an ai\b"
    r"|(?:the )?(?:re-?worded|rephrased|paraphrased?|rewritten|rewording|translated|translation"
    r"|back-?translation|text|question|original)\b[\w ]{0,30}:)",
    re.IGNORECASE,
)
_REMARK = re.compile(r"\b(?:note|explanation|hinweis|remarque|nota)\s{0,3}:", re.IGNORECASE)
_ANSWERS = re.compile(r"\banswer\s{0,3}(?:is\b|:)", re.IGNORECASE)
_EXCEPTION = re.compile(r"\b(?:except|excluding|excluded|other than)\b")
_SHORTEST_CHOICE = 3
_SAME_WORDS = 0.5
"""From which share of its words on a translation that has them of the original is none."""
_Check = Callable[[ProbedItem, str], str | None]


def check_rewording(item: ProbedItem, text: str) -> dict[str, str]:
    """What the checks say of a rewording in the item's own language.

    Returns:
        By the name of each check `passed`, or why it refuses the text. Where the original,
        form or length do, no other check is made.
    """
    return _checked(_IN_ONE_LANGUAGE | {"different": _different}, item, text, shrinks=4)


def check_translation(item: ProbedItem, text: str) -> dict[str, str]:
    """What the checks say of a translation into another language; as `check_rewording`."""
    return _checked(_IN_ANY_LANGUAGE | {"translated": _translated}, item, text, shrinks=6)


def check_back_translation(item: ProbedItem, text: str) -> dict[str, str]:
    """What the checks say of a translation back; as `check_rewording`, but it may be the original.

    The names of the checks begin with `back `.
    """
    found = _checked(_IN_ONE_LANGUAGE, item, text, shrinks=4)
    return {f"back {name}": told for name, told in found.items()}


def first_refusal(checks: Mapping[str, str]) -> tuple[str, str] | None:
    """The first check that refuses, and why; None where all passed."""
    return next(((name, told) for name, told in checks.items() if told != PASSED), None)


def unfit(item: ProbedItem) -> str | None:
    """Why an item's text is not given to a model at all; None where it is."""
    if not item.text.strip():
        return "it has no text of its own"
    if len(item.text) > LONGEST:
        return f"its text has more than {LONGEST:,} characters"
    if not is_encodable(item.text):
        return "its text holds half of a surrogate pair"
    if item.right and not item.choices and not item.text.rstrip().endswith(_ENDS):
        return "its text goes on in its choices"
    return None


def _checked(
    checks: Mapping[str, _Check], item: ProbedItem, text: str, *, shrinks: int
) -> dict[str, str]:
    reason = unfit(item)
    if reason is not None:
        return {"text": reason}
    found = {"form": _form(item.text, text), "length": _length(item.text, text, shrinks)}
    if not any(found.values()):
        found |= {name: check(item, text) for name, check in checks.items()}
    return {name: reason or PASSED for name, reason in found.items()}


def _form(original: str, text: str) -> str | None:
    if not text.strip():
        return "it is empty"
    if not is_encodable(text):
        return "it holds half of a surrogate pair"
    if any(unicodedata.category(each) == "Cc" and each not in "\n\t" for each in text[:LONGEST]):
        return "it holds control characters"
    if "\n" in text.strip() and "\n" not in original.strip():
        return "it has several lines"
    return None


def _length(original: str, text: str, shrinks: int) -> str | None:
    size, longest = len(original.strip()), 2 * len(original) + 100
    if len(text) > longest:
        return f"it is longer than {longest:,} characters"
    if len(text.strip()) * shrinks < size - 20:
        return f"it is shorter than a {'quarter' if shrinks == 4 else 'sixth'} of the original"
    return None


def _preamble(item: ProbedItem, text: str) -> str | None:
    if _ASSURES.match(text) and not _ASSURES.match(item.text):
        return "it begins with words of the model's own"
    first, rest, _ = text.strip().partition("\n")
    if rest and first.endswith((":", "：")) and ":" not in item.text.strip().partition("\n")[0]:
        return "it begins with words of the model's own"
    if _REMARK.search(text) and not _REMARK.search(item.text):
        return "it holds a remark of the model's own"
    return None


def _question(item: ProbedItem, text: str) -> str | None:
    before, after = _marks(item.text), _marks(text)
    if before and not after:
        return "it is no longer a question"
    if _ends_asking(item.text) and not _ends_asking(text):
        return "it does not end with its question"
    return "it asks more than one question" if after > max(before, 1) else None


def _figures(item: ProbedItem, text: str) -> str | None:
    """Those of a translation, where a number in words may have become figures."""
    kept, said = bare(item.text), bare(text)
    want, have = figures(kept, any_language=True), figures(said, any_language=True)
    return _lost(want, have) or _added(have, want | number_words(kept))


def _numbers(item: ProbedItem, text: str) -> str | None:
    want, have = _every_number(item.text), _every_number(text)
    return _lost(want, have) or _added(have, want)


def _literals(item: ProbedItem, text: str) -> str | None:
    return _missing(literals(item.text), text) or _added(literals(text), literals(item.text))


def _quotations(item: ProbedItem, text: str) -> str | None:
    return _missing(quotations(item.text), text)


def _names(item: ProbedItem, text: str) -> str | None:
    have = words(text)
    parts = (part for word in have if "-" in word for part in word.split("-"))
    return _lost(Counter(set(names(item.text))), Counter((*have, *parts)))


def _negation(item: ProbedItem, text: str) -> str | None:
    before, after = _denials(item.text), _denials(text)
    if (before - after) % 2 == 0:
        return None
    return "it adds a negation" if after > before else "it drops a negation"


def _choices(item: ProbedItem, text: str) -> str | None:
    reason = _listed_choices(item, text)
    if reason is not None:
        return reason
    low, said = plain(item.text).casefold(), plain(text).casefold()
    for choice in map(_folded, item.choices):
        if len(choice) >= _SHORTEST_CHOICE and _holds(low, choice) != _holds(said, choice):
            return "it holds a choice" if _holds(said, choice) else "it lost a choice"
    return None


def _listed_choices(item: ProbedItem, text: str) -> str | None:
    """Those that are printed on lines of their own, in whatever language."""
    before, after = (
        0 if o is None else len(o.labels) for o in map(find_options, (item.text, text))
    )
    if before == after:
        return None
    return "it prints choices" if after > before else "it lost choices"


def _answer(item: ProbedItem, text: str) -> str | None:
    if _ANSWERS.search(text) and not _ANSWERS.search(item.text):
        return "it gives an answer"
    low, said = plain(item.text).casefold(), plain(text).casefold()
    right = [item.choices[place] for place in item.right if place < len(item.choices)]
    for each in map(_folded, right if item.choices else [item.target]):
        if len(each) > 1 and _holds(said, each) and not _holds(low, each):
            return "it gives the answer away"
    return None


def _different(item: ProbedItem, text: str) -> str | None:
    same = words(text) == words(item.text) if words(text) else plain(text) == plain(item.text)
    return "it is the original" if same else None


def _translated(item: ProbedItem, text: str) -> str | None:
    """Where most words, but for names, are the original's, nothing was translated."""
    kept = {*names(item.text), *words(" ".join(quotations(item.text)))}
    said = [word for word in words(unquoted(text)) if word not in kept and not word.isdigit()]
    if plain(text).casefold() == plain(item.text).casefold():
        return "it is the original"
    own = set(words(item.text))
    share = sum(word in own for word in said)
    return "it is not in another language" if said and share >= _SAME_WORDS * len(said) else None


_IN_ANY_LANGUAGE: dict[str, _Check] = {
    "preamble": _preamble,
    "numbers": _figures,
    "literals": _literals,
    "choices": _listed_choices,
    "answer": _answer,
}
_IN_ONE_LANGUAGE: dict[str, _Check] = {
    "preamble": _preamble,
    "question": _question,
    "numbers": _numbers,
    "literals": _literals,
    "quotations": _quotations,
    "names": _names,
    "negation": _negation,
    "choices": _choices,
    "answer": _answer,
}
CHECKS = (
    *("text", "form", "length", *_IN_ONE_LANGUAGE, "different", "translated"),
    *(f"back {name}" for name in ("text", "form", "length", *_IN_ONE_LANGUAGE)),
    "same",
)
"""Every name that a check has; `same` is a model's judgement that the two ask the same."""


def _marks(text: str) -> int:
    said = unquoted(text)
    return sum(said.count(mark) for mark in _MARKS)


def _ends_asking(text: str) -> bool:
    return text.rstrip(" \t\n\"“”'’»)*_").endswith(_MARKS)


def _every_number(text: str) -> Counter[str]:
    return figures(bare(text)) + number_words(bare(text))


def _denials(text: str) -> int:
    low = unquoted(text).casefold().replace("’", "'")
    return negations(low) + len(_EXCEPTION.findall(low))


def _folded(text: str) -> str:
    """A choice or an answer without case, and without marks around it."""
    return plain(text).strip(".,;:!?()[]\"'*_` ").casefold()


def _holds(text: str, part: str) -> bool:
    """Whether a text has a part as whole words."""
    at = text.find(part) if part else -1
    while at >= 0:
        end = at + len(part)
        if not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum()):
            return True
        at = text.find(part, end)
    return False


def _lost(want: Counter[str], have: Counter[str]) -> str | None:
    """Which of what is wanted is not there as often; None where all is."""
    return _first("it lost", want - have)


def _added(have: Iterable[str], known: Iterable[str]) -> str | None:
    """Which of what is there is not known; None where all is."""
    return _first("it adds", set(have) - set(known))


def _missing(want: Counter[str], text: str) -> str | None:
    """Which of some parts a text does not have word for word."""
    said = plain(text)
    return _first("it lost", {each for each, count in want.items() if said.count(each) < count})


def _first(what: str, found: Iterable[str]) -> str | None:
    first = min(found, default=None)
    return None if first is None else f"{what} {first[:60]!r}"
