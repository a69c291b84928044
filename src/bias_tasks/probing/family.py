"""The family of probed tasks. Their items, and the scores of their answers, are another task's."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bias_tasks.contract.family import Family
from bias_tasks.contract.outcomes import Answer, Extra, Outcome
from bias_tasks.contract.parameters import ParameterValues
from bias_tasks.contract.questions import Plan, Question, Request
from bias_tasks.contract.unparsed_notice import OWN_SCORER
from bias_tasks.data.errors import DataError
from bias_tasks.probing.displayed_options import LETTERS
from bias_tasks.probing.items import BASELINE, REPEAT, ProbeData, format_choice_indices
from bias_tasks.prompts.edits import POLISHER, render_polish_request, surround
from bias_tasks.statistics.estimate import Estimate, count_items


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeExtra(Extra):
    """What the metrics need of an outcome besides its score."""

    deterministic: bool = False
    """Whether a repeat of the request gives the same answer, so that repeats are not sent."""
    probes: tuple[str, ...] | None = None
    """The probes that the run tries on each item; of baseline answers only."""


def build_outcome(
    data: ProbeData,
    answer: str | None,
    score: float | None,
    explanation: str,
    *,
    probes: Sequence[str] = (),
    reason: str | None = None,
    epoch: int = 1,
) -> Outcome[ProbeExtra]:
    """Return the outcome of an answer that the probed task scored.

    Args:
        data: The question's scoring data.
        answer: The answer by `normalize_answer`; None if it is unparsed.
        score: The task's score, from 0 to 1; None if there is none.
        explanation: How the answer was parsed and scored.
        probes: The probes that the run tries on each item.
        reason: As in `Outcome`.
        epoch: As in `Answer`.
    """
    extra = ProbeExtra(
        deterministic=bool(data.deterministic),
        probes=tuple(probes) if data.variant == BASELINE else None,
    )
    return Outcome(
        item=data.item,
        cluster=data.cluster,
        variant=data.variant,
        gold=data.gold,
        answer=answer,
        score=score,
        explanation=explanation,
        reason=reason,
        unparsed_reason=OWN_SCORER if answer is None else None,
        epoch=epoch,
        extra=extra,
    )


class Probing(Family[ProbeData, ProbeExtra]):
    """Any task under probes."""

    name = "probing"
    version = 5
    scoring_data_type = ProbeData
    extra_type = ProbeExtra
    roles = (POLISHER,)

    def plan(self, task: str, values: ParameterValues, *, likelihoods: bool = False) -> Plan:
        """Raise a DataError: a framework loads the task that has the items."""
        raise DataError(
            "a framework loads the task that is probed: run `inspect eval bias_tasks/probe "
            "-T task=...` or `lm_eval --tasks bias_probe`"
        )

    def requests(self, question: Question, answer: str) -> tuple[Request, ...]:
        """Return the calls of a question: the polisher's, the prompt, and the follow-up."""
        perturbation = question.data_as(ProbeData).perturbation
        prompt = surround(question.prompt, before=perturbation.prefix)
        requests = [Request(prompt)]
        if perturbation.polish:
            requests.insert(0, Request(render_polish_request(prompt), POLISHER, answer=prompt))
        if perturbation.follow_up:
            requests.append(Request(f"{prompt}{answer}{perturbation.follow_up}"))
        return tuple(requests)

    def score_visible_text(self, data: ProbeData, answer: Answer) -> Outcome[ProbeExtra]:
        """Raise a TypeError: the probed task's own scorer scores its answers."""
        raise TypeError("the answers of a probed task are scored by that task's own scorer")

    def compute_metrics(
        self,
        outcomes: Sequence[Outcome[ProbeExtra]],
        options: ParameterValues,
        *,
        intervals: bool = True,
    ) -> dict[str, Estimate]:
        """Return every metric, by probe and over all of them."""
        # Imported here: it loads numpy and scipy, which listing or building a task does not need.
        from bias_tasks.probing.metrics import probe_metrics

        repeats = [
            replace(outcome, variant=f"{REPEAT}1")
            for outcome in outcomes
            if outcome.extra.deterministic
        ]
        tried = {probe for outcome in outcomes for probe in outcome.extra.probes or ()}
        metrics = probe_metrics([*outcomes, *repeats], tried, intervals=intervals)
        return metrics | count_items(outcome.item for outcome in outcomes)

    def findings(
        self, outcomes: Sequence[Outcome[ProbeExtra]], options: ParameterValues
    ) -> Sequence[str]:
        """Return the variants without a parsed answer, which nothing is compared with."""
        parsed = {outcome.variant for outcome in outcomes if outcome.answer is not None}
        others = sorted({outcome.variant for outcome in outcomes} - parsed)
        by_level = super().findings(outcomes, options)
        if not parsed or not others:
            return by_level
        names = ", ".join(others)
        sentence = f"no answer under {names} is parsed: what compares answers with these is nan"
        return (sentence, *by_level)

    def answer_text(self, data: ProbeData, answer: str) -> str:
        """Return the texts of the choices that an answer names by their indices."""
        texts = []
        for reference in answer.split():
            index = reference.removeprefix("#")
            if not index.isdecimal() or int(index) >= len(data.choices):
                return answer
            texts.append(data.choices[int(index)])
        return "; ".join(texts) if data.choices else answer

    def displayed_label(self, data: ProbeData, answer: str) -> str | None:
        """Return the labels of the choices where the prompt displays them, or a free answer."""
        if not data.choices:
            return answer
        order = data.perturbation.order or range(len(data.choices))
        style = data.perturbation.option_style
        labels = (style and style.labels) or data.labels or LETTERS
        # LETTERS has more labels than an item has choices.
        displayed = zip(order, labels, strict=False)
        by_choice = {format_choice_indices([choice]): label for choice, label in displayed}
        return ", ".join(by_choice.get(choice, choice) for choice in answer.split(" "))

    def example_outcome(self, data: ProbeData) -> Outcome[ProbeExtra]:
        """Return a correct answer to the question."""
        return build_outcome(data, data.gold, 1.0, "")

    def baseline_variant(self, variant: str) -> str | None:
        """Return the baseline prompt's variant, None for that variant itself."""
        return None if variant == BASELINE else BASELINE


FAMILY = Probing()
