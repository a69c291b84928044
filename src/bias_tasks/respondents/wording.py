"""How a simulated respondent puts its answer: style, verbosity, refusals, and reading it back."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Literal

from bias_tasks.respondents.seen import Shown
from bias_tasks.respondents.sentences import sentences

Style = Literal["asked", "number", "final_answer", "heading", "json", "words", "oblique"]
Verbosity = Literal["terse", "sentence", "reasoned", "rambling"]

NO_CORRECT_ANSWER = "No correct answer"

JUDGING_WORDS = sentences("judging_words")
JUDGING_OBLIQUE = sentences("judging_oblique")
"""Answers that no keyword reads: they are left to a judge model."""
YES_NO_WORDS = sentences("yes_no_words")
YES_NO_OBLIQUE = sentences("yes_no_oblique")

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_OBLIQUE_NONE = "Nothing on that list fits."
_SYMBOL = re.compile(r"\b(?:\d{1,3}|[A-HJ-Z])\b")  # "I" is a word, not an option
_REFUSALS = sentences("refusals")
_LEADS = sentences("leads")


def refuse(chance: float) -> str:
    """A text that holds no answer: a refusal, an evasion or nothing, by `chance` in [0, 1)."""
    refusals = list(_REFUSALS.values())
    return refusals[int(chance * len(refusals))]


def lead(verbosity: Verbosity) -> str:
    """What stands before an answer; nothing before a terse one."""
    return _LEADS[verbosity]


def choice_text(symbols: tuple[str, ...]) -> str:
    """Options as the prompts ask for them: "2", "1, 3" or "No correct answer"."""
    return ", ".join(symbols) if symbols else NO_CORRECT_ANSWER


def choice_words(symbols: tuple[str, ...]) -> str:
    """The chosen options as a sentence."""
    if not symbols:
        return f"{NO_CORRECT_ANSWER}."
    if len(symbols) == 1:
        return f"The answer is option {symbols[0]}."
    return f"The answer is options {_and(list(symbols))}."


def choice_oblique(symbols: tuple[str, ...], shown: list[Shown]) -> str:
    """The chosen options as a sentence that only a judge reads: by their place in the list."""
    places = [place for place, option in enumerate(shown) if option.symbol in symbols]
    if not places:
        return _OBLIQUE_NONE
    return f"Counted from the top, what I mean comes {_and([_ordinal(place) for place in places])}."


def oblique_places(text: str) -> list[int] | None:
    """The 0-based places in the list that `choice_oblique` put into words; None for other texts."""
    if _OBLIQUE_NONE in text:
        return []
    match = re.search(r"what I mean comes ([a-z0-9, ]{1,200})\.", text)
    if match is None:
        return None
    words = match[1].replace(" and ", ", ").split(", ")
    places = {_ordinal(place): place for place in range(100)}
    return [places[word] for word in words if word in places]


def put(
    answer: str,
    words: str,
    oblique: str,
    *,
    style: Style,
    verbosity: Verbosity,
    headings: tuple[str, str] | None,
) -> str:
    """The whole answer text; its last line holds the answer.

    Args:
        answer: the bare answer, such as "2" or "No correct answer".
        words: the answer as a sentence.
        oblique: the answer as a sentence that only a judge reads.
        style: how the answer is put; "asked" follows the prompt's headings, else a bare number.
        verbosity: how much stands before it.
        headings: what the prompt asks for, used by the styles "asked" and "heading".
    """
    before = lead(verbosity)
    if headings is not None and style in ("asked", "heading"):
        process, final = headings
        return f"{process}\n{before or lead('sentence')}\n{final}\n{answer}"
    if style in ("asked", "number"):
        # A bare number below a text could be any number, so it gets a word of introduction.
        closing = answer if verbosity == "terse" else f"Final Answer: {answer}"
    elif style == "final_answer":
        closing = f"Final Answer: {answer}"
    elif style == "heading":
        closing = f"## Final Answer\n{answer}"
    elif style == "json":
        closing = json.dumps({"answer": answer})
    else:
        closing = words if style == "words" else oblique
    return f"{before}\n{closing}" if before else closing


def read_back_judging(text: str, symbols: Mapping[str, str]) -> str | None:
    """The label that an own earlier answer gave; None when it gave none."""
    last = _last_line(text)
    for phrases in (JUDGING_WORDS, JUDGING_OBLIQUE):
        for label, phrase in phrases.items():
            if phrase in last:
                return label
    named = _SYMBOL.findall(last)
    return next((label for label, symbol in symbols.items() if named == [symbol]), None)


def read_back_choice(text: str, shown: list[Shown]) -> tuple[str, ...] | None:
    """The options that an own earlier answer gave; None when it gave none."""
    last = _last_line(text)
    if NO_CORRECT_ANSWER in last:
        return ()
    places = oblique_places(last)
    if places is not None:
        return tuple(shown[place].symbol for place in places if place < len(shown))
    return tuple(_SYMBOL.findall(last)) or None


def _last_line(text: str) -> str:
    return text.rstrip().rpartition("\n")[2]


def _ordinal(place: int) -> str:
    return _ORDINALS[place] if place < len(_ORDINALS) else f"{place + 1}th"


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
