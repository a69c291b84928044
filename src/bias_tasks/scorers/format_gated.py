"""Any scorer, asked about answers that follow their format alone (FormatEval, section 3.1)."""

from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Scorer, metric
from inspect_ai.scorer import scorer as register_scorer
from inspect_ai.util import registry_create

from bias_tasks.solvers.inspect_host import ScorerError, known_as_logged, refusing


@metric(scores="reduced")
def gated_figures(moe: float = 0.05, alpha: float = 0.05) -> Metric:
    """`fi`, `sys`, `est_true`, `reliable` and `needed_fi`, each with its 95 % interval and the
    samples in its denominator (`<name>_n`). Samples of one of our clusters count together. `moe` is
    the margin of error within which `est_true` is reliable, a share, `alpha` one less the
    confidence of that."""

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        from bias_tasks.scorers.format_gated_score import gated_card

        return gated_card(scores, moe, alpha)

    return compute


@register_scorer(metrics=[gated_figures()])
@refusing(ScorerError)
def format_gated(scorer: str | Scorer, format: str | None = None, **options: Any) -> Scorer:
    """Have `scorer` score what an answer holds, where the answer follows its format.

    What is read out of the format takes the answer's place: as the model's output, as the last
    message and, where the sample has choices, as the choice that was made. An answer that does not
    follow scores 0, and `scorer` is not asked. What it said stands in the score's metadata, and
    where one of our tasks asked also the outcome that its figures take. What it leaves unscored
    stays so.

    Args:
        scorer: a scorer, or the name that one is registered by, such as `match`.
        format: the format's name, where no solver of ours asked for it; not `json` and `yaml`,
            whose keys the solver notes.
        options: arguments of the scorer that is given by name, such as `location="exact"`.

    A sample is an error where it was asked in no format, or the value is no number from 0 to 1.
    """
    from bias_tasks.scorers.format_gated_score import gated

    if options and not isinstance(scorer, str):
        raise ValueError(f"takes no {', '.join(options)} beside a scorer that is made")
    try:
        made = registry_create("scorer", scorer, **options) if isinstance(scorer, str) else scorer
    except (LookupError, TypeError) as error:
        raise ValueError(error.args[0]) from error
    return gated(made, format)


known_as_logged(format_gated)
