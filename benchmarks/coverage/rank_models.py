"""Is `bias-tasks rank` right as often as it says, for scores of any task?

Four simulated models answer the same items, which are hard or easy for all of them. The figures of
one data set are compared with an independent bootstrap of the paired scores. Prints a table.

    python -m benchmarks.coverage.rank_models  # ten minutes
    python -m benchmarks.coverage.rank_models --sets 20  # a rough look
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bias_tasks.results.answers import RunAnswers, complete_run
from bias_tasks.results.other_tasks import (
    SampleScores,
    build_record,
    describe_metrics,
    split_scores,
)
from bias_tasks.results.ranking import Ranking, rank_runs
from bias_tasks.results.run import Run, ScoredAnswer
from bias_tasks.statistics.effective_size import Floats

ITEMS, MODELS = 120, 4
SETTINGS = {
    "equal, independent items": (0.0, 1, False),
    "equal, clusters of 4": (0.0, 4, False),
    "equal, points from 0 to 10": (0.0, 1, True),
    "abilities differ (sd 0.06)": (0.06, 1, False),
    "abilities differ, clusters of 4": (0.06, 4, False),
    "abilities differ, points": (0.06, 1, True),
}
"""Standard deviation of the models' abilities, items per cluster, and whether scores are points."""


def draw_scores(
    rng: np.random.Generator, ability: Floats, cluster_size: int, *, points: bool
) -> Floats:
    """Return scores, models by items. A cluster shifts the chance of each model separately."""
    count = ITEMS // cluster_size
    ease = rng.uniform(0.3, 0.7, ITEMS)
    shifts = rng.uniform(-0.15, 0.15, (ability.size, count)) * (cluster_size > 1)
    chance = ability[:, None] + ease + np.repeat(shifts, cluster_size, axis=1)
    if points:
        return np.clip(np.round(10 * chance + rng.normal(0, 2, chance.shape)), -20, 30)
    return (rng.random(chance.shape) < chance).astype(float)


def make_run(model: int, scores: Sequence[float], cluster_size: int) -> RunAnswers:
    """Return the run of a model as if it was read from a log."""
    samples = [
        SampleScores((1, i), str(i), str(i // cluster_size), str(i), {"score": score})
        for i, score in enumerate(scores)
    ]
    run = Run("task", "inspect", f"model {model}", build_record("task", 0, {}))
    answers = tuple(a for _, a in split_scores(samples) if isinstance(a, ScoredAnswer))
    specs = describe_metrics(run, [answer.outcome for answer in answers], ())
    loaded = RunAnswers(replace(run, metric_specs=specs), answers)
    return replace(loaded, run=complete_run(loaded))


def rank(scores: Floats, cluster_size: int) -> Ranking:
    """Return the ranking of models by their scores."""
    runs = [make_run(i, row.tolist(), cluster_size) for i, row in enumerate(scores)]
    [ranking], _ = rank_runs(runs)
    return ranking


def bootstrap(scores: Floats, cluster_size: int, draws: int = 20_000) -> tuple[Floats, Floats]:
    """Return the probability of each model to be the best, and standard errors of differences.

    Independent of the package: a plain bootstrap of clusters of paired scores.
    """
    rng = np.random.default_rng(1)
    sums = scores.reshape(len(scores), -1, cluster_size).mean(axis=2)
    weights = rng.multinomial(sums.shape[1], [1 / sums.shape[1]] * sums.shape[1], draws)
    means = weights @ sums.T / sums.shape[1]
    is_best = means == means.max(axis=1, keepdims=True)
    best = (is_best / is_best.sum(axis=1, keepdims=True)).mean(axis=0)
    return best, (means[:, :, None] - means[:, None, :]).std(axis=0)


def study(name: str, sets: int) -> dict[str, float]:
    """Return the shares of data sets, of pairs, and the mean errors against the bootstrap."""
    spread, cluster_size, points = SETTINGS[name]
    rng = np.random.default_rng([7, [*SETTINGS].index(name)])
    alarms, covered, best, outcome, gaps, ratios = [], [], [], [], [], []
    for _ in range(sets):
        ability = spread * rng.standard_normal(MODELS)
        ability -= ability.mean()
        scores = draw_scores(rng, ability, cluster_size, points=points)
        ranking = rank(scores, cluster_size)
        order = [int(ranked.label.split()[1]) for ranked in ranking.ranked]
        true = ability[order] * (10 if points else 1)
        differences = [
            (pair.comparison.result.difference, pair.comparison.p_adjusted, true[j] - true[i])
            for (i, j), pair in ranking.pairs.items()
        ]
        # A false alarm is a significant difference of equal models, or of the wrong sign.
        alarms.append(any(p < 0.05 and d.value * truth <= 0 for d, p, truth in differences))
        covered += [d.ci_low <= truth <= d.ci_high for d, _, truth in differences]
        best += [ranked.p_best for ranked in ranking.ranked]
        outcome += (true == true.max()).tolist() if spread else [0.25] * MODELS
        reference, errors = bootstrap(scores, cluster_size)
        gaps += [abs(r.p_best - reference[i]) for r, i in zip(ranking.ranked, order, strict=True)]
        arms = [(d.ci_high - d.ci_low) / 2 / 1.96 for d, _, _ in differences]
        ratios += [
            arm / errors[order[i], order[j]]
            for arm, (i, j) in zip(arms, ranking.pairs, strict=True)
        ]
    p, y = np.array(best), np.array(outcome)
    bins = {
        f"{low:g}": (p >= low) & (p < high) for low, high in ((0, 0.2), (0.2, 0.6), (0.6, 1.01))
    }
    calibration = {
        f"P(best) from {low}: said, true": f"{p[rows].mean():.2f} {y[rows].mean():.2f}"
        for low, rows in bins.items()
        if rows.any() and spread
    }
    return {
        "false alarms": float(np.mean(alarms)),
        "coverage": float(np.mean(covered)),
        "mean |P(best) - bootstrap|": float(np.mean(gaps)),
        "error / bootstrap": float(np.mean(ratios)),
        **calibration,
    }


def main() -> None:
    """Print the results of each setting."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=400)
    sets = parser.parse_args().sets
    for name in SETTINGS:
        values = study(name, sets)
        texts = (f"{n} {v if isinstance(v, str) else format(v, '.3f')}" for n, v in values.items())
        print(f"{name}: {'; '.join(texts)}", flush=True)


if __name__ == "__main__":
    main()
