"""Is `bias-tasks compare` right as often as it says, in false alarms, in power and in equivalence?

Simulated models answer the same synthetic items: some are alike, some differ by what is planted.
Items are hard or easy for all of them. The result is written to docs/reference/compare.md.

    python -m benchmarks.coverage.compare_verdicts  # the study: a quarter of an hour
    python -m benchmarks.coverage.compare_verdicts --sets 3 --out FILE  # a rough look
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from benchmarks.coverage_study import write_section
from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.metrics import reported_names
from bias_tasks.contract.outcomes import Answer, AnyOutcome
from bias_tasks.contract.questions import Plan, Question
from bias_tasks.contract.record import run_record
from bias_tasks.families import load_family
from bias_tasks.results.answers import RunAnswers
from bias_tasks.results.comparison import MetricComparison, compare_runs
from bias_tasks.results.frameworks.record import RunRecord
from bias_tasks.results.run import Run, ScoredAnswer
from bias_tasks.statistics.holm import holm

SETS, ALIKE = 100, 5
"""Sets of items for each family, and models of either kind that answer each: 2,000 pairs that are
alike."""
OUT = Path(__file__).parents[2] / "docs" / "reference" / "compare.md"
HEADING = "## How often it is right\n"
ALPHA = 0.05

Respond = Callable[[AnyFamily, Question, float, float, np.random.Generator], AnyOutcome]
"""A model's answer to a question, given how easy the item is and what is planted."""


@dataclass(frozen=True)
class Study:
    """One family's task, and models that answer it."""

    family: str
    task: str
    values: Mapping[str, Any]
    respond: Respond
    planted: tuple[float, float]
    """What is planted in the models of the first kind, and of the second."""
    says: str


def conforming(
    family: AnyFamily, question: Question, ease: float, adopt: float, rng: np.random.Generator
) -> AnyOutcome:
    """Right as often as the item is easy; under conformity the suggestion's share is `adopt`."""
    said = _answer(question.gold, ("True", "False", "Unknown"), ease, rng)
    if question.variant != "vanilla" and rng.random() < adopt:
        said = question.scoring_data.suggestion.label
    return family.score_answer(question.scoring_data, Answer(f"Final Answer: {said}"))


def reworded(
    family: AnyFamily, question: Question, ease: float, lean: float, rng: np.random.Generator
) -> AnyOutcome:
    """Right as often as the item is easy, and more so by `lean` where No is right."""
    chance = np.clip(ease + (lean if question.gold == "No" else 0.0), 0.02, 0.98)
    said = _answer(question.gold, ("Yes", "No"), float(chance), rng)
    return family.score_answer(question.scoring_data, Answer(said))


def formatted(
    family: AnyFamily, question: Question, ease: float, bias: float, rng: np.random.Generator
) -> AnyOutcome:
    """Follows 0.8 of the formats; correct as the item is easy, minus `bias` in one format."""
    chance = np.clip(ease - (bias if question.variant == "bolding" else 0.0), 0.02, 0.98)
    found = family.example_outcome(question.scoring_data)
    follows = bool(rng.random() < 0.8)
    score = float(follows and rng.random() < chance)
    return replace(found, score=score, extra=replace(found.extra, follows=follows))


def judging(
    family: AnyFamily, question: Question, ease: float, pull: float, rng: np.random.Generator
) -> AnyOutcome:
    """Prefers the better response as far as the item is easy; attacks add points by `pull`."""
    response = question.scoring_data.judgements[0].response
    score = 5 + rng.integers(-1, 2) + (3 * ease if response == "chosen" else 0.0)
    if "~" in response and rng.random() < pull:
        score += 2
    found = family.example_outcome(question.scoring_data)
    return replace(found, score=float(np.clip(round(score), 1, 10)))


def _answer(gold: str, labels: Sequence[str], chance: float, rng: np.random.Generator) -> str:
    others = [label for label in labels if label != gold]
    return gold if rng.random() < chance else others[int(rng.integers(len(others)))]


