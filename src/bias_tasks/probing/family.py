"""Probed tasks as a family: what their outcomes come to; their questions are another task's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bias_tasks.contract.family import Answer, Family, Outcome, Plan, Question, Request
from bias_tasks.data.errors import DataError
from bias_tasks.instruction_boundary.plan import POLISHER
from bias_tasks.instruction_boundary.prompts.ask import polish_request
from bias_tasks.probing.items import PLAIN, PROBES_TRIED, REPEAT
from bias_tasks.probing.plan import ProbedQuestion, question_from
from bias_tasks.statistics.estimate import Estimate, items_counted

CERTAIN = "certain"
"""In an outcome's `own`: whether asking the same again gives the same, so that nobody asks."""


def outcome_of(
    question: ProbedQuestion,
    answer: str | None,
    score: float | None,
    why: str,
    *,
    probes: Sequence[str] = (),
    certain: bool = False,
    **more: Any,
) -> Outcome:
    """What an answer to a probed question came to.

    Args:
        question: that was asked.
        answer: its content (`content_of`); None where the probed task read none.
        score: by the probed task, from 0 to 1; None where it gave none.
        why: how answer and score came about.
        probes: that the run tries on each item, whether they apply to any or not.
        certain: whether asking the same again gives the same.
        **more: `reason` and `epoch`.
    """
    own: dict[str, Any] = {CERTAIN: True} if certain else {}
    if question.variant == PLAIN:
        own[PROBES_TRIED] = list(probes)
    item = question.item
    names: dict[str, Any] = {
        "item": item.id,
        "cluster": item.own_cluster,
        "variant": question.variant,
    }
    return Outcome(**names, gold=item.gold, answer=answer, score=score, why=why, own=own, **more)


class Probing(Family):
    """Any task asked in other ways."""

    name = "probing"
    version = 2
    roles = (POLISHER,)

    def plan(self, task: str, values: Mapping[str, Any], *, likelihoods: bool = False) -> Plan:
        """Raises a DataError: the items are another task's, which a host loads (`planned_as`)."""
        raise DataError(
            "the items of a probed task are another task's, which its host loads: run it with "
            "`inspect eval bias_tasks/probe -T task=...` or `lm_eval --tasks bias_probe`"
        )

    def requests(self, question: Question, answer: str) -> tuple[Request, ...]:
        """One call, with one before it where a prompt is polished and one behind it where the model
        is told something behind its answer; none where the answer is at hand."""
        if getattr(question.source, "taken", False):
            return ()
        asked = question.facts["asked"]
        prompt = "\n\n".join(part for part in (asked.get("beginning"), question.prompt) if part)
        requests = [Request(prompt)]
        if asked.get("polish"):
            requests.insert(0, Request(polish_request(prompt), POLISHER, answer=prompt))
        if asked.get("again"):
            requests.append(Request(f"{prompt}{answer}{asked['again']}"))
        return tuple(requests)

    def read(self, facts: Mapping[str, Any], answer: Answer) -> Outcome:
        """Raises a TypeError: the probed task's own scorer reads its answers."""
        raise TypeError("a probed task's answers are read by that task's own scorer")

    def scorecard(
        self, outcomes: Sequence[Outcome], options: Mapping[str, Any]
    ) -> dict[str, Estimate]:
        """Every figure: by probe, and over all of them."""
        # Imported here: it loads numpy and scipy, which listing or building a task doesn't need.
        from bias_tasks.probing.metrics import probe_card

        again = [replace(each, variant=f"{REPEAT}1") for each in outcomes if each.own.get(CERTAIN)]
        return probe_card([*outcomes, *again]) | items_counted(each.item for each in outcomes)

    def answer_text(self, facts: Mapping[str, Any], answer: str) -> str:
        """A choice by its text in place of its place."""
        choices = facts["item"]["choices"]
        places = [each.removeprefix("#") for each in answer.split()]
        if not choices or not all(each.isdecimal() and int(each) < len(choices) for each in places):
            return answer
        return "; ".join(str(choices[int(each)]) for each in places)

    def outcome_with_all_figures(self, facts: Mapping[str, Any]) -> Outcome:
        """A right answer to the question."""
        certain = bool(facts.get(CERTAIN))
        question = question_from(facts)
        return outcome_of(question, question.item.gold, 1.0, "", certain=certain)

    def compared_with(self, variant: str) -> str | None:
        """The plain question."""
        return None if variant == PLAIN else PLAIN


FAMILY = Probing()
