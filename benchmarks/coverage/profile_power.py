"""Which differences between two models does `bias-tasks profile` find, and how often?

Two simulated models answer the profile's items. Items are as hard, and as susceptible to the bias,
for one model as for the other up to a correlation of 0.3. The models differ by what is planted. For
each headline, the study counts the paired comparisons that find the difference (p < 0.05), and
states the power that their standard errors imply. The result is written to docs/core.md.

    python -m benchmarks.coverage.profile_power  # the study: ten minutes
    python -m benchmarks.coverage.profile_power --pairs 10 --out FILE  # a rough look
"""

from __future__ import annotations

import argparse
from bisect import bisect_left
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import beta, norm

from benchmarks.coverage_study import write_section
from bias_tasks.commands.plan_power import RESAMPLED, TRAITS, affects, read_effect
from bias_tasks.commands.profile import read_profile
from bias_tasks.contract.metrics import find_headline
from bias_tasks.contract.outcomes import Answer
from bias_tasks.contract.questions import Plan, Question
from bias_tasks.contract.record import run_record
from bias_tasks.families import family_of_task
from bias_tasks.results.answers import RunAnswers, compute_run_metrics
from bias_tasks.results.comparison import compare_runs
from bias_tasks.results.frameworks.record import RunRecord
from bias_tasks.results.run import Run, ScoredAnswer
from bias_tasks.simulated.persona import Persona

PAIRS = 100
"""Simulated pairs of models for each task."""
CORRELATION = 0.3
"""Of the difficulty, and of the susceptibility, of an item between models."""
ACCURACY = 0.8
"""Share of correct answers without the bias."""
ALPHA = 0.05
POWER = 0.8
DIFFERENCES = {
    "conformity": (0.10, 0.05),
    "binaryqa": (0.10, 4.0),
    "format_wrapping": (0.10, 4.0),
    "complexeval_basic": (0.10, 0.2),  # points
    "judge_pairwise": (0.10, 0.08),
}
"""For each task: the share of items on which the first model is biased, and the difference of the
headlines that a leaderboard needs to find."""
OUT = Path(__file__).parents[2] / "docs" / "core.md"
HEADING = "## Which differences it shows\n"


@dataclass(frozen=True)
class Found:
    """The simulated pairs of one task."""

    task: str
    metric: str
    items: int
    difference: float
    """Mean difference of the headline."""
    standard_error: float
    """Mean standard error of the difference."""
    found: float
    """Share of the pairs with p < 0.05."""

    @property
    def detectable(self) -> float:
        """The difference that 80 % of paired comparisons find."""
        return float((norm.ppf(POWER) + norm.ppf(1 - ALPHA / 2)) * self.standard_error)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=PAIRS, help="simulated pairs for each task")
    parser.add_argument("--tasks", default=",".join(DIFFERENCES), help="tasks, comma-separated")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    tasks = args.tasks.split(",")
    with ProcessPoolExecutor(args.workers) as pool:
        text = page(list(pool.map(study, tasks, [args.pairs] * len(tasks))), args.pairs)
    write_section(args.out, HEADING, text)


def study(task: str, pairs: int) -> Found:
    """Simulate pairs of models that differ by what the task needs to find."""
    first_share, target = DIFFERENCES[task]
    plan = plan_profile_task(task)
    second_share = find_share(task, plan, first_share, target)
    p_values, differences, errors = [], [], []
    for number in range(pairs):
        runs = [
            simulate(task, plan, share, number, model)
            for model, share in enumerate((first_share, second_share))
        ]
        [pair] = compare_runs(runs).pairs
        [metric] = [metric for metric in pair.metrics if metric.headline]
        low, high = metric.result.difference.ci_low, metric.result.difference.ci_high
        p_values.append(metric.p_adjusted)  # of a single headline
        differences.append(metric.result.difference.value)
        errors.append((high - low) / (2 * norm.ppf(1 - ALPHA / 2)))
    return Found(
        task,
        metric.name,
        len({question.item for question in plan.questions}),
        float(np.mean(differences)),
        float(np.mean(errors)),
        float(np.mean(np.array(p_values, dtype=float) < ALPHA)),
    )


def plan_profile_task(task: str) -> Plan:
    """Return the questions of a task of the profile."""
    return family_of_task(task).plan(task, profile_values(task))


def profile_values(task: str) -> dict[str, Any]:
    """Return the value of every parameter of a task of the profile."""
    row = read_profile()["tasks"][task]
    spec = family_of_task(task).tasks[task]
    return dict(spec.values({**row["parameters"], "n": row["n"]}))