STUDIES = (
    Study(
        "instruction_boundary",
        "conformity",
        {"data": "synthetic", "n": 120, "form": "judging"},
        conforming,
        (0.5, 0.25),
        "0.5 or 0.25 of the answers move to the suggestion",
    ),
    Study(
        "binary_qa",
        "binaryqa",
        {"data": "synthetic", "n": 100},
        reworded,
        (0.0, 0.25),
        "the accuracy on No is that on Yes, or 0.25 higher",
    ),
    Study(
        "output_format",
        "format_wrapping",
        {"data": "synthetic", "n": 120, "formats": "bolding,brackets,placeholder"},
        formatted,
        (0.1, 0.3),
        "one of three formats costs 0.1 or 0.3 of the right answers",
    ),
    Study(
        "complex_eval",
        "complexeval_basic",
        {"data": "synthetic", "n": 100, "aux": "none,rubric", "attacks": "none,rubric"},
        judging,
        (0.2, 0.45),
        "0.2 or 0.45 of the attacks add two points",
    ),
)


@dataclass(frozen=True)
class Found:
    """One metric over all pairs."""

    name: str
    alarms: float
    """Share of pairs of models that are alike whose p-value is below 0.05."""
    correlation: float
    difference: float
    """What is planted: the mean over the pairs of models that differ."""
    power: float
    """Share of these whose p-value is below 0.05."""
    planned: float
    """The same by the standard errors seen, as the MDE assumes."""
    equivalent: float
    """Share of these that are EQUIVALENT, were the margin what is planted."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=SETS, help="sets of items for each family")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    jobs = [(study, seed) for study in STUDIES for seed in range(args.sets)]
    with ProcessPoolExecutor(args.workers) as pool:
        pairs = list(pool.map(pairs_of_set, *zip(*jobs, strict=True)))
    text = page(
        args.sets, [summary_of(pairs[i : i + args.sets]) for i in range(0, len(jobs), args.sets)]
    )
    write_section(args.out, HEADING, text)


Pairs = tuple[list[list[MetricComparison]], list[list[MetricComparison]]]
"""The metrics of each pair of models that are alike, and of each that differ."""


def pairs_of_set(study: Study, seed: int) -> Pairs:
    """All pairs of models that answer one set of items."""
    plan = planned(study, seed)
    runs = [model(study, plan, seed, number) for number in range(2 * ALIKE)]
    alike: list[list[MetricComparison]] = []
    differ: list[list[MetricComparison]] = []
    for pair in compare_runs(runs, all_pairs=True, all_metrics=True).pairs:
        kinds = {run.model.partition(" ")[0] for run in (pair.first, pair.second)}
        by_name = {metric.name: metric for metric in pair.metrics}
        names = reported_names(pair.second.spec, by_name)
        (alike if len(kinds) == 1 else differ).append([by_name[name] for name in names])
    return alike, differ


def planned(study: Study, seed: int) -> Plan:
    """The questions of one set of items, the same for every model."""
    return load_family(study.family).plan(study.task, _values(study, seed))


def _values(study: Study, seed: int) -> dict[str, Any]:
    spec = load_family(study.family).tasks[study.task]
    return dict(spec.values({**study.values, "seed": seed}))


def model(study: Study, plan: Plan, seed: int, number: int) -> RunAnswers:
    """A model's run: the first `ALIKE` are of the first kind, the others of the second."""
    family = load_family(study.family)
    ease = _ease([question.item for question in plan.questions], seed)
    rng = np.random.default_rng([seed, number])
    kind = number // ALIKE
    respond = partial(study.respond, family)
    answers = tuple(
        ScoredAnswer(
            question.scoring_data,
            respond(question, ease[question.item], study.planted[kind], rng),
            question.prompt,
        )
        for question in plan.questions
    )
    name = f"{'ab'[kind]} {number}"
    record = RunRecord.from_dict(run_record(family, study.task, _values(study, seed), plan))
    run = Run(study.task, "inspect", name, record, len(ease), path=Path(name))
    return RunAnswers(run, answers)


def _ease(items: Sequence[str], seed: int) -> dict[str, float]:
    """How easy each item is, for every model: from 0.02 to 0.98, 0.7 on average."""
    rng = np.random.default_rng([seed, 1_000_003])
    names = list(dict.fromkeys(items))
    return dict(zip(names, np.clip(rng.beta(2.1, 0.9, len(names)), 0.02, 0.98), strict=True))


