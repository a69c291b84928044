"""What a text claims, from all the places where it says Yes or No, and how these are weighed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import pairwise

from bias_tasks.binary_qa.items import BinaryLabel
from bias_tasks.binary_qa.reading.words import Word


class Rank(IntEnum):
    """How a Yes or No stands in the text, from the least to the most telling."""

    PASSING = 0
    """Behind a question in between: the text's answer to that one, a step on its way."""
    REPLY = 1
    """Behind a question, at the end."""
    STEP = 2
    """Behind a colon or an arrow, at the end of a line in between: perhaps a step, too."""
    ASIDE = 3
    """At the head of a sentence in between: it can only contradict."""
    TAIL = 4
    """Behind a colon, an arrow or "so", at the end of what is said: "They differ: no."."""
    EDGE = 5
    """It opens or closes the text, or stands alone on a line."""
    ANNOUNCED = 6
    """Behind words that announce an answer: "The answer is", "I'd say", "Answer:"."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A place where a text says Yes or No."""

    label: BinaryLabel | None
    """None for one that is taken back at once ("yes and no"), which only a conclusion settles."""
    start: int
    end: int
    rule: str
    """What makes it an answer."""
    rank: Rank
    concluding: bool = False
    """It is introduced as a conclusion or a correction ("So no", "Wait, yes")."""

    @classmethod
    def of(cls, word: Word, rule: str, rank: Rank, *, concluding: bool = False) -> Claim:
        """What a word claims."""
        return cls(word.label, word.start, word.end, rule, rank, concluding)


def settled(claims: Iterable[Claim], corrections: list[int]) -> Claim | str:
    """The one answer that claims make, or why they make none.

    What is announced or stands at an edge decides, and must agree from the last conclusion or
    correction on. Where there is none, a tail does; where there is none either, the only reply.

    Args:
        claims: in any order.
        corrections: places at which the text takes back what it said before, in order.
    """
    ordered = _one_a_word(claims)
    firm = [claim for claim in ordered if claim.rank >= Rank.EDGE]
    if firm:
        return _agreed(ordered, _corrected(firm, corrections))
    tails = [claim for claim in ordered if claim.rank >= Rank.STEP]
    if any(claim.rank is Rank.TAIL for claim in tails):
        return _same(tails)
    replies = [claim for claim in ordered if claim.rank <= Rank.REPLY]
    if len(replies) == 1 and replies[0].rank is Rank.REPLY:
        return _same([*tails, *replies])
    return "the questions answered are its own" if replies else "no answer is stated"


def corrected_since(start: int, end: int, corrections: list[int]) -> bool:
    """Whether the text takes something back between two places."""
    return any(start < place < end for place in corrections)


def _one_a_word(claims: Iterable[Claim]) -> list[Claim]:
    """The most telling claim of each word, in the order of the text."""
    best: dict[int, Claim] = {}
    for claim in claims:
        held = best.get(claim.start)
        if held is None or (claim.rank, claim.concluding) > (held.rank, held.concluding):
            best[claim.start] = claim
    return [best[start] for start in sorted(best)]


def _corrected(firm: list[Claim], corrections: list[int]) -> list[Claim]:
    """The claims; one behind a correction of the claim before it is a conclusion."""
    found = firm[:1]
    for before, claim in pairwise(firm):
        since = corrected_since(before.end - 1, claim.start, corrections)
        found.append(replace(claim, concluding=claim.concluding or since))
    return found


def _agreed(ordered: list[Claim], firm: list[Claim]) -> Claim | str:
    since = max((claim.start for claim in firm if claim.concluding), default=0)
    announced = max((claim.start for claim in firm if claim.rank is Rank.ANNOUNCED), default=0)
    against = [
        claim
        for claim in ordered
        if claim.rank in (Rank.TAIL, Rank.ASIDE) and claim.start >= announced
    ]
    counting = [claim for claim in firm if claim.start >= since]
    against = [claim for claim in against if claim.start >= since]
    return _same([*against, *counting])


def _same(claims: list[Claim]) -> Claim | str:
    if len({claim.label for claim in claims}) > 1:
        return "both answers are given, none of them final"
    return max(claims, key=lambda claim: (claim.rank, claim.start))
