"""The family of tasks with judges: pairwise comparison, single scores, and self-preference."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from bias_tasks.contract.family import Family
from bias_tasks.contract.metrics import MetricSpec, declared_metrics
from bias_tasks.contract.outcomes import Answer, Outcome, judge_usage
from bias_tasks.contract.parameters import ParameterValues
from bias_tasks.contract.questions import Plan, Question, Request
from bias_tasks.judge_bias import self_preference
from bias_tasks.judge_bias.items import JudgeBiasData, JudgeBiasExtra, JudgeBiasParams
from bias_tasks.judge_bias.outcomes import SCALE, score_judgment
from bias_tasks.judge_bias.plan import plan_judge_bias
from bias_tasks.judge_bias.self_preference import SELF_PREFERENCE, AnswersToCompare
from bias_tasks.parsing.parsed_answer import TIE
from bias_tasks.probing.items import BASELINE
from bias_tasks.statistics.estimate import Estimate, count_items
from bias_tasks.user_names import parse_names

PAIR = (1, 2)
"""The order of two answers without numbers of their own, as in `self_preference`."""


class JudgeBias(Family[JudgeBiasData, JudgeBiasExtra]):
    """A judge's verdicts on pairs and its scores of responses, at baseline and under probes."""

    name = "judge_bias"
    version = 13
    scoring_data_type = JudgeBiasData
    extra_type = JudgeBiasExtra
    roles = (self_preference.OTHER_ROLE, self_preference.JURY_ROLE)

    @cached_property
    def metrics(self) -> tuple[MetricSpec, ...]:
        """The metrics of judges, then the metrics of a probed task that `metrics.yaml` omits."""
        declared = declared_metrics(self.package)
        names = {metric.name for metric in declared}
        probe_metrics = declared_metrics("bias_tasks.probing")
        return (
            *declared[:-1],
            *(metric for metric in probe_metrics if metric.name not in names),
            declared[-1],
        )

    def plan(self, task: str, values: ParameterValues, *, likelihoods: bool = False) -> Plan:
        """Plan each pair under every variant, or each prompt of `self_preference`; see `Family`."""
        params = JudgeBiasParams(
            data=values["data"],
            seed=values["seed"],
            n=self.tasks[task].items_asked(values),
            template=values["template"],
            probes=tuple(parse_names(values.get("probes"))),
            repeats=values.get("repeats", 0),
            pairs=values.get("pairs", "clear"),
        )
        if task == SELF_PREFERENCE:
            return self_preference.plan_self_preference(params)
        return plan_judge_bias(params, pairwise=task == "judge_pairwise")

    def requests(self, question: Question, answer: str) -> tuple[Request, ...]:
        """Return one call; for `self_preference` two answers and four comparisons of them."""
        if isinstance(question.source, AnswersToCompare):
            return self_preference.list_requests(question.source, answer)
        return super().requests(question, answer)

    def score_visible_text(self, data: JudgeBiasData, answer: Answer) -> Outcome[JudgeBiasExtra]:
        """Return the preferred response by its number or `tie`, or the score of a response."""
        if data.answer_hashes is not None:
            return self_preference.score_comparisons(data, answer)
        return score_judgment(data, answer)

    def write_answer(self, data: JudgeBiasData, value: float | str) -> str:
        """Return a verdict, or the score of a single response.

        Args:
            data: The question's scoring data.
            value: The number of the preferred response or `tie`; for a single response its score.
        """
        if data.response is not None:
            return f"Score: {value:.6g}"
        order: Sequence[float | str] = data.response_order or PAIR
        return f"Verdict: {'AB'[order.index(value)] if value in order else TIE}"

    def allowed_answers(self, data: JudgeBiasData) -> Sequence[str]:
        """Return the verdicts, or the range of scores; empty for `self_preference`.

        Its sample holds several verdicts, which a grader cannot report as one value.
        """
        if data.answer_hashes is not None:
            return ()
        if data.response is None:
            return ("A", "B", TIE)
        low, high = SCALE
        return (f"a number from {low:g} to {high:g}",)

    def compute_metrics(
        self,
        outcomes: Sequence[Outcome[JudgeBiasExtra]],
        options: ParameterValues,
        *,
        intervals: bool = True,
    ) -> dict[str, Estimate]:
        """Compute every metric; verdicts on an item are compared within an epoch."""
        # Imported here: it loads numpy and scipy, which listing or building a task does not need.
        from bias_tasks.judge_bias.metrics import judge_bias_metrics
        from bias_tasks.judge_bias.metrics_self_preference import self_preference_metrics

        is_self_preference = bool(outcomes) and outcomes[0].extra.verdicts is not None
        compute = self_preference_metrics if is_self_preference else judge_bias_metrics
        n_items = count_items(outcome.item for outcome in outcomes)
        return compute(outcomes, intervals) | n_items | judge_usage(outcomes)

    def example_outcome(self, data: JudgeBiasData) -> Outcome[JudgeBiasExtra]:
        """Return a parsed answer; for `self_preference` a prompt with a tie of the jury."""
        if data.answer_hashes is not None:
            return self_preference.example_comparison(data)
        outcome = self.score_visible_text(data, Answer())
        if data.response is not None:
            return replace(outcome, answer="5", score=5.0)
        if data.gold:
            return replace(outcome, answer=data.gold, score=1.0)
        return replace(outcome, answer=str(data.response_order[0]), score=None)

    def baseline_variant(self, variant: str) -> str | None:
        """Return the baseline, for a single response with its role; None for the baseline."""
        if variant == SELF_PREFERENCE:
            return None
        probe, slash, role = variant.partition("/")
        return None if probe == BASELINE else f"{BASELINE}{slash}{role}"

    def displayed_label(self, data: JudgeBiasData, answer: str) -> str | None:
        """Return A or B for a response of a compared pair; other answers are unchanged."""
        numbers = [str(number) for number in data.response_order]
        if data.response is not None or answer not in numbers:
            return answer
        return "AB"[numbers.index(answer)]

    def normalized_score(self, outcome: Outcome[JudgeBiasExtra]) -> float | None:
        """Return how correct a verdict is, or the position of a score on its scale, from 0 to 1."""
        if outcome.answer is None or outcome.score is None:
            return None
        if outcome.extra.response is None:
            return outcome.score
        low, high = SCALE
        return (outcome.score - low) / (high - low)


FAMILY = JudgeBias()
