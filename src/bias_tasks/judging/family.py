"""Judges under probes as a family of tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from bias_tasks.contract.family import Answer, Family, Outcome, Plan, Question, Request, judge_usage
from bias_tasks.contract.figures import Figure, declared_figures
from bias_tasks.judging import self_preference
from bias_tasks.judging.outcomes import SCALE, outcome_of
from bias_tasks.judging.plan import plan_judging
from bias_tasks.judging.self_preference import COMPARED, SELF_PREFERENCE, AnswersToCompare
from bias_tasks.parsing.parsed_answer import TIE
from bias_tasks.probing.items import PLAIN
from bias_tasks.statistics.estimate import Estimate, items_counted


class Judging(Family):
    """A judge's verdicts on pairs, and its scores of responses, plain and under probes."""

    name = "judging"
    version = 9
    roles = (self_preference.OTHER_ROLE, self_preference.JURY_ROLE)

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """Those of a probed task, in a judge's words where these differ, and a judge's own."""
        own = declared_figures(self.package)
        names = {figure.name for figure in own} | {"coverage"}  # which is 1 for every probe
        shared = declared_figures("bias_tasks.probing")
        return (*own[:-1], *(each for each in shared if each.name not in names), own[-1])

    def plan(self, task: str, values: Mapping[str, Any], *, likelihoods: bool = False) -> Plan:
        """Every pair plain, again, and under each probe; for self-preference every prompt."""
        values = {**values, "n": self.tasks[task].items_asked(values)}
        if task == SELF_PREFERENCE:
            return self_preference.plan_self_preference(values)
        return plan_judging(values, pairwise=task == "judge_pairwise")

    def requests(self, question: Question, answer: str) -> tuple[Request, ...]:
        """One call; for self-preference two answers, and four comparisons of them."""
        if isinstance(question.source, AnswersToCompare):
            return self_preference.requests_of(question.source, answer)
        return super().requests(question, answer)

    def read(self, facts: Mapping[str, Any], answer: Answer) -> Outcome:
        """The preferred response by its number, or `tie`; of a single one its score."""
        if COMPARED in facts:
            return self_preference.outcome_of(facts, answer)
        return outcome_of(facts, answer)

    def sayable(self, facts: Mapping[str, Any]) -> Sequence[str]:
        """A response or a tie, or a score; comparisons with own answers are several verdicts."""
        if COMPARED in facts:
            return ()
        low, high = SCALE
        score = f"a number from {low:g} to {high:g}"
        return (score,) if "response" in facts else ("A", "B", TIE)

    def scorecard(
        self, outcomes: Sequence[Outcome], options: Mapping[str, Any]
    ) -> dict[str, Estimate]:
        """Every figure; an item's verdicts are compared within an epoch."""
        # Imported here: it loads numpy and scipy, which listing or building a task doesn't need.
        from bias_tasks.judging.metrics import judging_card, self_preference_card

        compared = bool(outcomes) and self_preference.VERDICTS in outcomes[0].own
        card = self_preference_card if compared else judging_card
        items = items_counted(each.item for each in outcomes)
        return card(outcomes) | items | judge_usage(outcomes)

    def outcome_with_all_figures(self, facts: Mapping[str, Any]) -> Outcome:
        """An answer that was read; for self-preference one of which the jury is undecided."""
        if COMPARED in facts:
            return self_preference.complete_outcome(facts)
        outcome = self.read(facts, Answer())
        if "response" in facts:
            return replace(outcome, answer="5", score=5.0)
        gold = facts["gold"] or str(facts["shown"][0])
        return replace(outcome, answer=gold, score=1.0 if facts["gold"] else None)

    def compared_with(self, variant: str) -> str | None:
        """The plain question; of a single response its own."""
        if variant == SELF_PREFERENCE:
            return None
        way, slash, role = variant.partition("/")
        return None if way == PLAIN else f"{PLAIN}{slash}{role}"

    def normalized_score(self, outcome: Outcome) -> float | None:
        """A score's place on its scale; of a verdict, how right it is."""
        if outcome.answer is None or outcome.score is None:
            return None
        if "response" not in outcome.own:
            return outcome.score
        low, high = SCALE
        return (outcome.score - low) / (high - low)


FAMILY = Judging()
