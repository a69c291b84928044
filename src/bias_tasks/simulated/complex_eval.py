"""Simulated judges of ComplexEval.

The traits apply in this order; each draw depends on the seed and the values in parentheses:

1. *abstention* (prompt): chance of an answer without a value.
2. *accuracy*: chance to know the better response (pairs; else the worse one is taken for the
   better), to find the first wrong step (math), to notice a flaw (role playing). All other
   qualities are random.
3. *discernment* D: a quality q, as a share of the scale, is perceived as 0.5 + D (q - 0.5).
4. *reference_pull* adds its share of the scale to a response that was attacked toward the
   reference, if the reference is displayed; *rubric_pull* likewise toward the rubric, under
   criteria entanglement for the attacked criterion only; *confidence_pull* under criteria loophole.
5. *halo* H: the value of each criterion moves by H of its distance to the highest one.
6. *noise* (prompt, number of the call): one normal draw for all criteria of a call.
7. Scores are rounded to half points, severities to whole ones, and clipped to the scale.

Role playing: a flaw of severity s has quality 1 - s/10. The judge reports the first `tunnel` of the
noticed flaws, or the first `reports` possible flaws whatever the dialogue has, and by
*false_alarms* (per dimension) one that the dialogue does not have. Math: *noise* is the chance of
another position, *reference_pull* the chance to overlook a wrong step of an attacked response if
the reference is displayed. Expected values for a reference_pull p: asr/<bias> = p times the share
of wrong steps (math), and delta_score/<bias> = 9 p (writing, inside the scale).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from bias_tasks.complex_eval.family import FAMILY
from bias_tasks.complex_eval.items import CHOSEN, ENTANGLEMENT, ORIGINAL_2, SCALES, JudgedItem
from bias_tasks.complex_eval.layout import read_dialogue, read_steps
from bias_tasks.complex_eval.prompts.judge import read_blocks
from bias_tasks.complex_eval.scoring_data import JudgeData, PlantedFlaw
from bias_tasks.contract.questions import Question
from bias_tasks.digests import content_hash
from bias_tasks.simulated.traits import Traits

_LOW, _HIGH = SCALES["basic"]
_NO_ERROR = -1
_QUALITY_RANGE = 0.4
"""Range of the qualities of responses to different queries, in ranks of a pair."""
_TOWARD_REFERENCE = ("reference", "format", "solution_fixation")
"""Attacks toward the reference."""
_FLAWED_SHARE = 0.5
"""Share of turns with a flaw in a dialogue without planted flaws."""
_Flaw = tuple[str, int]
"""Dimension of a flaw, and its turn, from 0."""


def answer_judge(model: Traits, prompt: str, question: Question) -> str:
    """Return a judge's answer, as the prompt requests it."""
    item: JudgedItem = question.source
    data = question.data_as(JudgeData)
    name = data.judgements[0].response if data.judgements else ORIGINAL_2
    name = item.attack_target if name == ORIGINAL_2 else name
    is_attacked = name not in item.responses
    blocks = read_blocks(prompt)
    key = content_hash(item.family, sorted(blocks.items()))
    if model.abstains(key):
        return model.refuse(key)
    judgement = _Judgement(
        model,
        item,
        base=item.attack_target if is_attacked else name,
        attack=name.rpartition("~")[2] if is_attacked else "",
        criteria=data.form.criteria,
        blocks=blocks,
        call=f"{key}/{model.call(key)}" if model.noise else key,
    )
    return FAMILY.write_answer(data, judgement.find_value(data.flaws))


