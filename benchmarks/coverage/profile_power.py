"""Which differences between two models does `bias-tasks profile` find, and how often?

Two simulated models, both weak or both strong, answer the profile's items. Questions are as hard,
and as susceptible to the bias, for one model as for the other up to a correlation of 0.3. The
models differ by what `profile.yaml` declares as the smallest detectable difference (`pair_mde`).
The study counts the paired comparisons that find it (p < 0.05), and states the smallest difference
that their standard errors imply. The result is written to docs/core.md.

    python -m benchmarks.coverage.profile_power  # the study: an hour
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
from bias_tasks.commands.plan_power import STRENGTHS, Strength, affects, answer_rounds, read_effect
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

PAIRS = 60
"""Simulated pairs of models for each task."""
CORRELATION = 0.3
"""Of the difficulty, and of the susceptibility, of an item between models."""
ALPHA = 0.05
POWER = 0.8
OUT = Path(__file__).parents[2] / "docs" / "core.md"
HEADING = "## Which differences the profile detects\n"


@dataclass(frozen=True)
class Found:
    """The simulated pairs of one task."""

    task: str
    metric: str
    strength: str
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
    every_task = ",".join(read_profile()["tasks"])
    parser.add_argument("--tasks", default=every_task, help="tasks, comma-separated")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    studies = [(task, name) for task in args.tasks.split(",") for name in STRENGTHS]
    with ProcessPoolExecutor(args.workers) as pool:
        found = pool.map(study, *zip(*studies, strict=True), [args.pairs] * len(studies))
        text = page(list(found), args.pairs)
    write_section(args.out, HEADING, text)


def study(task: str, name: str, pairs: int) -> Found:
    """Simulate pairs of models of a strength that differ by what the profile should detect."""
    strength, target = STRENGTHS[name], read_profile()["tasks"][task]["pair_mde"][name]
    plan = plan_profile_task(task)
    first_share = strength.share
    second_share = find_share(task, plan, strength, target)
    p_values, differences, errors = [], [], []
    for number in range(pairs):
        runs = [
            simulate(task, plan, strength, share, number, model)
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
        name,
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


def find_share(task: str, plan: Plan, strength: Strength, target: float) -> float:
    """Return the share of biased answers that moves the headline by the target."""
    first_share = strength.share
    spec = family_of_task(task).tasks[task]

    @cache
    def headline(share: float) -> float:
        values = []
        for number in range(6):
            metrics = compute_run_metrics(simulate(task, plan, strength, share, 10_000 + number, 0))
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


def simulate(
    task: str, plan: Plan, strength: Strength, share: float, pair: int, model: int
) -> RunAnswers:
    """Simulate the run of one model of a pair.

    Args:
        task: The task.
        plan: Its questions.
        strength: How good both models are.
        share: Share of questions on which the model is biased.
        pair: Number of the pair. Both models of a pair share the items' properties.
        model: Number of the model, 0 or 1.
    """
    family = family_of_task(task)
    effect = read_effect(family.name, task) or {}
    seed = 2 * pair + model
    traits = [strength.traits | {"accuracy": accuracy} for accuracy in (0, 1)]
    plain = [Persona(seed=seed, **values) for values in traits]
    biased = [Persona(**dict(persona) | effect["traits"]) for persona in plain]
    pair_rng, model_rng = np.random.default_rng([1, pair]), np.random.default_rng([2, pair, model])
    answers: list[ScoredAnswer] = []
    for questions in group_by_item(plan.questions):
        difficulty = pair_rng.random()
        is_correct = model_rng.random() < _rate(strength.accuracy, difficulty)
        for question in questions:
            correct = is_correct
            if model_rng.random() < strength.resampled:
                correct = model_rng.random() < _rate(strength.accuracy, difficulty)
            is_biased = model_rng.random() < _rate(share, pair_rng.random())
            applies = is_biased and affects(effect, question.variant, questions[0].variant)
            *earlier, text = answer_rounds(
                family, question, (biased if applies else plain)[correct]
            )
            answer = Answer(text, earlier_rounds=tuple(map(Answer, earlier)))
            outcome = family.score_answer(question.scoring_data, answer)
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
    """Return the section of the page."""
    by_task: dict[str, list[Found]] = {}
    for one in found:
        by_task.setdefault(one.task, []).append(one)
    rows = [
        f"| `{task}` | `{some[0].metric}` | {some[0].items} | "
        + " / ".join(f"{abs(one.difference):.2g}" for one in some)
        + " | "
        + " / ".join(f"{one.found:.0%}" for one in some)
        + " | "
        + " / ".join(f"{one.detectable:.2g}" for one in some)
        + " |"
        for task, some in by_task.items()
    ]
    head = "| task | metric | items | planted | found | MDE |\n| --- | --- " + "| ---: " * 4 + "|"
    return (
        f"{HEADING}\n`python -m benchmarks.coverage.profile_power` simulates {pairs} pairs of weak "
        f"and of strong models for each task: {_describe_strengths()} The two models' answers to a "
        f"question have a correlation of {CORRELATION:g}.\n\n{head}\n"
        + "\n".join(rows)
        + "\n\n*Planted* is the true difference between the headlines of two weak / two strong "
        "models. *Found* is the share of simulated comparisons with p < 0.05. *MDE* is the "
        "smallest difference that 80 % of comparisons would detect, computed from the standard "
        "error.\n\n"
        "**The profile does not reliably show differences below the MDE.** To show them, run the "
        "tasks on more items, from your own data.\n"
    )


def _describe_strengths() -> str:
    weak, strong = STRENGTHS.values()
    return (
        f"{weak.accuracy:.0%} / {strong.accuracy:.0%} of their answers are correct, and "
        f"{weak.share:.0%} / {strong.share:.0%} of the questions show the bias."
    )


if __name__ == "__main__":
    main()
