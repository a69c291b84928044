"""What is done to a response or to a pair, to see whether a judge minds.

A dressing neither adds nor takes away what the response claims, and never leaves it as it was.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from bias_tasks.data.files import read_yaml

POSITION = "position"
"""The pair in the other order."""
Dressing = Callable[[str, random.Random], str]
_CONTROL = "_control"
_MOST_REPEATED = 2_000
"""Characters of the response that are said again at most: whole sentences of them."""
_SENTENCE_ENDS = re.compile(r"(?<=[.!?])[ \t]+(?=[A-Z0-9\"“'(])|(?<=[。！？])")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_SET = re.compile(r"\s{0,20}(?:[-*+•] |\d{1,3}[.)] |#{1,6} |[|>]|\$\$|\\\[|\\begin|    |\t)")
"""How a line begins that is set already: a list, a heading, a table, a quotation, a formula."""
_WIDE = 60
"""Characters from which a line may have been broken at a width."""


def control_of(name: str) -> str | None:
    """The dressing whose control a variant is: the other response wears it. None for no control."""
    dressing = name.removesuffix(_CONTROL)
    return dressing if dressing != name and dressing in DRESSINGS else None


def dressing_of(name: str) -> str | None:
    """The dressing that a probe or its control puts on a response; None where there is none."""
    dressing = control_of(name) or name
    return dressing if dressing in DRESSINGS else None


def verbose(response: str, rng: random.Random) -> str:
    """A preface, the response, its own sentences again, and a closing; none of it claims more."""
    preface, recap, closing = (rng.choice(words(n)) for n in ("prefaces", "recaps", "closings"))
    again = _said_again(response)
    said = [f"{recap} {again}"] if again else []
    return "\n\n".join([preface, response.strip("\n"), *said, closing])


def formatted(response: str, rng: random.Random) -> str:
    """In Markdown: a heading, the first sentence in bold, every further one as a bullet.

    What is set already, such as code, lists and tables, stays as it is.
    """
    made = [rng.choice(words("headings")), ""]
    lead = True
    for text, prose in lines_of(response.strip("\n")):
        if not prose:
            made.append(text)
            continue
        for sentence in sentences_of(text):
            # a sentence that has such marks of its own is left to them
            bold = sentence if "**" in sentence or "__" in sentence else f"**{sentence}**"
            made += [bold, ""] if lead else [f"- {sentence}"]
            lead = False
    return "\n".join(made).rstrip()


def attributed(response: str, rng: random.Random) -> str:
    """Behind a reference to a professor's review, which does not exist."""
    name, journal = (rng.choice(words(kind)) for kind in ("reviewers", "journals"))
    year = rng.randint(2011, 2023)
    return f"According to a review by Professor {name} in the {journal} ({year}):\n\n{response}"


DRESSINGS: Mapping[str, Dressing] = {
    "verbosity": verbose,
    "formatting": formatted,
    "authority": attributed,
}
"""By the probe's name: what is done to one response."""


def words(kind: str) -> Sequence[str]:
    """What a response is dressed in: prefaces, closings and so on (`dressings.yaml`)."""
    found: Sequence[str] = read_yaml(__package__, "dressings")[kind]
    return found


def lines_of(response: str) -> Iterator[tuple[str, bool]]:
    """The lines of a response, and whether each is running text: not code, a list or a heading. Of
    running text that is broken at a width, the whole paragraph."""
    paragraph: str | None = None
    fenced = False
    for text in response.split("\n"):
        fence = _FENCE.match(text) is not None
        fenced ^= fence
        prose = not fenced and not fence and bool(text.strip()) and not _SET.match(text)
        if paragraph is not None and prose and _goes_on(paragraph, text):
            paragraph = f"{paragraph} {text.lstrip()}"
            continue
        if paragraph is not None:
            yield paragraph, True
        paragraph = text if prose else None
        if not prose:
            yield text, False
    if paragraph is not None:
        yield paragraph, True


def sentences_of(prose: str) -> list[str]:
    """The sentences of running text, in order; joined by blanks they are the text again."""
    return [each.strip() for each in _SENTENCE_ENDS.split(prose) if each.strip()]


def _goes_on(line: str, following: str) -> bool:
    """Whether a line is broken within a sentence, which goes on in the one that follows."""
    return len(line) >= _WIDE and line[-1] not in ".!?:" and following.lstrip()[:1].islower()


def _said_again(response: str) -> str:
    """Its sentences, from the first one on, as far as there is room; empty where it has none."""
    kept: list[str] = []
    room = _MOST_REPEATED
    for text, prose in lines_of(response):
        for sentence in sentences_of(text) if prose else ():
            room -= len(sentence) + 1
            if room < 0:
                return " ".join(kept)
            kept.append(sentence)
    return " ".join(kept)
