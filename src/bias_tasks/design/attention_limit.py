"""What a run of the attention limit asks: dialogues with ever more flaws (section 5.4).

The flaws of k are among those of k + 1 in the same dialogue, so that only their number changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bias_tasks.attacks import read_dialogue
from bias_tasks.data.complex_eval.synthetic.scenes import TURNS, FlawedResponse, flawed_response
from bias_tasks.design.complex_eval import Names, check_protocol, chosen_names
from bias_tasks.design.judge_question import JudgeQuestion
from bias_tasks.items.common import Protocol, content_hash
from bias_tasks.items.complex_eval import Criterion, JudgedItem
from bias_tasks.metrics.complex_eval.outcome import FULL, MODES, Mode

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
        """What is known of the answer before it is given, as plain JSON values."""
        item = self.planted.item
        return {
            "form": self._question().form(),
            "afresh": False,
            "count": {
                "item": item.id,
                "cluster": item.cluster,
                "mode": self.mode,
                "planted": len(self.planted.flaws),
            },
            "parts": 1 if self.mode == "joint" else len(item.criteria),
            "flaws": self._flaws(),
        }

    def _flaws(self) -> list[dict[str, str]]:
        """The planted flaws of the dimensions asked for, each with its turn's words."""
        turns = read_dialogue(self.planted.response)
        asked = {part.name for part in self.criteria}
        return [
            {"dimension": flaw.dimension, "content": turns[flaw.turn].content}
            for flaw in self.planted.flaws
            if flaw.dimension in asked
        ]

    def _question(self) -> JudgeQuestion:
        item = replace(self.planted.item, criteria=self.criteria)
        return JudgeQuestion(item, FULL, str(len(self.planted.flaws)), self.planted.response)


@dataclass(frozen=True, slots=True)
class AttentionPlan:
    """The questions of a run, a dialogue's side by side, and where they come from."""

    questions: tuple[AttentionQuestion, ...]
    provenance: tuple[Mapping[str, Any], ...]


def plan_attention(
    *,
    mode: Names = "joint",
    k: Counts = None,
    protocol: Protocol = "corrected",
    n: int = 10,
    seed: int = 0,
) -> AttentionPlan:
    """The questions of a run.

    Args:
        mode: `joint` for all dimensions in one call, `per_dimension` for a call each, or both.
        k: how many flaws to plant, 0 to 20; every number of them by default.
        protocol: either; no attack is made here that one would check and the other not.
        n: dialogues, each of which is judged with every number of flaws.
        seed: of the dialogues; the first n are the same for every n.

    Raises:
        ValueError: a parameter's value is not among the allowed ones.
    """
    check_protocol(protocol)
    modes = [known for known in MODES if known in chosen_names("mode", mode, MODES)]
    counts = flaw_counts(k)
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise ValueError(f"n must be a whole number of at least 1, not {n!r}")
    questions = [
        AttentionQuestion(planted, each, criteria)
        for place in range(n)
        for each in modes
        for planted in (flawed_response(count, _seed(seed, place)) for count in counts)
        for criteria in _asked(planted, each)
    ]
    return AttentionPlan(tuple(questions), ({"source": "flaw_bank", "seed": seed, "n": n},))


def flaw_counts(k: Counts) -> tuple[int, ...]:
    """The numbers of flaws that a parameter lists, in order, each once; all for None.

    Raises:
        ValueError: one is not 0 to 20, or there is none.
    """
    if k is None:
        return tuple(range(MOST_FLAWS + 1))
    given = k.split(",") if isinstance(k, str) else [k] if isinstance(k, int) else list(k)
    texts = [str(count).strip() for count in given]
    allowed = {str(count) for count in range(MOST_FLAWS + 1)}
    if not texts or not allowed.issuperset(texts):
        raise ValueError(f"k={k!r}: expected whole numbers from 0 to {MOST_FLAWS}")
    return tuple(sorted({int(text) for text in texts}))


def _asked(planted: FlawedResponse, mode: Mode) -> list[tuple[Criterion, ...]]:
    """The dimensions of each call."""
    criteria = planted.item.criteria
    return [criteria] if mode == "joint" else [(part,) for part in criteria]


def _seed(seed: int, place: int) -> int:
    """A seed of its own for each dialogue of each run."""
    return int(content_hash("attention limit", seed, place), 16)
