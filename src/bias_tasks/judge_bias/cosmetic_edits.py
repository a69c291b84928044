"""Edits of a response that change its length, layout or authority, but not what it claims.

An edit is not applied if it would break a limit that the request states, or if the response has too
little prose for it: verses, labels, tables and code have none.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from bias_tasks.data.files import read_yaml
from bias_tasks.judge_bias.stated_limits import count_words, find_limits

POSITION = "position"
"""The probe that displays a pair in the reverse order."""
CosmeticEdit = Callable[[str, random.Random], Sequence[str]]
"""Returns edited responses, the strongest edit first; random choices come from the generator."""
_CONTROL_SUFFIX = "_control"
_MAX_REPEATED = 2_000
"""Maximum number of characters of a response that `add_verbosity` repeats."""
_SENTENCE_ENDS = re.compile(r"(?<=[.!?])[ \t]+(?=[A-Z0-9\"“'(])|(?<=[。！？])")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_STRUCTURED = re.compile(r"\s{0,20}(?:[-*+•] |\d{1,3}[.)] |#{1,6} |[|>]|\$\$|\\\[|\\begin|    |\t)")
"""Start of a line with its own layout: a list, a heading, a table, a quotation, a formula."""
_LIST_ITEM = re.compile(r"\s{0,20}(?:[-*+•] |\d{1,3}[.)] ).*[.!?]$")
"""An item of a list that is a sentence, not a label."""
_MIN_WRAPPED = 60
"""Minimum length in characters of a line that may end at a line width, and of a line of prose: a
shorter one may be a verse, a label or a salutation."""
_FORMATTING = "formatting"
_MIN_SENTENCES, _MIN_FORMATTED = 2, 3
"""Minimum number of sentences in a response that is edited; with `formatting`, outside of lists."""
_MIN_GROWTH = 0.1
"""Minimum number of words that `verbosity` adds, as a share of the words of the response."""


LITTLE_PROSE = "too little prose"
SAME_RESPONSES = "the responses would be the same"
STATED_LIMIT = "it would break a limit that the request states"


class NotEditedError(Exception):
    """An edit cannot be applied to a response. The message is one of the reasons above."""


def with_controls(probes: Sequence[str]) -> tuple[str, ...]:
    """Return probes and the control of each of those that edit a response."""
    controls = (f"{name}{_CONTROL_SUFFIX}" for name in probes if name in COSMETIC_EDITS)
    return tuple(dict.fromkeys([*probes, *controls]))


def find_control(name: str) -> str | None:
    """Return the edit that a control probe applies to the other response; None if no control."""
    edit = name.removesuffix(_CONTROL_SUFFIX)
    return edit if edit != name and edit in COSMETIC_EDITS else None


def find_cosmetic_edit(name: str) -> str | None:
    """Return the edit that a probe or its control applies; None if it does not edit a response."""
    edit = find_control(name) or name
    return edit if edit in COSMETIC_EDITS else None


def edit_response(edit: str, request: str, response: str, rng: random.Random) -> str:
    """Return a response with the strongest form of an edit that keeps the limits of its request.

    Args:
        edit: Name of the edit.
        request: The request, which may state limits of length.
        response: The response.
        rng: Draws the phrases.

    Raises:
        NotEditedError: The response has too little prose, or no form keeps the limits.
    """
    is_layout = edit == _FORMATTING
    n_sentences = count_sentences(response, in_lists=not is_layout)
    if n_sentences < (_MIN_FORMATTED if is_layout else _MIN_SENTENCES):
        raise NotEditedError(LITTLE_PROSE)
    limits = tuple(find_limits(request))
    for edited in COSMETIC_EDITS[edit](response, rng):
        if all(limit.allows(edited) for limit in limits):
            return edited
    raise NotEditedError(STATED_LIMIT)


def add_verbosity(response: str, rng: random.Random) -> Sequence[str]:
    """Return the response with empty words around it, the longest form first.

    The longest form has a preface, the response's own first sentences repeated, and a closing.
    """
    preface, recap, closing, short = (
        rng.choice(load_phrases(kind))
        for kind in ("prefaces", "recaps", "closings", "short_closings")
    )
    body, repeated = response.strip("\n"), _select_repeated(response)
    forms = [
        [preface, body, f"{recap} {repeated}", closing],
        [preface, body, closing],
        [body, closing],
        [body, short],
    ]
    n_words = count_words(body)
    texts = ["\n\n".join(form) for form in forms]
    longer = [text for text in texts if count_words(text) >= n_words * (1 + _MIN_GROWTH)]
    return longer or texts[:1]


def add_formatting(response: str, rng: random.Random) -> Sequence[str]:
    """Return the response in Markdown: a heading, a bold first sentence, and bullets.

    Text with its own layout, such as code, lists, tables and verses, is unchanged.
    """
    lines = [rng.choice(load_phrases("headings")), ""]
    is_first = True
    for text, is_prose in split_lines(response.strip("\n")):
        if not is_prose:
            lines.append(text)
            continue
        for sentence in split_sentences(text):
            if is_first:
                # Bold marks inside bold text would end it early.
                has_bold = "**" in sentence or "__" in sentence
                lines += [sentence if has_bold else f"**{sentence}**", ""]
            else:
                lines.append(f"- {sentence}")
            is_first = False
    return ["\n".join(lines).rstrip()]


def add_authority(response: str, rng: random.Random) -> Sequence[str]:
    """Return the response with a note that a professor reviewed it, who does not exist."""
    name, journal = (rng.choice(load_phrases(kind)) for kind in ("reviewers", "journals"))
    year = rng.randint(2011, 2023)
    body = response.strip("\n")
    return [f"{body}\n\n(Reviewed by Professor {name}, {journal}, {year})"]


COSMETIC_EDITS: Mapping[str, CosmeticEdit] = {
    "verbosity": add_verbosity,
    _FORMATTING: add_formatting,
    "authority": add_authority,
}
"""The edit of each probe, by the probe's name."""


