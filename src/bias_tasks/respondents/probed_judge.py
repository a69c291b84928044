"""How a simulated judge with planted parameters compares responses, or scores one, under probes.

It knows a dressed response again by the words of the one it was made of. Drawn from (seed and):

- *abstention* (prompt): no readable answer.
- *accuracy* (item): which of two responses is the better one; where nobody says, one is drawn.
- Pairs, in this order: *unsteady* (prompt, number of the call): a coin's verdict; *order_effect*
  (item): for the response shown first; *length_pull*, *layout_pull*, *authority_pull* (item): for
  the response that is dressed in more words, in Markdown, behind a review; else for the better one.
- Single responses: the better has 7 and the other 4, and what it wears adds its pull as a share of
  the scale; *noise* (prompt, number of the call) is a normal draw with this standard deviation as a
  share of the scale. Scores are held within the scale.

What comes out of pairs, each parameter alone, others at 0 and accuracy a: `both_orders` and
`score/plain` a; of *order_effect* p, `first_share` (1 + p) / 2 and `same_answer/position` 1 - p; of
a pull p, `pull/<probe>` a p, and of its control (1 - a) p; *unsteady* alone moves neither.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from statistics import NormalDist

from bias_tasks.judging.dressings import HEADINGS, OPENING
from bias_tasks.judging.items import JudgedItem
from bias_tasks.names import content_hash
from bias_tasks.respondents.draws import Calls, draw, pick
from bias_tasks.respondents.traits import Traits
from bias_tasks.respondents.wording import lead, refuse

UNKNOWN = "I have no way to judge what I do not know."
"""The answer about responses that are not known; it holds no verdict."""
_BETTER, _OTHER, _NEITHER = 7.0, 4.0, 5.5
_LOW, _HIGH = 1.0, 10.0
_LONGER = 1.3
"""How many times as long a response with more words is, at least."""
_WORD = re.compile(r"\w+")


def answer_probed_judge(
    traits: Traits, asked: Mapping[str, str], calls: Calls, known: Sequence[JudgedItem]
) -> str:
    """The answer to the house's prompt for a pair or for a single response.

    Args:
        traits: the judge's parameters.
        asked: the prompt's texts by their slots.
        calls: how often each prompt was answered.
        known: the known items of its prompt.
    """
    key = content_hash(sorted(asked.items()))
    if draw(traits.seed, "abstain", key) < traits.abstention:
        return refuse(draw(traits.seed, "refusal", key))
    texts = [text for slot, text in asked.items() if slot != "prompt"]
    found = _known(texts, known)
    if found is None:
        return UNKNOWN
    item, places = found
    call = f"{key}/{calls.next((key,))}"
    if len(texts) == 1:
        said = f"Score: {_score(traits, item, places[0], texts[0], call):.6g}"
    else:
        said = f"Verdict: {'AB'[_preferred(traits, item, places, texts, call)]}"
    before = lead(traits.verbosity)
    return f"{before}\n{said}" if before else said


def _known(
    texts: Sequence[str], known: Sequence[JudgedItem]
) -> tuple[JudgedItem, tuple[int, ...]] | None:
    """The item whose responses the texts are made of, and which of them each is."""
    best: tuple[float, JudgedItem, tuple[int, ...]] | None = None
    counted = [Counter(_WORD.findall(text)) for text in texts]
    for item in known:
        own = [Counter(_WORD.findall(response)) for response in item.responses]
        for places in permutations(range(len(own)), len(texts)):
            held = [
                (own[place] & words).total() / max(own[place].total(), 1)
                for place, words in zip(places, counted, strict=True)
            ]
            # Of two that a text holds whole, it is made of the longer one.
            grade = sum(held) + 1e-6 * sum(own[place].total() for place in places)
            if min(held) == 1 and (best is None or grade > best[0]):
                best = grade, item, places
    return None if best is None else best[1:]


def _preferred(
    traits: Traits, item: JudgedItem, places: Sequence[int], texts: Sequence[str], call: str
) -> int:
    """Which of the two texts shown is preferred, 0 or 1."""
    if draw(traits.seed, "unsteady", call) < traits.unsteady:
        return int(draw(traits.seed, "coin", call) < 0.5)
    if draw(traits.seed, "first", item.id) < traits.order_effect:
        return 0
    for shown, (place, text) in enumerate(zip(places, texts, strict=True)):
        cue, pull = _worn(traits, text, item.responses[place])
        if cue and draw(traits.seed, cue, item.id) < pull:
            return shown
    return list(places).index(_better(traits, item, places))


def _better(traits: Traits, item: JudgedItem, places: Sequence[int]) -> int:
    """The place of the response that it takes for the better one."""
    right = [place for place in places if place in item.right]
    if len(right) != 1:
        return pick([(str(place), place) for place in places], traits.seed, "better", item.id)
    if draw(traits.seed, "right", item.id) < traits.accuracy:
        return right[0]
    return next(place for place in places if place != right[0])


def _score(traits: Traits, item: JudgedItem, place: int, text: str, call: str) -> float:
    if item.right:
        better = draw(traits.seed, "right", item.id) < traits.accuracy
        quality = _BETTER if (place in item.right) == better else _OTHER
    else:
        quality = _NEITHER
    _, pull = _worn(traits, text, item.responses[place])
    size = _HIGH - _LOW
    chance = min(max(draw(traits.seed, "noise", call), 1e-12), 1 - 1e-12)
    noise = traits.noise * NormalDist().inv_cdf(chance)
    return min(max(quality + size * (pull + noise), _LOW), _HIGH)


def _worn(traits: Traits, text: str, response: str) -> tuple[str, float]:
    """How a text is dressed beside the response it is made of, and how that draws the judge."""
    if text.startswith(OPENING) and not response.startswith(OPENING):
        return "authority", traits.authority_pull
    if text.startswith(HEADINGS) and not response.startswith(HEADINGS):
        return "layout", traits.layout_pull
    if len(text) >= _LONGER * len(response):
        return "length", traits.length_pull
    return "", 0.0
