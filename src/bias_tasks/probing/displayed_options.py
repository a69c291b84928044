"""The options that a finished prompt displays after labels: found, restyled and reordered."""

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
_MAX_SEARCHED = 200_000
"""Last characters of a prompt that are searched for options."""
_MAX_LINES = 30
"""Lines of an option after its first."""
LABEL_MARKS = "()[]{}.:*\"' \t\n"
"""Characters that may surround a label in a target: `(B)`."""
_WORD = r"(?:[A-Z]?[a-z]+|[AI])"
_PLAIN_WORDS = re.compile(rf"{_WORD}(?:[ ,.;:'\"()?!-]+{_WORD})*[.,;:'\")?!]*")


_MarkedLine = tuple[int, re.Match[str]]
"""The number of a line that looks like an option, and its parts."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a prompt: characters `start` to `end`, a text for each label."""

    start: int
    end: int
    labels: tuple[str, ...]
    texts: tuple[str, ...]
    before_label: str
    """Blanks or a bracket before each label."""
    after_label: str
    """Marks and blanks between a label and its text."""

    def format(
        self, texts: Sequence[str], labels: Sequence[str] = (), mark: str = "", separator: str = ""
    ) -> str:
        """Return the options with these texts.

        Args:
            texts: One text per option.
            labels: Other labels than the prompt's.
            mark: Another mark than the prompt's, such as `({label}) `.
            separator: Another separator than a line break.
        """
        pattern = mark or f"{self.before_label}{{label}}{self.after_label}"
        rows = zip(labels or self.labels, texts, strict=True)
        return (separator or "\n").join(
            f"{pattern.replace('{label}', label)}{text}" for label, text in rows
        )

    def reorder(self, prompt: str, order: Sequence[int]) -> str:
        """Return the prompt with its option texts in another order; the labels stay in theirs."""
        block = self.format([self.texts[index] for index in order])
        return f"{prompt[: self.start]}{block}{prompt[self.end :]}"


def find_options(prompt: str, count: int | None = None) -> Options | None:
    """Return the last options of a prompt, labelled A, B, ... or 1, 2, ..., each on its own line.

    All but the last may have several lines.

    Args:
        prompt: The text to search.
        count: The number of options; None for two or more.

    Returns:
        The options. None if there are none, or if a further line of an option looks like an option
        itself, as a second `B) ` does.
    """
    start = max(len(prompt) - _MAX_SEARCHED, 0)
    lines = prompt[start:].split("\n")
    lists: list[list[_MarkedLine]] = []
    for row, line in enumerate(lines):
        if (match := _LINE.fullmatch(line)) is not None:
            if match["label"] in ("A", "1"):
                lists.append([])
            if lists:
                lists[-1].append((row, match))
    fitting = [
        (options, ambiguous)
        for options, ambiguous in map(_select_options, lists)
        if len(options) > 1 and count in (None, len(options))
    ]
    if not fitting:
        return None
    options, ambiguous = fitting[-1]
    if ambiguous:
        return None
    rows, first = [row for row, _ in options], options[0][1]
    ends = [*rows[1:], rows[-1] + 1]
    line_starts = list(accumulate((len(line) + 1 for line in lines), initial=start))
    return Options(
        start=line_starts[rows[0]],
        end=line_starts[ends[-1]] - 1,
        labels=tuple(match["label"] for _, match in options),
        texts=tuple(
            "\n".join([match["text"], *lines[row + 1 : end]])
            for (row, match), end in zip(options, ends, strict=True)
        ),
        before_label=f"{first['lead']}{first['open']}",
        after_label=f"{first['close']}{first['blank']}",
    )


def _select_options(marked: Sequence[_MarkedLine]) -> tuple[list[_MarkedLine], bool]:
    """Return the lines on which a list's options begin, and whether the list is ambiguous.

    It is ambiguous if a line within an option looks like an option.

    Args:
        marked: The first option, and all later lines that look like options of any list.
    """
    _, first = marked[0]
    mark = first.group("lead", "open", "close", "blank")
    expected = LETTERS if first["label"] == "A" else _NUMBERS
    options: list[_MarkedLine] = []
    ambiguous, similar_line = False, False
    for row, match in marked:
        if match.group("lead", "open", "close", "blank") != mark:
            continue
        if len(options) == len(expected) or (options and row - options[-1][0] - 1 > _MAX_LINES):
            break
        if match["label"] == expected[len(options)]:
            options.append((row, match))
            ambiguous, similar_line = ambiguous or similar_line, False
        else:
            similar_line = True
    return options, ambiguous


