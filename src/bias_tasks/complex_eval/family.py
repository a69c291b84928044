"""Judges under auxiliary information as a family of tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bias_tasks.complex_eval.items import (
    CHOSEN,
    MODES,
    NONE,
    ORIGINAL,
    REJECTED,
    SCALES,
    JudgedKind,
)
from bias_tasks.complex_eval.outcomes import issue_counts, judgement_rows, outcome_of
from bias_tasks.complex_eval.plan import plan_attention, plan_pairs, plan_single
from bias_tasks.complex_eval.prompts.judge import SCORE_RANGE, SEVERITY_RANGE
from bias_tasks.contract.family import Answer, Family, Outcome, Plan, judge_usage
from bias_tasks.statistics.estimate import Estimate, items_counted

_SINGLE: Mapping[str, JudgedKind] = {
    "complexeval_math": "math",
    "complexeval_role_playing": "role_playing",
    "complexeval_writing": "creative_writing",
}
"""What the tasks of single responses have judged."""


class ComplexEval(Family):
    """A judge's scores of responses, with and without auxiliary information and attacks."""

    name = "complex_eval"
    version = 11
    mitigations = frozenset({"judge"})

    def plan(self, task: str, values: Mapping[str, Any], *, likelihoods: bool = False) -> Plan:
        """Every response under each condition of the task, each judged once."""
        values = {**values, "n": self.tasks[task].items_asked(values)}
        if task in _SINGLE:
            return plan_single(_SINGLE[task], values)
        return plan_pairs(values) if task == "complexeval_basic" else plan_attention(values)

    def read(self, facts: Mapping[str, Any], answer: Answer) -> Outcome:
        """The score, position or flaws that the judge gives; without a valid one it is unread."""
        return outcome_of(facts, answer)

    def sayable(self, facts: Mapping[str, Any]) -> Sequence[str]:
        """A score, a score a criterion, the first wrong step, or the list of flaws."""
        form = facts["form"]
        low, high = SEVERITY_RANGE if form["family"] == "role_playing" else SCORE_RANGE
        between = f"a number from {low:g} to {high:g}"
        match form["family"]:
            case "math":
                return ("the number of the first wrong step, counted from 0", "-1: none is wrong")
            case "creative_writing":
                return tuple(f"{name}: {between}" for name in form["criteria"])
            case "role_playing":
                names = " or ".join(form["criteria"])
                flaw = f'{{"dimension": {names}, "severity": {between}, "quote": "..."}}'
                return (f'{{"flaws": [{flaw}, ...]}}', '{"flaws": []}')
            case _:
                return (between,)

    def scorecard(
        self, outcomes: Sequence[Outcome], options: Mapping[str, Any]
    ) -> dict[str, Estimate]:
        """Every figure; an item's judgements are compared within an epoch.

        Of a judge that always gives the same score `asr_excess` is nan: it can raise none.
        """
        if not outcomes:
            return {}
        # Imported here: they load numpy and scipy, which listing or building a task doesn't need.
        from bias_tasks.statistics.intervals import NOTHING
        from bias_tasks.statistics.knowledge import can_tell

        if "count" in outcomes[0].own:
            from bias_tasks.complex_eval.metrics_attention import attention_scorecard

            card = attention_scorecard(issue_counts(outcomes))
            mode = next((mode for mode in MODES if f"recall/{mode}" in card), None)
            if mode is not None:  # None while no dialogue with a flaw has been judged
                card |= can_tell(card[f"recall/{mode}"], card[f"recall_chance/{mode}"].value)
            items = items_counted(outcome.item for outcome in outcomes)
            return card | items | judge_usage(outcomes)
        rows = judgement_rows(outcomes)
        items = items_counted(row.item for row in rows) | judge_usage(outcomes)
        if all(row.family == "basic" for row in rows):
            from bias_tasks.complex_eval.metrics_pairs import pairs_scorecard

            return pairs_scorecard(rows, options.get("theta", 0.5)) | items
        from bias_tasks.complex_eval.metrics_attacks import attacks_scorecard

        card = attacks_scorecard(rows, options.get("beta"))
        if len({row.item for row in rows}) > 1 == len({row.score for row in rows}):
            card |= {name: NOTHING for name in card if "asr_excess" in name}
        return card | self.beyond_chance(outcomes) | items

    def outcome_with_all_figures(self, facts: Mapping[str, Any]) -> Outcome:
        """A judgement that was read and is right: attacks are compared where one could win."""
        outcome = self.read(facts, Answer())
        if "count" in facts:
            return replace(outcome, score=0.0, own={**outcome.own, "located": 0, "by_chance": 0.0})
        family = facts["form"]["family"]
        score = facts["gold"] if family == "math" else SCALES[family][0]
        return replace(outcome, score=score)

    def compared_with(self, variant: str) -> str | None:
        """The same response before the attack; an unattacked one without auxiliary information."""
        aux, _, response = variant.partition("/")
        if REJECTED in response or response == CHOSEN:
            before = response.partition("~")[0]
            other = f"{aux}/{before}" if before != response else f"{NONE}/{response}"
        else:
            other = f"{aux}/{ORIGINAL}"
        return None if other == variant else other

    def normalized_score(self, outcome: Outcome) -> float | None:
        """A score's place on its scale; of a position, whether it is the right one."""
        judged = outcome.own.get("judgements")
        if outcome.score is None or judged is None:
            return None
        kind = judged[0]["family"]
        if kind == "math":
            return float(outcome.score == judged[0]["gold"])
        low, high = SCALES[kind]
        return (outcome.score - low) / (high - low)

    def right(self, outcome: Outcome) -> bool | None:
        """Of a position whether it is the right one; None of scores and counts."""
        judged = outcome.own.get("judgements")
        if not judged or judged[0]["family"] != "math":
            return None
        return self.normalized_score(outcome) == 1


FAMILY = ComplexEval()
