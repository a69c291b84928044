"""How good a known response truly is, whatever a judge makes of it.

Qualities are shares of the scale: 0 is the worst and 1 the best. An attacked response is as good as
the one that it was made of, since attacks add no substance.

What a rule can tell of generated items is taken from there. For other items it is drawn by a seed:
preference pairs get the order that they state, so that of a query's responses each is better than
those it is preferred to; other qualities and flaws are drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bias_tasks.complex_eval.attacks.layout import Turn, read_dialogue
from bias_tasks.complex_eval.data.synthetic.dialogues import Flaw, find_flaws
from bias_tasks.complex_eval.data.synthetic.texts import count_facts, fact_score, story_scores
from bias_tasks.complex_eval.items import CHOSEN, REJECTED, Criterion, JudgedItem
from bias_tasks.respondents.draws import draw, pick
from bias_tasks.respondents.known_judged import Judged, JudgePrompt

FLAWED = 0.5
"""Share of the turns that have a flaw, in dialogues of which no rule tells."""
_SYNTHETIC = "synthetic"
_LOW, _HIGH = 1.0, 10.0
_MILDEST, _SEVERITIES = 7, 4


@dataclass(frozen=True, slots=True)
class SeenFlaw:
    """A flaw of a dialogue."""

    flaw: Flaw
    severity: int
    """7 to 10: a dimension is forgiven 0.3 for each turn, so that milder flaws would cost
    nothing."""
    quote: str


def pair_quality(judged: Judged, *, right: bool) -> float:
    """How good a judge takes the response of a preference pair for.

    Args:
        judged: the response.
        right: whether the judge knows the better ones of the query; otherwise it has the order
            upside down.
    """
    item = judged.item
    if item.source == _SYNTHETIC and count_facts(item.query, judged.text).asked:
        names = {CHOSEN: REJECTED, REJECTED: CHOSEN}
        name = judged.base if right else names[judged.base]
        return (fact_score(item.query, item.responses[name]) - _LOW) / (_HIGH - _LOW)
    place, places = _place(judged.text, judged.siblings)
    return (place if right else places + 1 - place) / (places + 1)


def criterion_qualities(
    judged: Judged, criteria: Sequence[Criterion], seed: int
) -> dict[str, float]:
    """The quality of a piece of writing by each criterion."""
    names = [part.name for part in criteria]
    known = _story(judged.item, judged.text)
    if known is not None and known.keys() >= set(names):
        return {name: known[name] for name in names}
    return {name: draw(seed, "quality", judged.item.query, judged.text, name) for name in names}


def dialogue_flaws(
    asked: JudgePrompt, judged: Judged, criteria: Sequence[Criterion], seed: int
) -> list[SeenFlaw]:
    """The flaws of a dialogue in the criteria asked for, in the order of its turns."""
    turns = read_dialogue(asked.response)
    item = judged.item
    if item.source == _SYNTHETIC and item.reference and item.background:
        flaws = find_flaws(item.reference, item.background, asked.response)
    else:
        flaws = _drawn_flaws(item, turns, seed)
    names = {part.name for part in criteria}
    return [described(turns, flaw, item, seed) for flaw in flaws if flaw.dimension in names]


def described(turns: Sequence[Turn], flaw: Flaw, item: JudgedItem, seed: int) -> SeenFlaw:
    """The flaw with its turn's words and a severity."""
    drawn = draw(seed, "severity", item.query, flaw.dimension, str(flaw.turn))
    severity = _MILDEST + int(drawn * _SEVERITIES)
    return SeenFlaw(flaw, severity, turns[flaw.turn].content)


def _place(text: str, items: Sequence[JudgedItem]) -> tuple[int, int]:
    """The place of a response among those of its query, from 1 for the worst, and the places."""
    beaten: dict[str, set[str]] = {}
    for item in items:
        chosen, rejected = item.responses[CHOSEN], item.responses[REJECTED]
        beaten.setdefault(chosen, set()).add(rejected)
        beaten.setdefault(rejected, set())
    places = dict.fromkeys(beaten, 1)
    # Each round moves a response above those it beats; preferences in a circle end with the rounds.
    for _ in range(len(beaten)):
        moved = {
            winner: max([1, *(places[loser] + 1 for loser in losers)])
            for winner, losers in beaten.items()
        }
        if moved == places:
            break
        places = moved
    return places[text], max(places.values())


def _story(item: JudgedItem, text: str) -> Mapping[str, float] | None:
    """The criteria's qualities of a generated story; None for other pieces."""
    if item.source != _SYNTHETIC:
        return None
    try:
        scores = story_scores(item.query, text)
    except ValueError:
        return None
    return {name: (score - _LOW) / (_HIGH - _LOW) for name, score in scores.items()}


def _drawn_flaws(item: JudgedItem, turns: Sequence[Turn], seed: int) -> list[Flaw]:
    """Flaws by their turns' places, which an attack leaves as they are."""
    flaws = []
    for place in range(len(turns)):
        if draw(seed, "flawed", item.query, str(place)) < FLAWED:
            names = ((part.name, part.name) for part in item.criteria)
            flaws.append(Flaw(pick(names, seed, "dimension", item.query, str(place)), place))
    return flaws