@dataclass(frozen=True, slots=True)
class OptionStyle:
    """Other labels, marks and separators for the same options. Whatever is None stays as it is."""

    labels: tuple[str, ...] | None = None
    mark: str | None = None
    """Pattern of a label with its marks, such as `({label}) `."""
    separator: str | None = None
    """Text between two options."""
    casing: str | None = None
    """Case of the options' words: `upper` or `lower`."""

    def apply(self, prompt: str, count: int | None = None) -> str:
        """Return the prompt with its options in this style.

        A list of the labels in its instruction ("one of A,B,C,D") gets the new labels, too.

        Args:
            prompt: A finished prompt.
            count: The number of its options; None for two or more.

        Raises:
            ValueError: The prompt displays no options that can be found, or too many.
        """
        options = find_options(prompt, count)
        if options is None or (self.labels and len(options.labels) > len(self.labels)):
            raise ValueError("the prompt displays no options that can be found")
        texts = options.texts
        if self.casing == "upper":
            texts = tuple(text.upper() for text in texts)
        elif self.casing == "lower":
            texts = tuple(text.lower() for text in texts)
        before, after = prompt[: options.start], prompt[options.end :]
        labels = options.labels
        if self.labels:
            labels = self.labels[: len(options.labels)]
            before = _rename_labels(before, options.labels, labels)
            after = _rename_labels(after, options.labels, labels)
        block = options.format(texts, labels, self.mark or "", self.separator or "")
        return f"{before}{block}{after}"


def find_target_indices(
    targets: Sequence[str], choices: Sequence[str], labels: Sequence[str]
) -> tuple[int, ...] | None:
    """Return the indices of the choices that targets name; None if a target names none."""
    indices = [_find_target(target, choices, labels) for target in targets] if choices else []
    if not indices or not all(indices):
        return None
    return tuple(dict.fromkeys(index for target in indices for index in target))


def _find_target(target: str, choices: Sequence[str], labels: Sequence[str]) -> tuple[int, ...]:
    """Return the indices of the choices that a target names by label, by text or by letters.

    Several letters (`AC`, `A,C`, `A C`) are separated as Inspect's own scorer of choices does.
    """
    known_labels, texts = labels[: len(choices)], [*map(fold, choices)]
    if (label := target.strip(LABEL_MARKS)) in known_labels:
        return (known_labels.index(label),)
    if texts.count(fold(target)) == 1:
        return (texts.index(fold(target)),)
    letters = "".join(target.replace(",", " ").split())
    if not set(letters) <= {*known_labels} & {*LETTERS}:
        return ()
    return tuple(map(known_labels.index, letters))


def reorder_target(
    target: str, order: Sequence[int], choices: Sequence[str], labels: Sequence[str]
) -> str:
    """Return a target with the labels that its choices have in another order; a text stays."""
    new_labels = {labels[index]: labels[position] for position, index in enumerate(order)}
    if (label := target.strip(LABEL_MARKS)) in new_labels:
        return target.replace(label, new_labels[label])
    if [fold(choice) for choice in choices].count(fold(target)) == 1:
        return target
    return "".join(new_labels.get(character, character) for character in target)


def fold(text: str) -> str:
    """Return a text in one case with single blanks."""
    return " ".join(text.split()).casefold()


def fold_and_strip(text: str) -> str:
    """Return a folded text without the punctuation around it."""
    return fold(text).strip(".,;:!?()[]{}\"'*_`$ ")


def are_plain_words(choices: Sequence[str]) -> bool:
    """Return whether capitals leave the choices' meaning: plain words, no formulas, no code."""
    return len({text.casefold() for text in choices}) == len(choices) and all(
        _PLAIN_WORDS.fullmatch(text.strip()) for text in choices
    )


def contain_label(choices: Sequence[str], labels: Sequence[str]) -> bool:
    """Return whether a label is a word of a choice, so that an answer could mean either."""
    words = {word.casefold() for text in choices for word in re.findall(r"\w+", text)}
    return not words.isdisjoint(label.casefold() for label in labels)


def _rename_labels(text: str, labels: tuple[str, ...], new_labels: tuple[str, ...]) -> str:
    """Return a text with new labels in its lists of all: `A,B,C,D`, `A, B, C, or D`, `A-D`."""
    separator = r"(?:, ?(?:or |and )?| ?/ ?| or | and )"
    listed = re.compile(rf"\b{separator.join(labels)}\b")
    ends = re.compile(rf"\b{labels[0]}(?P<to> ?[-\u2013] ?| to | through ){labels[-1]}\b")
    text = listed.sub(lambda _: ", ".join(new_labels), text)
    return ends.sub(lambda match: f"{new_labels[0]}{match['to']}{new_labels[-1]}", text)
