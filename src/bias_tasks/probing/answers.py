"""Answers under a probe: restored to the form that the probed task expects, and compared."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from bias_tasks.digests import content_hash
from bias_tasks.probing.displayed_options import fold_and_strip
from bias_tasks.probing.formats import FINAL_FORMATS, FormattedAnswer
from bias_tasks.probing.items import ProbeData, format_choice_indices

_MAX_KEPT = 1_000
"""Characters of a free answer that are kept; the rest is hashed."""
_MAX_QUOTED = 80
"""Characters of an unparsed answer that are quoted."""
_MAX_SEARCHED, _MAX_END = 100_000, 300
"""Last characters of an answer that are searched for labels, and for labels without a cue."""


def explain_unparsed(parser: str, text: str) -> str:
    """Return that a parser of the probed task found no answer in a text, whose start is quoted."""
    return f"{parser} found no answer in {' '.join(text.split())[:_MAX_QUOTED]!r}"


def restore_task_form(data: ProbeData, text: str, labels: Sequence[str], lead: str = "") -> str:
    """Return an answer as the probed task would have got it without the probe.

    The probe's output format is removed if the answer follows it. Labels of the probe become the
    task's own wherever the answer names them, so that the task's own parser decides which counts.

    Args:
        data: The question.
        text: The answer.
        labels: The task's labels of the choices, in the displayed order.
        lead: What the task's prompt requires an answer to begin with, such as `ANSWER:`.
    """
    task_labels, displayed = tuple(labels), data.displayed_choices
    style = data.perturbation.option_style
    new_labels = (style and style.labels) or ()
    if data.perturbation.format:
        target_is_choice = fold_and_strip(data.target) in map(fold_and_strip, displayed)
        answers = displayed if target_is_choice else task_labels
        formatted = FormattedAnswer(text, lead, answers, displayed, new_labels or task_labels)
        unwrapped = FINAL_FORMATS[data.perturbation.format].unwrap(formatted)
        text = text if unwrapped is None else unwrapped
    for label in reversed(find_named_labels(text, new_labels[: len(task_labels)])):
        text = f"{text[: label.start]}{task_labels[label.label_index]}{text[label.end :]}"
    return text


def normalize_answer(data: ProbeData, parsed: str | None, labels: Sequence[str]) -> str:
    """Return a text that is equal for two answers if they mean the same choice.

    Args:
        data: The question.
        parsed: The answer as the task parsed it; None if it is unparsed.
        labels: The task's labels of the choices, in the displayed order.

    Returns:
        Indices of the item's choices, such as `#2`; else the answer in lower case without
        surrounding punctuation; empty if the answer is unparsed.
    """
    if parsed is None:
        return ""
    text = fold_and_strip(parsed)
    if data.choices:
        order = data.perturbation.order or tuple(range(len(data.choices)))
        indices = [order[i] for i in _find_choices(text, parsed, labels[: len(order)])]
        if not indices:
            same = [i for i, choice in enumerate(data.choices) if fold_and_strip(choice) == text]
            indices = same if len(same) == 1 else []
        if indices:
            return format_choice_indices(indices)
    return text if len(text) <= _MAX_KEPT else f"{text[:_MAX_KEPT]}... ({content_hash(text)})"


def _find_choices(text: str, parsed: str, labels: Sequence[str]) -> list[int]:
    """Return the displayed indices of the choices that an answer names by their labels.

    In a longer answer, the last labels that it calls the answer count, or else the last labels.
    """
    indices = {label.casefold(): index for index, label in enumerate(labels)}
    parts = text.replace(",", " ").split()
    if parts and all(part in indices for part in parts):
        return [indices[part] for part in parts]
    named = find_named_labels(parsed, labels)
    named = [label for label in named if label.is_final] or named
    return [label.label_index for label in named if label.group == named[-1].group]


@dataclass(frozen=True, slots=True)
class NamedLabel:
    """A label in an answer: characters `start` to `end`."""

    start: int
    end: int
    label_index: int
    """Index in the searched list of labels."""
    group: int
    """Equal for all labels of one list, as in `A and C`."""
    is_final: bool
    """Whether the text calls it the answer."""


def find_named_labels(text: str, labels: Sequence[str]) -> list[NamedLabel]:
    """Return the labels that an answer names as its own or as an option's, in their order.

    Labels count in either case after a cue (`answer is B`, `option (B)`, a LaTeX box). If none is
    called the answer, a label at the beginning of the text counts too. If there are neither, a
    label at its end counts, as in `I'd choose B`.
    """
    if not labels:
        return []
    patterns = _compile_patterns(tuple(labels))
    matches = list(patterns["cued"].finditer(text, max(len(text) - _MAX_SEARCHED, 0)))
    final = [
        bool(match["box"] or match["word"].casefold().startswith("answer")) for match in matches
    ]
    if not any(final):
        first = patterns["begins"].match(text)
        matches = ([] if first is None else [first]) + matches
        if not matches:
            matches = list(patterns["ends"].finditer(text, max(len(text) - _MAX_END, 0)))[:1]
        final = [False] * len(matches)
    indices = {label.casefold(): index for index, label in enumerate(labels)}
    named = []
    for group, match in enumerate(matches):
        joined = len(match["all"]) > 1 and match["all"].isalnum()
        pattern = patterns["joined" if joined else "one"]
        for label in pattern.finditer(text, *match.span("all")):
            index = indices.get(label[0].casefold())  # None for a Turkish i, which matches an I
            if index is not None:
                named.append(NamedLabel(*label.span(), index, group, final[group]))
    return named


_OPEN = (
    r"(?:[(\[\"'`$*_><{]|\\[(\[]|\\(?:boxed|fbox|text|textbf|mathrm|mathbf)\s{0,2}(?=\{)){0,8}\s?"
)
"""Marks between a cue and its label: quotes, asterisks, brackets, LaTeX."""
_CLOSE = r"(?:[)\]\"'`$*_><}.!]|\\[)\]]){0,8}"
_CUE = (
    r"(?:\b(?P<word>answers?|options?|choices?)[*_]{0,2}\s{0,4}"
    r"(?:(?:is|are|would\s{1,3}be|must\s{1,3}be|should\s{1,3}be)\b|[:：=\-\u2013])?"
    r"[:：*_]{0,4}\s{0,4}|(?P<box>\\boxed)(?=\s{0,2}\{)\s{0,2})"
)
_ENDS = (
    r"(?=\s{0,3}(?:$|\n|[.,](?!\d)|['\u2019](?!\w)|-(?!\w)|[):;*_<>\"$\]}({\[`|\\!?\u2013\u2014])"
    r"|\s{1,3}(?:because|since)\b)"
)
"""After a label: "Answer: I" names one, "Answer: I think ..." and "Answer: 2.5" do not."""
_IS_CORRECT = r"\s{1,3}is\s{1,3}(?:(?:the|my)\s{1,3})?(?:correct|right|best|true|final|answer)\b"
_SEPARATOR = r"(?:\s{0,3}[,;&/]\s{0,3}(?:(?:and|or)\s{1,3})?|\s{1,3}(?:and|or)\s{1,3})"
"""Between the labels of an answer that names several."""
_CHOSEN = (
    r"(?:\b(?:say|choose|chose|pick|select|with|be|is|for|it['\u2019]s)\s{1,3}"
    r"|[:：=\-\u2013>]\s{0,3})"
)


@cache
def _compile_patterns(labels: tuple[str, ...]) -> dict[str, re.Pattern[str]]:
    """Return the patterns of labels after a cue, at the beginning and at the end of an answer.

    `one` finds a single label, `joined` those without a separator (`AC`), which only labels of one
    character can be.
    """
    label = f"(?:{'|'.join(sorted(map(re.escape, labels), key=len, reverse=True))})"
    single_characters = all(len(text) == 1 for text in labels)
    joined = f"|(?-i:{label}{{2,26}}){_ENDS}" if single_characters else ""
    one = rf"(?<!\w){label}(?!\w)"
    spaced = rf"{label}(?:[ ]{{1,2}}{label}){{1,25}}{_ENDS}"
    several = rf"(?P<all>{label}(?:{_SEPARATOR}{label}){{1,25}}(?!\w)|{spaced}|{label}{_ENDS}"
    patterns = {
        "cued": rf"{_CUE}{_OPEN}{several}{joined})",
        "begins": rf"\s{{0,20}}{_OPEN}{several}|{label}(?={_IS_CORRECT}))",
        "ends": rf"{_CHOSEN}{_OPEN}(?P<all>(?-i:{label}))(?!\w){_CLOSE}\s{{0,20}}\Z",
        "one": one,
        "joined": label if single_characters else one,
    }
    return {name: re.compile(pattern, re.IGNORECASE) for name, pattern in patterns.items()}