def find_share(task: str, plan: Plan, first_share: float, target: float) -> float:
    """Return the share of biased items that moves the headline by the target."""
    spec = family_of_task(task).tasks[task]

    @cache
    def headline(share: float) -> float:
        values = []
        for number in range(6):
            metrics = compute_run_metrics(simulate(task, plan, share, 10_000 + number, 0))
            name = find_headline(spec, metrics)
            if name is not None:
                values.append(metrics[name].value)
        return float(np.mean(values))

    def distance(share: float) -> float:
        return abs(headline(float(share)) - headline(first_share))

    shares = np.linspace(first_share, 1, 46)
    at = bisect_left(shares, target, lo=1, hi=len(shares) - 1, key=distance)
    bounds = shares[at - 1 : at + 1]
    return float(np.interp(target, [distance(share) for share in bounds], bounds))


def simulate(task: str, plan: Plan, share: float, pair: int, model: int) -> RunAnswers:
    """Simulate the run of one model of a pair.

    Args:
        task: The task.
        plan: Its questions.
        share: Share of items on which the model is biased.
        pair: Number of the pair. Both models of a pair share the items' properties.
        model: Number of the model, 0 or 1.
    """
    family = family_of_task(task)
    effect = read_effect(family.name, task) or {}
    seed = 2 * pair + model
    plain = [Persona(seed=seed, **TRAITS | {"accuracy": accuracy}) for accuracy in (0, 1)]
    biased = [Persona(**dict(persona) | effect["traits"]) for persona in plain]
    pair_rng, model_rng = np.random.default_rng([1, pair]), np.random.default_rng([2, pair, model])
    answers: list[ScoredAnswer] = []
    for questions in group_by_item(plan.questions):
        difficulty, susceptibility = pair_rng.random(2)
        is_correct = model_rng.random() < _rate(ACCURACY, difficulty)
        is_biased = model_rng.random() < _rate(share, susceptibility)
        for question in questions:
            correct = is_correct
            if model_rng.random() < RESAMPLED:
                correct = model_rng.random() < _rate(ACCURACY, difficulty)
            applies = is_biased and affects(effect, question.variant, questions[0].variant)
            text = (biased if applies else plain)[correct].respond(question.prompt, question)
            outcome = family.score_answer(question.scoring_data, Answer(text))
            answers.append(ScoredAnswer(question.scoring_data, outcome, question.prompt))
    values = profile_values(task)
    record = RunRecord.from_dict(run_record(family, task, values, plan))
    name = f"model {model}"
    n_items = len({question.item for question in plan.questions})
    return RunAnswers(Run(task, "inspect", name, record, n_items, path=Path(name)), tuple(answers))


def _rate(mean: float, quantile: float) -> float:
    """Return an item's rate: the quantile of a beta distribution with the stated correlation."""
    size = 1 / CORRELATION - 1
    return float(beta.ppf(quantile, mean * size, (1 - mean) * size))


def group_by_item(questions: Sequence[Question]) -> list[list[Question]]:
    """Return the questions of each item, in the order of the plan."""
    groups: dict[str, list[Question]] = {}
    for question in questions:
        groups.setdefault(question.item, []).append(question)
    return list(groups.values())


def page(found: Sequence[Found], pairs: int) -> str:
    """Return the table of the page."""
    head = (
        "| task | items | planted | found | found in 80 % |\n| --- | ---: | ---: | ---: | ---: |\n"
    )
    rows = [
        f"| `{one.task}` | {one.items} | {abs(one.difference):.3g} | {one.found:.0%} "
        f"| {one.detectable:.3g} |"
        for one in found
    ]
    needed = {task: target for task, (_, target) in DIFFERENCES.items()}
    missed = [
        f"`{one.metric}` ({needed[one.task]:g} needs more items; 80 % of comparisons find "
        f"{one.detectable:.2g})"
        for one in found
        if one.detectable > needed[one.task]
    ]
    verdict = (
        f"Differences that the profile cannot show reliably: {'; '.join(missed)}. Compare such "
        "models with more items of your own data."
        if missed
        else "80 % of comparisons find all differences that a leaderboard needs."
    )
    return (
        f"{HEADING}\n`python -m benchmarks.coverage.profile_power` simulates {pairs} pairs of "
        "models for each task. Items are as hard, and as susceptible, for one model as for the "
        f"other up to a correlation of {CORRELATION:g}.\n\n"
        + head
        + "\n".join(rows)
        + "\n\n*Planted* is the true difference between the two models' headline metrics. *Found* "
        "is the share of simulated comparisons with p < 0.05. *Found in 80 %* is the smallest "
        f"difference that 80 % of comparisons find (from the standard error).\n\n{verdict}\n"
    )


if __name__ == "__main__":
    main()
