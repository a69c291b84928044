"""Short stories that tell what was asked for in full, in brief, or not at all."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

from bias_tasks.complex_eval.items import ORIGINAL, Criterion, JudgedItem
from bias_tasks.data.files import read_yaml
from bias_tasks.data.synthetic.words import names, nouns
from bias_tasks.names import content_hash

_SCORES = (1.0, 5.5, 10.0)
"""Of an element that is told not at all, in brief and in full."""
_QUERY = (
    "Write a short story of about 200 words. Its hero is {hero}, it is set in {town}, and a "
    "{thing} is found and lost again."
)
_ASKED = re.compile(r"Its hero is (\w+), it is set in (\w+), and a (\w+) is found")


def story(rng: random.Random, kind: str) -> JudgedItem:
    """A story in which every element is told in full, in brief or not at all."""
    hero, town = names(rng, 2)
    slots = {"hero": hero, "town": town, "thing": nouns(rng, 1)[0]}
    query = _QUERY.format(**slots)
    response = _told(slots, [rng.randint(0, 2) for _ in _elements()], rng)
    identifier = f"synthetic-{content_hash('creative_writing', query, response)}"
    return JudgedItem(
        id=identifier,
        family="creative_writing",
        domain="synthetic",
        source="synthetic",
        cluster=identifier,
        query=query,
        responses={ORIGINAL: response},
        reference=_reference(slots),
        criteria=tuple(
            Criterion(name, f"Whether {asked}.\n1-2: not at all\n5-6: in brief\n9-10: in full")
            for name, (_, _, asked) in _elements().items()
        ),
    )


def story_scores(query: str, response: str) -> dict[str, float]:
    """The score of each criterion, 1 to 10, of a response to a generated query, by rule.

    Capitals don't matter, as a sentence may have been given a beginning.

    Raises:
        ValueError: the query is not a generated one.
    """
    asked = _ASKED.search(query)
    if asked is None:
        raise ValueError("the query is not one of the generated ones")
    slots = dict(zip(("hero", "town", "thing"), asked.groups(), strict=True))
    told = response.casefold()
    return {
        name: _SCORES[sum(part.format(**slots).casefold() in told for part in (brief, full))]
        for name, (brief, full, _) in _elements().items()
    }


def _told(slots: Mapping[str, str], levels: list[int], rng: random.Random) -> str:
    """The elements in order, with passages between them that tell nothing of them."""
    paragraphs = []
    passages = read_yaml(__package__, "wording")["stories"]["passages"]
    between = iter(rng.sample(passages, len(passages)))
    for level, (brief, full, _) in zip(levels, _elements().values(), strict=True):
        told = [sentence.format(**slots) for sentence in (brief, full)[:level]]
        paragraphs.append(" ".join([*told, next(between)]))
    return "\n\n".join([*paragraphs, next(between)])


def _reference(slots: Mapping[str, str]) -> str:
    told = [
        f"{brief.format(**slots)} {full.format(**slots)}" for brief, full, _ in _elements().values()
    ]
    told[2] = f"However, {told[2]} A silver compass glimmered beside."
    told[3] = f"Consequently, {told[3]} The compass trembled."
    return "\n\n".join(told)


def _elements() -> dict[str, tuple[str, str, str]]:
    """By element: what is told of it in brief, what besides in full, and what is asked of it."""
    rows = read_yaml(__package__, "wording")["stories"]["elements"].items()
    return {name: (row["brief"], row["full"], row["asked"]) for name, row in rows}