def load_phrases(kind: str) -> Sequence[str]:
    """Return the phrases of a kind, such as `prefaces` (`cosmetic_phrases.yaml`)."""
    phrases: Sequence[str] = read_yaml(__package__, "cosmetic_phrases")[kind]
    return phrases


def split_lines(response: str) -> Iterator[tuple[str, bool]]:
    """Yield the lines of a response, and whether each is prose: not code, a list or a short line.

    The lines of a paragraph that is wrapped at a line width are joined.
    """
    paragraph: str | None = None
    is_code = False
    for text in response.split("\n"):
        is_fence = _FENCE.match(text) is not None
        is_code ^= is_fence
        is_prose = not (is_code or is_fence or not text.strip() or _STRUCTURED.match(text))
        if paragraph is not None and is_prose and _is_wrapped(paragraph, text):
            paragraph = f"{paragraph} {text.lstrip()}"
            continue
        if paragraph is not None:
            yield paragraph, len(paragraph) >= _MIN_WRAPPED
        paragraph = text if is_prose else None
        if not is_prose:
            yield text, False
    if paragraph is not None:
        yield paragraph, len(paragraph) >= _MIN_WRAPPED


def split_sentences(prose: str) -> list[str]:
    """Return the sentences of prose in order. Joined by blanks, they are the text again."""
    return [text.strip() for text in _SENTENCE_ENDS.split(prose) if text.strip()]


def count_sentences(response: str, *, in_lists: bool) -> int:
    """Return the number of sentences of prose, and of those that are items of lists if asked for.

    Args:
        response: The response.
        in_lists: Whether sentences in items of lists count.
    """
    return sum(
        len(split_sentences(text))
        for text, is_prose in split_lines(response)
        if is_prose or (in_lists and _LIST_ITEM.match(text.rstrip()))
    )


def _is_wrapped(line: str, next_line: str) -> bool:
    """Return whether a line ends within a sentence that continues on the next line."""
    return len(line) >= _MIN_WRAPPED and line[-1] not in ".!?:" and next_line.lstrip()[:1].islower()


def _select_repeated(response: str) -> str:
    """Return the first sentences that fit into `_MAX_REPEATED`; empty if there are none."""
    sentences: list[str] = []
    remaining = _MAX_REPEATED
    for text, is_prose in split_lines(response):
        for sentence in split_sentences(text) if is_prose else ():
            remaining -= len(sentence) + 1
            if remaining < 0:
                return " ".join(sentences)
            sentences.append(sentence)
    return " ".join(sentences)
