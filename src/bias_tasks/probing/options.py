"""The options that a finished prompt prints, each behind its label: found and printed anew."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_NUMBERS = tuple(str(number) for number in range(1, 27))
_LINE = re.compile(
    r"(?P<mark>(?P<lead>[ \t]{0,20})(?P<open>[(\[]?)(?P<label>[A-Z]|\d{1,2})"
    r"(?P<close>[)\]][.:]?|[.:])(?P<blank>[ \t]{1,20}))(?P<text>\S.*)"
)
_MOST, _LINES = 200_000, 30
"""Characters of a prompt in which options are looked for, the last ones; lines of an option."""
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
AROUND = "()[]{}.:*\"' \t\n"
"""What may stand around a label in a target: `(B)`."""
_WORD = r"(?:[A-Z]?[a-z]+|[AI])"
_PLAIN_WORDS = re.compile(rf"{_WORD}(?:[ ,.;:'\"()?!-]+{_WORD})*[.,;:'\")?!]*")


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a prompt: characters `begin` to `end`, a text for each label."""

    begin: int
    end: int
    labels: tuple[str, ...]
    texts: tuple[str, ...]
    mark: str
    """What stands in front of a label, as blanks or a bracket."""
    close: str
    """What stands between a label and its text."""

    def printed(
        self, texts: Sequence[str], labels: Sequence[str] = (), mark: str = "", between: str = ""
    ) -> str:
        """The options with these texts, and what else is given in place of the prompt's own."""
        how = mark or f"{self.mark}{{label}}{self.close}"
        rows = zip(labels or self.labels, texts, strict=True)
        lines = (f"{how.replace('{label}', label)}{text}" for label, text in rows)
        return (between or "\n").join(lines)

    def reordered(self, prompt: str, order: Sequence[int]) -> str:
        """The prompt with its options in another order, each behind the label of its new place."""
        block = self.printed([self.texts[place] for place in order])
        return f"{prompt[: self.begin]}{block}{prompt[self.end :]}"


def find_options(prompt: str, count: int | None = None) -> Options | None:
    """The last options of a prompt, labelled A, B, ... or 1, 2, ..., each on a line of its own;
    `count` of them, or two and more. All but the last may have several lines; where such a line
    looks like an option itself, as a second `B) ` does, nothing is found."""
    start = max(len(prompt) - _MOST, 0)
    lines = prompt[start:].split("\n")
    marks = [_LINE.fullmatch(line) for line in lines]
    firsts = [row for row, mark in enumerate(marks) if mark and mark["label"] in ("A", "1")]
    lists = [_rows_of(marks, *ends) for ends in zip(firsts, [*firsts, len(lines)][1:], strict=True)]
    fitting = [each for each in lists if len(each[0]) > 1 and count in (None, len(each[0]))]
    rows, doubtful = fitting[-1] if fitting else ([], True)
    if doubtful:
        return None
    found: list[re.Match[str]] = [marks[row] for row in rows]  # type: ignore[misc]
    ends = zip(found, rows, [*rows[1:], rows[-1] + 1], strict=True)
    texts = ("\n".join([mark["text"], *lines[row + 1 : end]]) for mark, row, end in ends)
    places = list(accumulate((len(line) + 1 for line in lines), initial=start))
    return Options(
        begin=places[rows[0]],
        end=places[rows[-1] + 1] - 1,
        labels=tuple(mark["label"] for mark in found),
        texts=tuple(texts),
        mark=f"{found[0]['lead']}{found[0]['open']}",
        close=f"{found[0]['close']}{found[0]['blank']}",
    )


def _rows_of(
    marks: Sequence[re.Match[str] | None], first: int, behind: int
) -> tuple[list[int], bool]:
    """The lines on which the options of a list begin, and whether one inside of a text looks like
    one; the list begins on line `first` and ends before `behind`."""
    inside = {row: mark for row in range(first, behind) if (mark := marks[row])}
    looks = {row: mark.group("lead", "open", "close", "blank") for row, mark in inside.items()}
    labels = {row: mark["label"] for row, mark in inside.items() if looks[row] == looks[first]}
    known = LETTERS if labels[first] == "A" else _NUMBERS
    rows: list[int] = []
    doubtful, alike_since = False, False
    for row, label in labels.items():
        if len(rows) == len(known) or (rows and row - rows[-1] - 1 > _LINES):
            break
        if label == known[len(rows)]:
            rows.append(row)
            doubtful, alike_since = doubtful or alike_since, False
        else:
            alike_since = True
    return rows, doubtful


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
        """The prompt with its options in this style, and where its instruction lists the labels
        ("one of A,B,C,D"), with the new ones; a ValueError where it prints no options that can be
        found, or too many."""
        found = find_options(prompt, count)
        if found is None or (self.labels and len(found.labels) > len(self.labels)):
            raise ValueError("the prompt prints no options that can be found")
        texts = found.texts
        if self.capitals:
            texts = tuple(getattr(text, self.capitals)() for text in texts)
        labels = self.labels[: len(found.labels)] or found.labels
        block = found.printed(texts, labels, self.mark, self.between)
        before, behind = prompt[: found.begin], prompt[found.end :]
        if self.labels:
            before, behind = (_renamed(part, found.labels, labels) for part in (before, behind))
        return f"{before}{block}{behind}"


def places_named(
    targets: Sequence[str], choices: Sequence[str], labels: Sequence[str]
) -> tuple[int, ...] | None:
    """The places of the choices that targets name; None where one of them names none."""
    found = [_named(target, choices, labels) for target in targets] if choices else []
    if not found or not all(found):
        return None
    return tuple(dict.fromkeys(place for places in found for place in places))


def _named(target: str, choices: Sequence[str], labels: Sequence[str]) -> tuple[int, ...]:
    """The places that a target names by its label, the choice's text, or several letters: `AC`,
    `A,C` and `A C` are taken apart as Inspect's own scorer of choices does."""
    own, texts = labels[: len(choices)], [*map(folded, choices)]
    if (label := target.strip(AROUND)) in own:
        return (own.index(label),)
    if texts.count(folded(target)) == 1:
        return (texts.index(folded(target)),)
    signs = "".join(target.replace(",", " ").split())
    return tuple(map(own.index, signs)) if set(signs) <= {*own} & {*LETTERS} else ()


def moved_target(
    target: str, order: Sequence[int], choices: Sequence[str], labels: Sequence[str]
) -> str:
    """A target with the labels that its choices have in another order; a text stays."""
    new = {labels[place]: labels[shown] for shown, place in enumerate(order)}
    if (label := target.strip(AROUND)) in new:
        return target.replace(label, new[label])
    by_text = [folded(each) for each in choices].count(folded(target)) == 1
    return target if by_text else "".join(new.get(each, each) for each in target)


def folded(text: str) -> str:
    """The text without case, and with single blanks."""
    return " ".join(text.split()).casefold()


def bare(text: str) -> str:
    """The text folded, without punctuation around it."""
    return folded(text).strip(".,;:!?()[]{}\"'*_`$ ")


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
