"""Any scorer, applied only to answers that follow their format (FormatEval, section 3.1)."""

from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Scorer, metric
from inspect_ai.scorer import scorer as register_scorer
from inspect_ai.util import registry_create

from bias_tasks.solvers.inspect_api import ScorerError, checks_arguments, register_logged_name


@metric(scores="reduced")
def gated_metrics(moe: float = 0.05, alpha: float = 0.05) -> Metric:
    """Compute `fi`, `sys`, `est_true`, `reliable` and `needed_fi` of gated scores.

    Each metric has its 95 % interval and the number of samples in its denominator (`<name>_n`).
    Samples of one cluster of our tasks are treated as correlated.

    Args:
        moe: Margin of error within which `est_true` is reliable, as a share.
        alpha: 1 minus the confidence of that verdict.
    """

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        from bias_tasks.scorers.format_gated_score import compute_gated_metrics

        return compute_gated_metrics(scores, moe, alpha)

    return compute


@register_scorer(metrics=[gated_metrics()])
@checks_arguments(ScorerError)
def format_gated(scorer: str | Scorer, format: str | None = None, **options: Any) -> Scorer:
    """Score the value of an answer with another scorer if the answer follows its format.

    The value replaces the answer: in the model's output, in the last message and, if the sample has
    choices, as the selected choice. An answer that does not follow scores 0 without a call of the
    other scorer. A sample that the other scorer leaves unscored stays unscored. The score's
    metadata has the other scorer's value, answer and metadata and, for samples of our tasks, the
    outcome that the task's metrics need.

    Args:
        scorer: A scorer, or the registered name of one, such as `match`.
        format: Name of the format, if no solver or task of this package requested it. Not `json` or
            `yaml`, whose keys only the solver `format_instruction` stores.
        options: Arguments of a scorer given by name, such as `location="exact"`.

    Raises:
        ScorerError: The scorer cannot be created, or the format is unknown. A sample is an error if
            no format was requested, or if the scorer's value is not a number from 0 to 1.
    """
    from bias_tasks.scorers.format_gated_score import create_gated_scorer

    if options and not isinstance(scorer, str):
        raise ValueError(
            f"takes no {', '.join(options)} with a scorer that is already created: give the "
            "scorer by its name"
        )
    try:
        wrapped = (
            registry_create("scorer", scorer, **options) if isinstance(scorer, str) else scorer
        )
    except (LookupError, TypeError) as error:
        raise ValueError(error.args[0]) from error
    return create_gated_scorer(wrapped, format)


register_logged_name(format_gated)
