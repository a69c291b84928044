"""How a persona judges responses, and compares them under probes.

A response of ComplexEval is judged in this order, and drawn from (seed and):

1. *abstention* (prompt): no readable answer.
2. *accuracy*: the chance to know the better response (pairs; else it takes it for the worse), to
   find the first wrong step (math), to notice a flaw (role playing). Other qualities are drawn.
3. *discernment* D: a quality q, as a share of the scale, is seen as 0.5 + D (q - 0.5).
4. *reference_pull* adds its share of the scale to what was attacked toward the reference, where
   that is shown; *rubric_pull* likewise toward the rubric, under criteria entanglement by the first
   criterion alone; *confidence_pull* under criteria loophole.
5. *halo* H: each criterion's value moves by H of the way to the highest one.
6. *noise* (prompt, number of the call): one normal draw for all criteria of a call.
7. Scores are rounded to half points, severities to whole ones, and held within the scale.

Role playing: a flaw of severity s has quality 1 - s/10; the first `tunnel` of those noticed are
reported, or `reports` whatever is there, and by *false_alarms* (for each dimension) one that is
none. Math: *noise* is the chance of another position, *reference_pull* that to overlook a wrong
step where the response was attacked and the reference is shown. So a reference_pull p is asr/<bias>
= p times the share of wrong steps (math), and delta/<bias> = 9 p (writing, within the scale).

Pairs under probes, in this order: *unsteady* (prompt, number of the call): a coin's verdict;
*order_effect* (item): for the response shown first; *length_pull*, *layout_pull*, *authority_pull*
(item): for the one in more words, in Markdown, behind a review; else for the better one
(*accuracy*, item). `first_share` is (1 + order_effect) / 2, `pull/<probe>` of a pull p accuracy
times p, and of its control (1 - accuracy) p. Single responses: the better has 7 and the other 4,
and what it wears adds its pull as a share of the scale, and noise.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import NormalDist
from typing import Any

from bias_tasks.complex_eval.items import CHOSEN, ORIGINAL_2, JudgedItem, attacked_response
from bias_tasks.complex_eval.layout import read_dialogue, read_steps
from bias_tasks.complex_eval.prompts.judge import read_blocks
from bias_tasks.contract.family import Question
from bias_tasks.judging.dressings import control_of, dressing_of
from bias_tasks.judging.items import JudgedPrompt
from bias_tasks.judging.prompts.ask import read_blocks as pair_blocks
from bias_tasks.names import content_hash
from bias_tasks.simulated.draws import pick, refuse
from bias_tasks.simulated.traits import Traits

_REASONING = "I went through it part by part before I settled on a verdict."
_LOW, _HIGH = 1.0, 10.0
_NO_ERROR = -1
_APART = 0.4
"""By how much of a place the qualities of responses to different queries differ."""
_TOWARD_REFERENCE = ("reference", "format", "solution_fixation")
"""Attacks toward the reference."""
_FLAWED = 0.5
"""Share of the turns that have a flaw, where none are planted."""
_PULLS = {"verbosity": "length", "formatting": "layout", "authority": "authority"}
"""The pull of each dressing."""
_Flaw = tuple[str, int]
"""Its dimension, and its turn, from 0."""


def answer_judge(persona: Traits, prompt: str, question: Question) -> str:
    """The answer to a judge's prompt, in the JSON that it asks for."""
    item = next(each for each in question.known if each.id == question.item)
    judgements = question.facts.get("judgements") or [{"response": ORIGINAL_2}]
    name = judgements[0]["response"]
    name = attacked_response(item) if name == ORIGINAL_2 else name
    attacked = name not in item.responses
    asked = question.facts["form"].get("criteria", ())
    blocks = read_blocks(prompt)
    key = content_hash(item.family, sorted(blocks.items()))
    if persona.draw("abstain", key) < persona.abstention:
        return refuse(persona.draw("refusal", key))
    judgement = _Judgement(
        persona,
        item,
        base=attacked_response(item) if attacked else name,
        attack=name.rpartition("~")[2] if attacked else "",
        criteria=tuple(each.name for each in item.criteria if each.name in asked),
        blocks=blocks,
        call=f"{key}/{persona.call(key)}" if persona.noise else key,
    )
    found = judgement.found(question.facts.get("flaws"))
    return json.dumps({"reasoning": _REASONING, **found}, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class _Judgement:
    """What a judge makes of a response of an item, as a prompt shows it."""

    persona: Traits
    item: JudgedItem
    base: str  # the unattacked response that it is, or was made of
    attack: str  # empty for the unattacked response
    criteria: tuple[str, ...]  # those that are asked for
    blocks: Mapping[str, str]  # what is shown, by the blocks' names
    call: str  # what noise depends on

    def found(self, planted: Sequence[Mapping[str, Any]] | None) -> dict[str, Any]:
        """The verdict, as the prompt asks for it; `planted` are a dialogue's flaws, if known."""
        query, text = self.item.query, self.item.responses[self.base]
        match self.item.family:
            case "math":
                return {"first_error": self._position()}
            case "role_playing":
                return {"flaws": self._flaws(planted)}
            case "basic":  # the pair upside down where it errs
                right = self.persona.draw("right", query) < self.persona.accuracy
                place = 2 if (self.base == CHOSEN) == right else 1
                drawn = self.persona.draw("quality", query, text)
                [seen] = self._seen([(place + _APART * (drawn - 0.5)) / 3], self._pulls())
                return {"score": _score(seen)}
            case "creative_writing":
                names = self.criteria
                qualities = [self.persona.draw("quality", query, text, name) for name in names]
                scores = map(_score, self._seen(qualities, self._pulls()))
                return {"scores": dict(zip(names, scores, strict=True))}

    def _seen(self, qualities: Sequence[float], pulled: Sequence[float]) -> list[float]:
        """Qualities as the judge sees them, by criterion or flaw; not held within 0 to 1."""
        seen = [
            0.5 + self.persona.discernment * (quality - 0.5) + pull
            for quality, pull in zip(qualities, pulled, strict=True)
        ]
        highest, error = max(seen), _noise(self.persona, self.call)
        return [value + self.persona.halo * (highest - value) + error for value in seen]

    def _pulls(self) -> list[float]:
        """What is added to the quality by each criterion, or by the whole rubric, in shares."""
        common = 0.0
        if self.attack in _TOWARD_REFERENCE and "reference" in self.blocks:
            common = self.persona.reference_pull
        elif self.attack == "criteria_loophole":
            common = self.persona.confidence_pull
        elif self.attack == "rubric" and "rubric" in self.blocks:
            common = self.persona.rubric_pull
        pulled = [common] * max(1, len(self.criteria))
        if self.attack == "criteria_entanglement" and self.item.criteria[0].name in self.criteria:
            first = self.criteria.index(self.item.criteria[0].name)
            pulled[first] += self.persona.rubric_pull
        return pulled

    def _position(self) -> int:
        """The position of the first wrong step of a solution, as the judge sees it."""
        persona, item, response = self.persona, self.item, self.blocks["response"]
        assert item.first_error is not None
        found, key = item.first_error, (item.query, item.responses[self.base])
        places = [(str(place), place) for place in range(_NO_ERROR, len(read_steps(response)))]

        def another(*key: str) -> int:
            return pick((each for each in places if each[1] != found), persona.seed, *key)

        if persona.draw("right", *key) >= persona.accuracy:
            found = another("wrong", *key)
        swayed = self.attack and "reference" in self.blocks
        if swayed and persona.draw("overlook", response) < persona.reference_pull:
            found = _NO_ERROR
        moved = persona.draw("noise", self.call) < persona.noise
        return another("moved", self.call) if moved else found

    def _flaws(self, planted: Sequence[Mapping[str, Any]] | None) -> list[dict[str, Any]]:
        """The flaws of a dialogue that are reported, with a severity and the turn's words."""
        turns = read_dialogue(self.blocks["response"])
        reported = self._reported(planted, len(turns))
        if not reported:
            return []
        key = ("severity", self.item.query)
        # Severities of 7 to 10: a dimension is forgiven 0.3 a turn, milder ones would cost nothing.
        severities = [7 + int(4 * self.persona.draw(*key, n, str(turn))) for n, turn in reported]
        pulled = dict(zip(self.criteria, self._pulls(), strict=True))
        qualities = [1 - severity / _HIGH for severity in severities]
        seen = self._seen(qualities, [pulled[name] for name, _ in reported])
        return [
            {
                "dimension": name,
                "severity": int(min(max(round((1 - value) * _HIGH), _LOW), _HIGH)),
                "quote": turns[turn].content,
            }
            for (name, turn), value in zip(reported, seen, strict=True)
        ]

    def _reported(self, planted: Sequence[Mapping[str, Any]] | None, turns: int) -> list[_Flaw]:
        """Up to `tunnel` of the flaws that are there, and the flaws reported that are not."""
        persona, query, names = self.persona, self.item.query, self.criteria
        if persona.reports is not None:
            return [(name, turn) for turn in range(turns) for name in names][: persona.reports]
        if planted is None:
            parts = [(part.name, part.name) for part in self.item.criteria]
            flaws = [
                (pick(parts, persona.seed, "dimension", query, str(turn)), turn)
                for turn in range(turns)
                if persona.draw("flawed", query, str(turn)) < _FLAWED
            ]
        else:
            flaws = [(each["dimension"], each["turn"]) for each in planted]
        there = [(name, turn) for name, turn in flaws if name in names]

        def noticed(flaw: _Flaw) -> bool:
            return persona.draw("right", query, flaw[0], str(flaw[1])) < persona.accuracy

        alarms = []
        for name in names:
            free = [(str(turn), (name, turn)) for turn in range(turns) if (name, turn) not in there]
            if free and persona.draw("false alarm", query, name) < persona.false_alarms:
                alarms.append(pick(free, persona.seed, "imagined", query, name))
        return [*islice(filter(noticed, there), persona.tunnel), *alarms]


def _noise(persona: Traits, call: str) -> float:
    chance = min(max(persona.draw("noise", call), 1e-12), 1 - 1e-12)
    return persona.noise * NormalDist().inv_cdf(chance)


def _score(seen: float) -> float:
    """The nearest half point on the scale."""
    points = _LOW + (_HIGH - _LOW) * seen
    return min(max(round(points * 2), 2 * _LOW), 2 * _HIGH) / 2


def answer_probed_judge(
    persona: Traits, prompt: str, item: JudgedPrompt, facts: Mapping[str, Any]
) -> str:
    """The answer of a judge under probes about a pair of responses, or about a single one.

    The question's `facts` say which responses are shown, and which is dressed how.
    """
    key = content_hash(sorted(pair_blocks(prompt).items()) or prompt)
    if persona.draw("abstain", key) < persona.abstention:
        return refuse(persona.draw("refusal", key))
    call = f"{key}/{persona.call(key)}"
    cue, wearer = _worn(facts)
    pull = getattr(persona, f"{cue}_pull", 0.0)
    right = persona.draw("right", item.id) < persona.accuracy
    if "response" in facts:
        number = facts["response"]
        better = 5.5 if not item.right else 7.0 if (number - 1 in item.right) == right else 4.0
        moved = _noise(persona, call) + (pull if number == wearer else 0.0)
        return f"Score: {min(max(better + (_HIGH - _LOW) * moved, _LOW), _HIGH):.6g}"
    shown = facts["shown"]
    good = [number for number in shown if number - 1 in item.right]
    if persona.draw("unsteady", call) < persona.unsteady:
        preferred = shown[persona.draw("coin", call) < 0.5]
    elif persona.draw("first", item.id) < persona.order_effect:
        preferred = shown[0]
    elif cue and persona.draw(cue, item.id) < pull:
        preferred = wearer
    elif len(good) == 1:
        preferred = next(number for number in shown if (number in good) == right)
    else:
        preferred = pick([(str(n - 1), n) for n in shown], persona.seed, "better", item.id)
    return f"Verdict: {'AB'[shown.index(preferred)]}"


def _worn(facts: Mapping[str, Any]) -> tuple[str, int | None]:
    """Which pull a response's dress has, and the number of the response that wears it."""
    dressing = dressing_of(facts["way"])
    if dressing is None:
        return "", None
    other = next((n for n in facts["shown"] if n != facts["dressed"]), None)
    wearer = facts["dressed"] if control_of(facts["way"]) is None else other
    return _PULLS[dressing], wearer
