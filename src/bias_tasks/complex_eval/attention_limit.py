"""What a run of the attention limit asks: dialogues with ever more flaws (section 5.4).

k = 0 is a good dialogue, and the others are copies of it. The flaws of k are among those of k + 1,
so that only their number changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bias_tasks.complex_eval.attacks.layout import Turn, read_dialogue
from bias_tasks.complex_eval.data.synthetic.scenes import FlawedResponse, scene
from bias_tasks.complex_eval.data.synthetic.violations import TURNS
from bias_tasks.complex_eval.items import Criterion, JudgedItem
from bias_tasks.complex_eval.judge_question import JudgeQuestion
from bias_tasks.complex_eval.metrics.outcome import FULL, MODES, Mode
from bias_tasks.family import Plan, Question
from bias_tasks.parameters import Names, chosen_names, names_in

MOST_FLAWS = TURNS
"""The most flaws that can be planted into a dialogue."""
Counts = int | str | Sequence[int | str] | None


@dataclass(frozen=True, slots=True)
class AttentionQuestion:
    """One dialogue, judged in all dimensions at once or in one of them."""

    planted: FlawedResponse
    mode: Mode
    criteria: tuple[Criterion, ...]
    """The dimensions that are asked for."""

    @property
    def item(self) -> JudgedItem:
        """What is judged, with all its dimensions."""
        return self.planted.item

    @property
    def id(self) -> str:
        part = ""
        if self.mode == "per_dimension":
            part = "~" + self.criteria[0].name.lower().replace(" ", "_")
        return f"{self.planted.item.id}/{self.mode}{part}/{len(self.planted.flaws)}"

    def prompt(self) -> str:
        """What the judge is asked."""
        return self._question().prompt()

    def schema(self) -> dict[str, Any]:
        """The JSON schema of the answer."""
        return self._question().schema()

    def facts(self) -> dict[str, Any]:
        """What reading the answer and the figures take, as plain JSON values."""
        item = self.planted.item
        return {
            "item": item.id,
            "cluster": item.cluster,
            "variant": self.id.removeprefix(f"{item.id}/"),
            "gold": len(self._flaws()),
            "form": self._question().form(),
            "count": {
                "item": item.id,
                "cluster": item.cluster,
                "mode": self.mode,
                "planted": len(self.planted.flaws),
            },
            "parts": 1 if self.mode == "joint" else len(item.criteria),
            "flaws": self._flaws(),
            "turns": [f"{turn.role}: {turn.content}" for turn in self._turns()],
        }

    def to_question(self) -> Question:
        """The question as hosts ask it."""
        item, facts = self.planted.item, self.facts()
        return Question(
            id=self.id,
            item=item.id,
            cluster=item.cluster,
            variant=facts["variant"],
            prompt=self.prompt(),
            gold=str(facts["gold"]),
            facts=facts,
            schema=self.schema(),
            known=(item,),
        )

    def _turns(self) -> list[Turn]:
        return read_dialogue(self.planted.response)

    def _flaws(self) -> list[dict[str, Any]]:
        """The planted flaws of the dimensions asked for: where each stands, and its words."""
        asked = {part.name for part in self.criteria}
        return [
            {"dimension": flaw.dimension, "turn": flaw.turn, "words": words}
            for flaw, words in zip(self.planted.flaws, self.planted.words, strict=True)
            if flaw.dimension in asked
        ]

    def _question(self) -> JudgeQuestion:
        item = replace(self.planted.item, criteria=self.criteria)
        return JudgeQuestion(item, FULL, str(len(self.planted.flaws)), self.planted.response)


def plan_attention(*, mode: Names = "joint", k: Counts = None, n: int = 10, seed: int = 0) -> Plan:
    """The questions of a run.

    The parameters are those of `tasks.yaml`. The first n dialogues are the same for every n.

    Raises:
        ValueError: a parameter's value is not among the allowed ones.
    """
    modes = [known for known in MODES if known in chosen_names("mode", mode, MODES)]
    counts = flaw_counts(k)
    questions = tuple(
        AttentionQuestion(planted, each, criteria).to_question()
        for drawn in (scene(seed, place) for place in range(n))
        for each in modes
        for planted in map(drawn.flawed, counts)
        for criteria in _asked(planted, each)
    )
    return Plan(questions, ({"source": "flaw_bank", "seed": seed, "n": n},), "flaw_bank")


def flaw_counts(k: Counts) -> tuple[int, ...]:
    """The numbers of flaws that a parameter lists, in order, each once; all for None.

    Raises:
        ValueError: one is not 0 to 20, or there is none.
    """
    if k is None:
        return tuple(range(MOST_FLAWS + 1))
    texts = names_in(str(k) if isinstance(k, int | str) else [str(count) for count in k])
    allowed = {str(count) for count in range(MOST_FLAWS + 1)}
    if not texts or not allowed.issuperset(texts):
        raise ValueError(f"k={k!r}: expected whole numbers from 0 to {MOST_FLAWS}")
    return tuple(sorted({int(text) for text in texts}))


def _asked(planted: FlawedResponse, mode: Mode) -> list[tuple[Criterion, ...]]:
    """The dimensions of each call."""
    criteria = planted.item.criteria
    return [criteria] if mode == "joint" else [(part,) for part in criteria]