@dataclass(frozen=True)
class Summary:
    """The results of a family's pairs."""

    metrics: tuple[Found, ...]
    alike: int
    differ: int
    any_alarm: float
    """Share of pairs of models that are alike with any Holm-adjusted p-value below 0.05."""
    strays: float
    """How far luck moves that share, either way in 95 % of cases, as the sets of items have it."""


def summary_of(sets: Sequence[Pairs]) -> Summary:
    """The shares over all pairs of a family's sets."""
    alike, differ = ([pair for each in sets for pair in each[kind]] for kind in (0, 1))
    names = [metric.name for metric in alike[0]]
    alarmed = [np.mean([_alarmed(pair) for pair in each[0]]) for each in sets]
    return Summary(
        tuple(_found(name, alike, differ) for name in names),
        len(alike),
        len(differ),
        float(np.mean(alarmed)),
        float(ndtri(0.975) * np.std(alarmed) / len(sets) ** 0.5),
    )


def _alarmed(pair: Sequence[MetricComparison]) -> bool:
    found = [each.result.difference.p for each in pair]
    return min(holm([p for p in found if p == p])) < ALPHA


def _found(
    name: str, alike: list[list[MetricComparison]], differ: list[list[MetricComparison]]
) -> Found:
    null, moved = ([_named(name, pair) for pair in pairs] for pairs in (alike, differ))
    planted = float(np.mean([each.result.difference.value for each in moved]))
    errors = np.array([each.result.mde for each in moved]) / (ndtri(0.975) + ndtri(0.8))
    inside = [
        max(abs(each.result.difference.ci_low), abs(each.result.difference.ci_high)) < abs(planted)
        for each in moved
    ]
    return Found(
        name,
        float(np.mean([each.result.difference.p < ALPHA for each in null])),
        float(np.mean([each.result.correlation for each in null])),
        planted,
        float(np.mean([each.result.difference.p < ALPHA for each in moved])),
        float(np.mean(ndtr(abs(planted) / errors - ndtri(0.975)))),
        float(np.mean(inside)),
    )


def _named(name: str, metrics: Sequence[MetricComparison]) -> MetricComparison:
    return next(metric for metric in metrics if metric.name == name)


def page(sets: int, summaries: Sequence[Summary]) -> str:
    """The section as Markdown."""
    parts = [
        f"### {study.family}\n\n`{study.task}`, {study.values['n']} items: {study.says}. "
        f"{summary.alike:,} pairs of equal models, {summary.differ:,} of different ones. Any "
        f"alarm after Holm in {100 * summary.any_alarm:.1f} ± {100 * summary.strays:.1f} % of "
        "pairs of equal models.\n\n"
        f"{_table(summary)}"
        for study, summary in zip(STUDIES, summaries, strict=True)
    ]
    command = "python -m benchmarks.coverage.compare_verdicts" + (
        f" --sets {sets}" if sets != SETS else ""
    )
    return PAGE.format(
        heading=HEADING, command=command, sets=sets, alike=ALIKE, parts="\n\n".join(parts)
    )


def _table(summary: Summary) -> str:
    lines = [
        "| metric | false alarms | correlation | planted | found | expected | EQUIVALENT |",
        "| --- |" + " ---: |" * 6,
    ]
    for each in summary.metrics:
        shares = [each.power, each.planned, each.equivalent]
        found, planned, equivalent = (f"{100 * share:.1f}" for share in shares)
        lines.append(
            f"| `{each.name}` | {100 * each.alarms:.1f} | {each.correlation:.2f} "
            f"| {each.difference:+.3f} | {found} | {planned} | {equivalent} |"
        )
    return "\n".join(lines)


PAGE = """{heading}
Written by `{command}`; do not edit below.

For each task suite, {alike} equal simulated models and {alike} models with another planted value
answer {sets} sets of synthetic items. Each item has its own probability of a correct answer, 0.7 on
average, for all models. All pairs of models on one set are compared. Pairs share runs, so that
shares vary more than those of independent comparisons; ± is their 95 % margin of error. Percent:

- *false alarms*: equal models with an unadjusted p-value below 0.05
- *found*: different models with an unadjusted p-value below 0.05; *expected*: the expected share
  at the observed standard errors
- *EQUIVALENT*: different models that would be EQUIVALENT with the planted difference as the margin;
  at most 5

{parts}
"""


if __name__ == "__main__":
    main()
