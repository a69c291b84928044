"""Judges under auxiliary information as a family of tasks."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bias_tasks.complex_eval.items import (
    CHOSEN,
    FULL,
    MODES,
    NONE,
    ORIGINAL,
    REJECTED,
    SCALES,
    JudgedKind,
)
from bias_tasks.complex_eval.outcomes import collect_issue_counts, collect_judgements, score_answer
from bias_tasks.complex_eval.plan import (
    JudgeParameters,
    plan_attention,
    plan_pairs,
    plan_single,
)
from bias_tasks.complex_eval.prompts.judge import SCORE_RANGE, SEVERITY_RANGE
from bias_tasks.complex_eval.scoring_data import JudgeData, JudgeExtra
from bias_tasks.contract.family import Family
from bias_tasks.contract.outcomes import Answer, Outcome, judge_usage
from bias_tasks.contract.parameters import ParameterValues
from bias_tasks.contract.questions import Plan
from bias_tasks.statistics.estimate import Estimate, count_items

REASONING = "I went through it part by part before I settled on a verdict."
"""What `write_answer` gives as the reasoning."""
_SINGLE: Mapping[str, JudgedKind] = {
    "complexeval_math": "math",
    "complexeval_role_playing": "role_playing",
    "complexeval_writing": "creative_writing",
}
"""Kind of the judged items by task, for the tasks of single responses."""


class ComplexEval(Family[JudgeData, JudgeExtra]):
    """Judges that score responses with and without auxiliary information and attacks."""

    name = "complex_eval"
    version = 14
    scoring_data_type = JudgeData
    extra_type = JudgeExtra
    mitigations = frozenset({"judge_prompt"})

    def plan(self, task: str, values: ParameterValues, *, likelihoods: bool = False) -> Plan:
        """Return the questions of a run: every response under each condition, judged once."""
        params = JudgeParameters.from_values(values, self.tasks[task].items_asked(values))
        if task in _SINGLE:
            return plan_single(_SINGLE[task], params)
        return plan_pairs(params) if task == "complexeval_basic" else plan_attention(params)

    def score_visible_text(self, data: JudgeData, answer: Answer) -> Outcome[JudgeExtra]:
        """Return the outcome of a judge's answer: its score, position, or number of flaws."""
        return score_answer(data, answer)

    def write_answer(self, data: JudgeData, value: Any) -> str:
        """Return the JSON object that the prompt requests.

        Args:
            data: The question's scoring data.
            value: A score, scores by criterion, a position, or flaws as JSON objects.
        """
        fields: Mapping[JudgedKind, str] = {"math": "first_error", "role_playing": "flaws"}
        name = fields.get(data.form.family, "scores" if data.form.criteria else "score")
        return json.dumps({"reasoning": REASONING, name: value}, ensure_ascii=False)

    def allowed_answers(self, data: JudgeData) -> Sequence[str]:
        """Return what a grader may report: a score, scores by criterion, a step, or flaws."""
        form = data.form
        low, high = SEVERITY_RANGE if form.family == "role_playing" else SCORE_RANGE
        number = f"a number from {low:g} to {high:g}"
        match form.family:
            case "math":
                return ("the number of the first wrong step, counted from 0", "-1: none is wrong")
            case "creative_writing":
                return tuple(f"{name}: {number}" for name in form.criteria)
            case "role_playing":
                names = " or ".join(form.criteria)
                flaw = f'{{"dimension": {names}, "severity": {number}, "quote": "..."}}'
                return (f'{{"flaws": [{flaw}, ...]}}', '{"flaws": []}')
            case "basic":
                return (number,)

    def compute_metrics(
        self,
        outcomes: Sequence[Outcome[JudgeExtra]],
        options: ParameterValues,
        *,
        intervals: bool = True,
    ) -> dict[str, Estimate]:
        """Return every metric of a run; the judgements of an item are compared within an epoch.

        `asr_excess` and `delta_asr` are nan for a judge that always gives the same score, because
        no attack can raise it.
        """
        if not outcomes:
            return {}
        usage = judge_usage(outcomes)
        if outcomes[0].extra.flaw_count is not None:
            items = count_items(outcome.item for outcome in outcomes)
            return _compute_attention_metrics(outcomes, intervals) | items | usage
        judgements = collect_judgements(outcomes)
        protocol = options.get("protocol", "corrected")
        items = count_items(judgement.judged.item for judgement in judgements)
        if all(judgement.judged.family == "basic" for judgement in judgements):
            from bias_tasks.complex_eval.metrics_basic import compute_pair_metrics

            theta = options.get("theta", 0.5)
            metrics = compute_pair_metrics(judgements, theta, protocol, intervals=intervals)
            return metrics | items | usage
        # Imported here: they load numpy and scipy, which listing or building a task does not need.
        from bias_tasks.complex_eval.metrics_attacks import compute_attack_metrics
        from bias_tasks.statistics.rate_intervals import NO_ESTIMATE

        beta = options.get("beta")
        metrics = compute_attack_metrics(judgements, beta, protocol, intervals=intervals)
        n_items = len({judgement.judged.item for judgement in judgements})
        scores = {judgement.score for judgement in judgements} - {None}
        if n_items > 1 and len(scores) < 2:
            dependent = [name for name in metrics if "asr_excess" in name or "delta_asr" in name]
            metrics |= dict.fromkeys(dependent, NO_ESTIMATE)
        return metrics | self.above_chance_metrics(outcomes, intervals=intervals) | items | usage

    def counts(
        self,
        outcomes: Sequence[Outcome[JudgeExtra]],
        metrics: Mapping[str, Estimate],
        options: ParameterValues,
    ) -> Mapping[str, Mapping[str, object]]:
        """Return how many pairs are ranked correctly before any attack."""
        baseline = metrics.get("acc/none")
        if baseline is None or baseline.count is None:
            return {}
        return {"score_rise": {"right": baseline.count, "pairs": baseline.n}}

    def example_outcome(self, data: JudgeData) -> Outcome[JudgeExtra]:
        """Return an outcome with a score, and correct, so that attacks could win."""
        outcome = self.score_visible_text(data, Answer())
        if data.flaw_count is not None:
            extra = replace(outcome.extra, located=0.0, by_chance=0.0)
            return replace(outcome, score=0.0, extra=extra)
        if data.form.family == "math":
            return replace(outcome, score=float(data.gold or 0))
        score = SCALES[data.form.family][0]
        extra = replace(outcome.extra, criteria=dict.fromkeys(data.form.criteria, score))
        return replace(outcome, score=score, extra=extra)

    def displayed_label(self, data: JudgeData, answer: str) -> str | None:
        """Return a single score; None for scores of several criteria, and for lists of flaws."""
        return None if data.form.criteria or data.flaw_count is not None else answer

    def baseline_variant(self, variant: str) -> str | None:
        """Return the variant of the unattacked response, or of it without auxiliary information."""
        aux, _, response = variant.partition("/")
        unattacked = response.partition("~")[0]
        if REJECTED not in response and response != CHOSEN:
            baseline = f"{FULL if unattacked == ORIGINAL else aux}/{ORIGINAL}"
        elif unattacked != response:
            baseline = f"{aux}/{unattacked}"
        else:
            baseline = f"{NONE}/{response}"
        return None if baseline == variant else baseline

    def normalized_score(self, outcome: Outcome[JudgeExtra]) -> float | None:
        """Return the position of a score on its scale; in math, whether the position is correct."""
        judgements = outcome.extra.judgements
        if outcome.score is None or not judgements:
            return None
        if judgements[0].family == "math":
            return float(outcome.score == judgements[0].first_error)
        low, high = SCALES[judgements[0].family]
        return (outcome.score - low) / (high - low)

    def is_correct(self, outcome: Outcome[JudgeExtra]) -> bool | None:
        """Return whether a position is correct; None for scores and counts."""
        judgements = outcome.extra.judgements
        if not judgements or judgements[0].family != "math":
            return None
        return self.normalized_score(outcome) == 1


def _compute_attention_metrics(
    outcomes: Sequence[Outcome[JudgeExtra]], intervals: bool
) -> dict[str, Estimate]:
    """Return the metrics of the attention limit, and whether recall is above chance."""
    # Imported here: they load numpy and scipy, which listing or building a task does not need.
    from bias_tasks.complex_eval.metrics_attention_limit import compute_attention_metrics
    from bias_tasks.statistics.above_chance import above_chance_significant

    metrics = compute_attention_metrics(collect_issue_counts(outcomes), intervals)
    for mode in MODES:
        if f"recall/{mode}" in metrics:  # no mode has it until a dialogue with a flaw is judged
            chance = metrics[f"recall_chance/{mode}"].value
            return metrics | above_chance_significant(metrics[f"recall/{mode}"], chance)
    return metrics


FAMILY = ComplexEval()
