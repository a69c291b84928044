"""How the options of a finished prompt look, and which choices may be set in another style."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bias_tasks.probing.label_extraction import named_labels
from bias_tasks.probing.options import find_options

_OTHERS = re.compile(
    r"\b(?:all|none|both|neither|any|either|some|two|one)"
    r" of (?:the |these|them|those|above|other|previous|following|preceding)"
    r"|\bnone (?:is|are) (?:right|correct)\b|\b(?:above|preceding|previous)\b"
    r"|^\s*(?:all|none|both|neither|any)\W*$",
    re.IGNORECASE,
)
_LABELS = re.compile(
    r"\b(?:[Oo]ptions?|[Cc]hoices?|[Aa]nswers?|[Bb]oth|[Nn]either|[Ee]ither|[Oo]nly)\s+\(?[A-J]\b"
    r"|^\s*\(?[A-J]\)?(?:\s*(?:,|and|or|&|nor)\s*\(?[A-J]\)?)+\W*$"
)
_WORD = r"(?:[A-Z]?[a-z]+|[AI])"
_PLAIN_WORDS = re.compile(rf"{_WORD}(?:[ ,.;:'\"()?!-]+{_WORD})*[.,;:'\")?!]*")


@dataclass(frozen=True, slots=True)
class OptionStyle:
    """Other labels, marks and separators for the same options; what is empty stays as it is."""

    labels: tuple[str, ...] = ()
    mark: str = ""
    """How a label is set, such as `({label}) `."""
    between: str = ""
    """What stands between two options."""
    capitals: str = ""
    """`upper` or `lower`, for the words of the options."""

    def prompt(self, prompt: str, count: int | None = None) -> str:
        """The prompt with its options in this style.

        Where the instruction lists the labels ("one of A,B,C,D"), it lists the new ones.

        Raises:
            ValueError: the prompt prints no options that can be found, or too many.
        """
        found = find_options(prompt, count)
        if found is None or (self.labels and len(found.labels) > len(self.labels)):
            raise ValueError("the prompt prints no options that can be found")
        texts = found.texts
        if self.capitals:
            texts = tuple(getattr(text, self.capitals)() for text in texts)
        labels = self.labels[: len(found.labels)] or found.labels
        block = found.printed(labels, texts, self.mark, self.between)
        before, behind = prompt[: found.begin], prompt[found.end :]
        if self.labels:
            before, behind = (_renamed(part, found.labels, labels) for part in (before, behind))
        return f"{before}{block}{behind}"

    def answer(self, text: str, own: tuple[str, ...], choices: tuple[str, ...] = ()) -> str:
        """An answer with the task's own labels in place of the new ones that it names.

        All that it names are put back, not the last alone: which of them counts is decided by the
        task's own reader.

        Args:
            text: what the model said.
            own: the task's own labels, as many as there are options.
            choices: their words, in the order shown.
        """
        if not self.labels:
            return text
        for each in reversed(named_labels(text, self.labels[: len(own)], choices)):
            text = f"{text[: each.begin]}{own[each.place]}{text[each.end :]}"
        return text


def refer_to_others(choices: Sequence[str]) -> bool:
    """Whether a choice names others by their place or label: `none of the above`, `A and C`."""
    return any(_OTHERS.search(each) or _LABELS.search(each) for each in choices)


def words_alone(choices: Sequence[str]) -> bool:
    """Whether the choices are plain words, which mean the same in capitals: no formula, no code."""
    return len({each.casefold() for each in choices}) == len(choices) and all(
        _PLAIN_WORDS.fullmatch(each.strip()) for each in choices
    )


def holds_any(choices: Sequence[str], labels: Sequence[str]) -> bool:
    """Whether one of the labels is a word of a choice, so that an answer could mean either."""
    words = {word.casefold() for each in choices for word in re.findall(r"\w+", each)}
    return not words.isdisjoint(label.casefold() for label in labels)


def _renamed(text: str, own: tuple[str, ...], new: tuple[str, ...]) -> str:
    """A text with a list of all labels renamed: `A,B,C,D`, `A, B, C, or D`, `A/B/C/D`, `A-D`."""
    apart = r"(?:, ?(?:or |and )?| ?/ ?| or | and )"
    listed = re.compile(rf"\b{apart.join(own)}\b")
    whole = re.compile(rf"\b{own[0]}(?P<to> ?[-\u2013] ?| to | through ){own[-1]}\b")
    text = listed.sub(lambda _: ", ".join(new), text)
    return whole.sub(lambda match: f"{new[0]}{match['to']}{new[-1]}", text)
