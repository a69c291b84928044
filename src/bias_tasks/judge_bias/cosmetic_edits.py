"""Edits of a response that change its length, layout or authority, but not what it claims.

An edit never leaves a response unchanged.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from bias_tasks.data.files import read_yaml

POSITION = "position"
"""The probe that displays a pair in the reverse order."""
CosmeticEdit = Callable[[str, random.Random], str]
"""Returns an edited response; random choices come from the generator."""
_CONTROL_SUFFIX = "_control"
_MAX_REPEATED = 2_000
"""Maximum number of characters of a response that `add_verbosity` repeats."""
_SENTENCE_ENDS = re.compile(r"(?<=[.!?])[ \t]+(?=[A-Z0-9\"“'(])|(?<=[。！？])")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_STRUCTURED = re.compile(r"\s{0,20}(?:[-*+•] |\d{1,3}[.)] |#{1,6} |[|>]|\$\$|\\\[|\\begin|    |\t)")
"""Start of a line with its own layout: a list, a heading, a table, a quotation, a formula."""
_MIN_WRAPPED = 60
"""Minimum length in characters of a line that may end at a line width."""


def find_control(name: str) -> str | None:
    """Return the edit that a control probe applies to the other response; None if no control."""
    edit = name.removesuffix(_CONTROL_SUFFIX)
    return edit if edit != name and edit in COSMETIC_EDITS else None


def find_cosmetic_edit(name: str) -> str | None:
    """Return the edit that a probe or its control applies; None if it does not edit a response."""
    edit = find_control(name) or name
    return edit if edit in COSMETIC_EDITS else None


def add_verbosity(response: str, rng: random.Random) -> str:
    """Return the response with a preface, its own first sentences repeated, and a closing."""
    preface, recap, closing = (
        rng.choice(load_phrases(kind)) for kind in ("prefaces", "recaps", "closings")
    )
    parts = [preface, response.strip("\n")]
    if repeated := _select_repeated(response):
        parts.append(f"{recap} {repeated}")
    return "\n\n".join([*parts, closing])


def add_formatting(response: str, rng: random.Random) -> str:
    """Return the response in Markdown: a heading, a bold first sentence, and bullets.

    Text with its own layout, such as code, lists and tables, is unchanged.
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
    return "\n".join(lines).rstrip()


def add_authority(response: str, rng: random.Random) -> str:
    """Return the response after a reference to a professor's review, which does not exist."""
    name, journal = (rng.choice(load_phrases(kind)) for kind in ("reviewers", "journals"))
    year = rng.randint(2011, 2023)
    return f"According to a review by Professor {name} in the {journal} ({year}):\n\n{response}"


COSMETIC_EDITS: Mapping[str, CosmeticEdit] = {
    "verbosity": add_verbosity,
    "formatting": add_formatting,
    "authority": add_authority,
}
"""The edit of each probe, by the probe's name."""


def load_phrases(kind: str) -> Sequence[str]:
    """Return the phrases of a kind, such as `prefaces` (`cosmetic_phrases.yaml`)."""
    phrases: Sequence[str] = read_yaml(__package__, "cosmetic_phrases")[kind]
    return phrases


def split_lines(response: str) -> Iterator[tuple[str, bool]]:
    """Yield the lines of a response, and whether each is prose: not code, a list or a heading.

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
            yield paragraph, True
        paragraph = text if is_prose else None
        if not is_prose:
            yield text, False
    if paragraph is not None:
        yield paragraph, True


def split_sentences(prose: str) -> list[str]:
    """Return the sentences of prose in order. Joined by blanks, they are the text again."""
    return [text.strip() for text in _SENTENCE_ENDS.split(prose) if text.strip()]


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
