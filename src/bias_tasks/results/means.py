"""Means of figures over models that were asked the same."""

from collections.abc import Sequence
from dataclasses import replace

from bias_tasks.results.run import Run, Samples, UnusableRunError
from bias_tasks.statistics.estimate import Estimate


def over_models(runs: Sequence[Run]) -> list[Run]:
    """A run for each that was asked (by its digest), with the means of the figures that all have.

    The limits are the means of the models' limits. They hold however the models' errors go
    together, which were asked the same items (MOVER, Zou and Donner 2008, with correlations of 1),
    and are about these models, not about others. A mean is nan where one model has no figure.

    Raises:
        UnusableRunError: a model was asked the same twice.
    """
    groups: dict[tuple[str, str], dict[str, Run]] = {}
    for run in runs:
        models = groups.setdefault((run.record["task"], run.record["digest"]), {})
        other = models.setdefault(run.model, run)
        if other is not run:
            raise UnusableRunError(f"one model was asked the same twice: {other.path}, {run.path}")
    return [_mean(list(models.values())) for models in groups.values()]


def _mean(runs: Sequence[Run]) -> Run:
    shared = [name for name in runs[0].metrics if all(name in run.metrics for run in runs)]
    return replace(
        runs[0],
        model=f"mean of {len(runs)} models",
        metrics={name: _mean_of([run.metrics[name] for run in runs]) for name in shared},
        path=runs[0].path.parent,
        settings={},
        samples=Samples.sum(run.samples for run in runs),
    )


def _mean_of(figures: Sequence[Estimate]) -> Estimate:
    parts = ([each.value, each.ci_low, each.ci_high] for each in figures)
    value, low, high = (sum(each) / len(figures) for each in zip(*parts, strict=True))
    return Estimate(value, low, high, min(each.n for each in figures))