@dataclass(frozen=True, slots=True)
class _Judgement:
    """A judge's view of one response, as a prompt displays it."""

    model: Traits
    item: JudgedItem
    base: str
    """Name of the response, or of the response that was attacked."""
    attack: str
    """Name of the attack; empty for a response without one."""
    criteria: tuple[str, ...]
    """Names of the requested criteria."""
    blocks: Mapping[str, str]
    """The displayed texts by block."""
    call: str
    """Key of the draws of noise."""

    def find_value(self, planted: Sequence[PlantedFlaw] | None) -> object:
        """Return the requested value, as `ComplexEval.write_answer` takes it.

        Args:
            planted: The flaws of a dialogue; None if unknown.
        """
        model, query, text = self.model, self.item.query, self.item.responses[self.base]
        match self.item.family:
            case "math":
                return self._find_first_error()
            case "role_playing":
                return self._list_flaws(planted)
            case "basic":  # an inaccurate judge takes the worse response for the better
                rank = 2 if (self.base == CHOSEN) == model.is_right(query) else 1
                random_part = _QUALITY_RANGE * (model.draw("quality", query, text) - 0.5)
                return self._score([(rank + random_part) / 3])[0]
            case "creative_writing":
                names = self.criteria
                qualities = [model.draw("quality", query, text, name) for name in names]
                return dict(zip(names, self._score(qualities), strict=True))

    def _score(self, qualities: Sequence[float]) -> list[float]:
        """Return the scores of perceived qualities: the nearest half points on the scale."""
        perceived = self._perceive(qualities, self._compute_pulls())
        points = (_LOW + (_HIGH - _LOW) * quality for quality in perceived)
        return [min(max(round(2 * point), 2 * _LOW), 2 * _HIGH) / 2 for point in points]

    def _perceive(self, qualities: Sequence[float], pulls: Sequence[float]) -> list[float]:
        """Return perceived qualities, by criterion or flaw; they may be below 0 or above 1."""
        perceived = [
            0.5 + self.model.discernment * (quality - 0.5) + pull
            for quality, pull in zip(qualities, pulls, strict=True)
        ]
        highest, error = max(perceived), self.model.draw_noise(self.call)
        return [value + self.model.halo * (highest - value) + error for value in perceived]

    def _compute_pulls(self) -> list[float]:
        """Return what attacks add to the quality by each criterion, as shares of the scale."""
        common = 0.0
        if self.attack in _TOWARD_REFERENCE and "reference" in self.blocks:
            common = self.model.reference_pull
        elif self.attack == "criteria_loophole":
            common = self.model.confidence_pull
        elif self.attack == "rubric" and "rubric" in self.blocks:
            common = self.model.rubric_pull
        pulls = [common] * max(1, len(self.criteria))
        if self.attack == ENTANGLEMENT and self.item.attacked_criterion in self.criteria:
            pulls[self.criteria.index(self.item.attacked_criterion)] += self.model.rubric_pull
        return pulls

    def _find_first_error(self) -> int:
        """Return the position of the first wrong step of a solution, as the judge perceives it."""
        model, item, response = self.model, self.item, self.blocks["response"]
        assert item.first_error is not None
        position, key = item.first_error, (item.query, item.responses[self.base])
        positions = range(_NO_ERROR, len(read_steps(response)))

        def pick_other(*key: str) -> int:
            return model.pick((other for other in positions if other != position), *key)

        if not model.is_right(*key):
            position = pick_other("wrong", *key)
        is_swayed = self.attack and "reference" in self.blocks
        if is_swayed and model.draw("overlook", response) < model.reference_pull:
            position = _NO_ERROR
        if model.draw("noise", self.call) < model.noise:
            return pick_other("moved", self.call)
        return position

    def _list_flaws(self, planted: Sequence[PlantedFlaw] | None) -> list[dict[str, object]]:
        """Return the reported flaws of a dialogue, with a severity and the text of the turn."""
        turns = read_dialogue(self.blocks["response"])
        reported = self._select_reported(planted, len(turns))
        if not reported:
            return []
        key = ("severity", self.item.query)
        # 0.3 points per turn are not deducted for a dimension: milder flaws would cost nothing.
        severities = [
            7 + int(4 * self.model.draw(*key, name, str(turn))) for name, turn in reported
        ]
        pulls = dict(zip(self.criteria, self._compute_pulls(), strict=True))
        qualities = [1 - severity / _HIGH for severity in severities]
        perceived = self._perceive(qualities, [pulls[name] for name, _ in reported])
        return [
            {
                "dimension": name,
                "severity": int(min(max(round((1 - quality) * _HIGH), _LOW), _HIGH)),
                "quote": turns[turn].content,
            }
            for (name, turn), quality in zip(reported, perceived, strict=True)
        ]

    def _select_reported(self, planted: Sequence[PlantedFlaw] | None, n_turns: int) -> list[_Flaw]:
        """Return up to `tunnel` of the noticed flaws, and false alarms."""
        model, query, names = self.model, self.item.query, self.criteria
        turns = range(n_turns)
        if model.reports is not None:
            return [(name, turn) for turn in turns for name in names][: model.reports]
        if planted is None:
            dimensions = [criterion.name for criterion in self.item.criteria]
            flaws = [
                (model.pick(dimensions, "dimension", query, str(turn)), turn)
                for turn in turns
                if model.draw("flawed", query, str(turn)) < _FLAWED_SHARE
            ]
        else:
            flaws = [(flaw.dimension, flaw.turn) for flaw in planted]
        present = [(name, turn) for name, turn in flaws if name in names]
        noticed = (flaw for flaw in present if model.is_right(query, flaw[0], str(flaw[1])))
        false_alarms = []
        for name in names:
            absent = [turn for turn in turns if (name, turn) not in present]
            if absent and model.draw("false alarm", query, name) < model.false_alarms:
                false_alarms.append((name, model.pick(absent, "imagined", query, name)))
        return [*islice(noticed, model.tunnel), *false_alarms]
