"""Preference pairs: who keeps what, reported from notes in full or badly."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from bias_tasks.complex_eval.items import CHOSEN, REJECTED, JudgedItem
from bias_tasks.data.files import read_yaml
from bias_tasks.data.synthetic.words import names, nouns
from bias_tasks.names import content_hash

_PEOPLE = 9  # in the notes
_ASKED = (4, 5, 6)  # how many of them a request names
_FACT = re.compile(r"\b(\w{1,40}) keeps the (\w{1,40})\b")
_ASK = "Report what each of these keeps: "


class FactCount(NamedTuple):
    """What a response reports of what was asked."""

    asked: int
    right: int
    wrong: int


def fact_pair(rng: random.Random, kind: str) -> JudgedItem:
    """A pair whose rejected response is `missing` some, reports some `wrong`, or `both`."""
    kept = dict(zip(names(rng, _PEOPLE), nouns(rng, _PEOPLE), strict=True))
    asked = rng.sample(list(kept), rng.choice(_ASKED))
    notes = [_fact(who, kept[who]) for who in rng.sample(list(kept), _PEOPLE)]
    query = f"User: Notes:\n{_lines(notes)}\n\n{_ASK}{', '.join(asked)}."
    chosen = [_fact(who, kept[who]) for who in asked]
    rejected = _spoilt(rng, kept, asked, kind)
    identifier = f"synthetic-{content_hash('basic', query, chosen, rejected)}"
    return JudgedItem(
        id=identifier,
        family="basic",
        domain="synthetic",
        source="synthetic",
        cluster=identifier,
        query=query,
        responses={CHOSEN: _told(rng, chosen), REJECTED: _told(rng, rejected)},
        reference=_reference(rng, chosen),
        rubric=_wording()["rubric"],
    )


def count_facts(query: str, response: str) -> FactCount:
    """What the response to a generated query reports rightly and wrongly, by rule.

    A person of whom two things are reported counts as wrong; people that were not asked for
    count for nothing.
    """
    notes, _, asked = query.rpartition(_ASK)
    truth = dict(_FACT.findall(notes))
    wanted = [who for who in re.findall(r"\w+", asked) if who in truth]
    reported: dict[str, set[str]] = {}
    for who, what in _FACT.findall(response):
        reported.setdefault(who, set()).add(what)
    right = sum(reported.get(who) == {truth[who]} for who in wanted)
    return FactCount(len(wanted), right, sum(who in reported for who in wanted) - right)


def fact_score(query: str, response: str) -> float:
    """How good a response to a generated query is, on the scale of 1 to 10.

    A point that is reported wrongly costs as much as one that is missing, and as much again.
    """
    asked, right, wrong = count_facts(query, response)
    return 1 + 9 * max(0, right - wrong) / asked


def _spoilt(rng: random.Random, kept: dict[str, str], asked: list[str], kind: str) -> list[str]:
    """The report with one to all but one of its points spoilt (`both`: at least two)."""
    least = 2 if kind == "both" else 1
    spoilt = rng.sample(asked, rng.randint(least, len(asked) - 1))
    missing = {"missing": spoilt, "wrong": [], "both": spoilt[::2]}[kind]
    others = [what for who, what in kept.items() if who not in asked]
    return [
        _fact(who, rng.choice(others) if who in spoilt else kept[who])
        for who in asked
        if who not in missing
    ]


def _told(rng: random.Random, facts: list[str]) -> str:
    """The facts in the order asked for, among sentences that say nothing."""
    told = list(facts)
    asides = _wording()["asides"]
    for aside in rng.sample(asides, rng.randint(0, len(asides))):
        told.insert(rng.randint(0, len(told)), aside)
    return " ".join(told)


def _reference(rng: random.Random, facts: list[str]) -> str:
    listed = [f"- **Finding:** {fact}" for fact in rng.sample(facts, len(facts))]
    opening = "Overall, the inventory documents these custodians."
    closing = "Consequently, the inventory is complete."
    return f"# Inventory of custodians\n\n{opening}\n\n{_lines(listed)}\n\n{closing}"


def _fact(who: str, what: str) -> str:
    return f"{who} keeps the {what}."


def _lines(parts: list[str]) -> str:
    return "\n".join(parts)


def _wording() -> Mapping[str, Any]:
    wording: Mapping[str, Any] = read_yaml(__package__, "wording")["facts"]
    return wording
