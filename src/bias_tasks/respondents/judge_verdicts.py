"""The verdict of a simulated judge in the JSON that each family's prompt asks for.

`judging` says what is drawn, and what comes out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from statistics import NormalDist
from typing import Any

from bias_tasks.complex_eval.attacks.layout import read_dialogue, read_steps
from bias_tasks.complex_eval.data.synthetic.dialogues import Flaw
from bias_tasks.complex_eval.items import Criterion
from bias_tasks.complex_eval.items import JudgedKind as Family
from bias_tasks.complex_eval.prompts.judge import SCORE_RANGE, SEVERITY_RANGE
from bias_tasks.respondents.draws import draw, pick
from bias_tasks.respondents.judge_sway import pulls
from bias_tasks.respondents.judge_truth import (
    SeenFlaw,
    criterion_qualities,
    described,
    dialogue_flaws,
    pair_quality,
)
from bias_tasks.respondents.known_judged import Judged, JudgePrompt, asked_criteria
from bias_tasks.respondents.traits import Traits

Verdict = dict[str, Any]

NO_ERROR = -1
"""The position that says that no step is wrong."""
_STEPS_A_POINT = 2
_MIDDLE = 0.5
_NEVER = 1e-12


def verdict(traits: Traits, asked: JudgePrompt, judged: Judged, call: str) -> Verdict:
    """What the judge makes of a response.

    Args:
        traits: its parameters.
        asked: what it is shown.
        judged: the response.
        call: tells calls apart that may differ.

    Raises:
        ValueError: a text that passes for an attacked one is no dialogue, or has no steps, or the
            item lacks its position.
    """
    return _FAMILIES[asked.family](traits, asked, judged, call)


def best(asked: JudgePrompt, judged: Judged) -> Verdict:
    """The best verdict that there is."""
    _, high = SCORE_RANGE
    scores = {part.name: high for part in asked_criteria(asked, judged.item)}
    verdicts: Mapping[Family, Verdict] = {
        "basic": {"score": high},
        "math": {"first_error": NO_ERROR},
        "role_playing": {"flaws": []},
        "creative_writing": {"scores": scores},
    }
    return verdicts[asked.family]


def _pair(traits: Traits, asked: JudgePrompt, judged: Judged, call: str) -> Verdict:
    right = draw(traits.seed, "right", judged.item.query) < traits.accuracy
    quality = pair_quality(judged, right=right)
    [seen] = _seen(traits, [quality], pulls(traits, asked, ()), call)
    return {"score": _score(seen)}


def _writing(traits: Traits, asked: JudgePrompt, judged: Judged, call: str) -> Verdict:
    criteria = asked_criteria(asked, judged.item)
    qualities = criterion_qualities(judged, criteria, traits.seed)
    seen = _seen(traits, list(qualities.values()), pulls(traits, asked, criteria), call)
    return {"scores": dict(zip(qualities, map(_score, seen), strict=True))}


def _dialogue(traits: Traits, asked: JudgePrompt, judged: Judged, call: str) -> Verdict:
    criteria = asked_criteria(asked, judged.item)
    flaws = _reported(traits, asked, judged, criteria)
    if not flaws:
        return {"flaws": []}
    pulled = dict(zip((c.name for c in criteria), pulls(traits, asked, criteria), strict=True))
    _, severest = SEVERITY_RANGE
    seen = _seen(
        traits,
        [1 - each.severity / severest for each in flaws],
        [pulled[each.flaw.dimension] for each in flaws],
        call,
    )
    return {
        "flaws": [
            {
                "dimension": each.flaw.dimension,
                "severity": int(_within((1 - value) * severest, SEVERITY_RANGE)),
                "quote": each.quote,
            }
            for each, value in zip(flaws, seen, strict=True)
        ]
    }


def _solution(traits: Traits, asked: JudgePrompt, judged: Judged, call: str) -> Verdict:
    item = judged.item
    found = item.first_error
    if found is None:
        raise ValueError(f"item {item.id} does not say which step is wrong")
    places = set(range(NO_ERROR, len(read_steps(asked.response))))
    if draw(traits.seed, "right", item.query, judged.text) >= traits.accuracy:
        found = _another(places, found, traits.seed, "wrong", item.query, judged.text)
    swayed = judged.attacked and "reference" in asked.blocks
    if swayed and draw(traits.seed, "overlook", asked.response) < traits.reference_pull:
        found = NO_ERROR
    if draw(traits.seed, "noise", call) < traits.noise:
        found = _another(places, found, traits.seed, "moved", call)
    return {"first_error": found}


_FAMILIES: Mapping[Family, Callable[[Traits, JudgePrompt, Judged, str], Verdict]] = {
    "basic": _pair,
    "math": _solution,
    "role_playing": _dialogue,
    "creative_writing": _writing,
}


def _reported(
    traits: Traits, asked: JudgePrompt, judged: Judged, criteria: Sequence[Criterion]
) -> list[SeenFlaw]:
    """Up to `tunnel` of the flaws that are there, and the flaws reported that are not there."""
    query = judged.item.query
    there = dialogue_flaws(asked, judged, criteria, traits.seed)
    noticed = (
        each
        for each in there
        if draw(traits.seed, "right", query, *map(str, each.flaw)) < traits.accuracy
    )
    flaws = {each.flaw for each in there}
    alarms = [
        alarm
        for part in criteria
        if draw(traits.seed, "false alarm", query, part.name) < traits.false_alarms
        for alarm in _false_alarm(traits, asked, judged, part.name, flaws)
    ]
    return [*islice(noticed, traits.tunnel), *alarms]


def _false_alarm(
    traits: Traits, asked: JudgePrompt, judged: Judged, dimension: str, flaws: set[Flaw]
) -> list[SeenFlaw]:
    """One flaw that is none; none at all where every turn has one of the dimension."""
    turns = read_dialogue(asked.response)
    free = [
        (str(place), Flaw(dimension, place))
        for place in range(len(turns))
        if Flaw(dimension, place) not in flaws
    ]
    if not free:
        return []
    imagined = pick(free, traits.seed, "imagined", judged.item.query, dimension)
    return [described(turns, imagined, judged.item, traits.seed)]


def _seen(
    traits: Traits, qualities: Sequence[float], pulled: Sequence[float], call: str
) -> list[float]:
    """Qualities as the judge sees them, one for each criterion or flaw; not held within 0 to 1."""
    seen = [
        _MIDDLE + traits.discernment * (quality - _MIDDLE) + pull
        for quality, pull in zip(qualities, pulled, strict=True)
    ]
    highest = max(seen)
    error = 0.0
    if traits.noise:
        chance = min(max(draw(traits.seed, "noise", call), _NEVER), 1 - _NEVER)
        error = NormalDist(0, traits.noise).inv_cdf(chance)
    return [value + traits.halo * (highest - value) + error for value in seen]


def _score(seen: float) -> float:
    low, high = SCORE_RANGE
    points = low + (high - low) * seen
    return _within(points * _STEPS_A_POINT, (low * _STEPS_A_POINT, high * _STEPS_A_POINT)) / 2


def _within(value: float, scale: tuple[int, int]) -> int:
    """The nearest whole number, held within the scale."""
    low, high = scale
    return min(max(round(value), low), high)


def _another(places: set[int], found: int, seed: int, *key: str) -> int:
    return pick(((str(place), place) for place in places - {found}), seed, *key)
