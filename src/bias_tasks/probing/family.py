"""Probed tasks as a family: what their outcomes come to; their questions are another task's."""

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
    """What an answer came to, by its content (`content_of`) and its score, from 0 to 1, of which
    either may be None. `why` says how they came about, `probes` what the run tries on each item,
    and `certain` whether asking the same again gives the same."""
    item, variant = question.item, question.variant
    own: dict[str, Any] = {CERTAIN: True} if certain else {}
    own |= {PROBES_TRIED: list(probes)} if variant == PLAIN else {}
    said = item.gold, answer, score, why
    return Outcome(item.id, item.own_cluster, variant, *said, own=own, **more)


class Probing(Family):
    """Any task asked in other ways."""

    name = "probing"
    version = 2
    roles = (POLISHER,)

    def plan(self, task: str, values: Mapping[str, Any], *, likelihoods: bool = False) -> Plan:
        """Raises a DataError: the items are another task's, which a host loads."""
        raise DataError(
            "the items of a probed task are another task's, which its host loads: run it with "
            "`inspect eval bias_tasks/probe -T task=...` or `lm_eval --tasks bias_probe`"
        )

    def requests(self, question: Question, answer: str) -> tuple[Request, ...]:
        """One call, with one that polishes its prompt or one behind; none for answers at hand."""
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
        question = question_from(facts)
        return outcome_of(question, question.item.gold, 1.0, "", certain=bool(facts.get(CERTAIN)))

    def compared_with(self, variant: str) -> str | None:
        """The plain question."""
        return None if variant == PLAIN else PLAIN


FAMILY = Probing()
