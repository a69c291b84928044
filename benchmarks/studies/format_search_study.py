"""How near does the search for formats come to the true best and worst, and do its intervals hold?

Simulated items are answered in simulated formats, once with the calls given to formats by the
search and once to all alike; and in a search of the default budget the spread on held-out items is
compared with the true one, beside the spread on the answers that chose the formats. Written into
docs/reference/format_search.md.

    python -m benchmarks.studies.format_search_study  # the study: ten minutes on one core
    python -m benchmarks.studies.format_search_study --quick --out FILE  # a rough look
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill

import numpy as np

from benchmarks.coverage_study import cell, write_section
from bias_tasks.contract.outcomes import Outcome
from bias_tasks.probing.format_search import Scores, find_extremes, held_out_metrics, plan_round
from bias_tasks.probing.items import BASELINE
from bias_tasks.statistics.estimate import Estimate

ARMS, CALLS = (10, 50, 320), (200, 500, 1000)
ROUNDS, ITEMS = 10, 400
BUDGET, HELD_OUT = 500, 0.4
SEARCHES, STUDIES, QUICK = 200, 2000, 5
OUT = Path(__file__).parents[2] / "docs" / "reference" / "format_search.md"
HEADING = "## How well it finds"
MEAN, DEVIATION, OWN = 0.7, 1.5, 0.5
"""Of the items' log-odds to be answered right, and of how single items take single formats."""


@dataclass(frozen=True)
class Design:
    """How formats differ, in log-odds."""

    name: str
    meaning: str
    normal: float
    """Standard deviation over formats."""
    bad: float = 0.0
    """Share of formats that lose 1.5."""

    def effects(self, rng: np.random.Generator, arms: int) -> np.ndarray:
        """One for each format."""
        lost = np.where(rng.random(arms) < self.bad, 1.5, 0.0)
        effects: np.ndarray = rng.normal(0, self.normal, arms) - lost
        return effects


DESIGNS = (
    Design("spread out", "formats differ normally, by half a log-odd", 0.5),
    Design("a few bad", "10 % of the formats lose 1.5, the others are nearly equal", 0.15, 0.1),
)
ALIKE = Design("equal", "nothing depends on the format", 0.0)


class World:
    """Items under formats: answers drawn once, as at temperature 0."""

    def __init__(self, design: Design, arms: int, items: int, seed: int) -> None:
        rng = np.random.default_rng([seed, arms, items])
        effects = design.effects(rng, arms)
        own = rng.normal(0, OWN, (items, arms)) if design.normal else 0.0
        odds = rng.normal(MEAN, DEVIATION, items)[:, None] + effects + own
        self.scores = (rng.random((items, arms)) < 1 / (1 + np.exp(-odds))).astype(float)
        nodes, weights = np.polynomial.hermite_e.hermegauss(60)
        deviation = np.hypot(DEVIATION, OWN if design.normal else 0.0)
        chances = 1 / (1 + np.exp(-(effects[:, None] + MEAN + deviation * nodes)))
        self.truth = chances @ weights / weights.sum()

    def reached(self, best: int, worst: int) -> float:
        """The true spread of two formats as a share of that of all."""
        return float((self.truth[best] - self.truth[worst]) / np.ptp(self.truth))


def searched(world: World, items: int, calls: int, seed: int) -> list[Scores]:
    """What came of the formats of a search, of items from the first on."""
    tallies: list[Scores] = [[] for _ in world.truth]
    learn(world, tallies, [(0, item) for item in range(5)])
    size = -(-(calls - 5) // ROUNDS)
    for number in range(2 * ROUNDS):
        left = calls - sum(map(len, tallies))
        pairs = plan_round(tallies, items, min(size, left), random.Random(f"{seed}/{number}"))
        learn(world, tallies, pairs)
    return tallies


def alike(world: World, items: int, calls: int) -> list[Scores]:
    """What came of formats that are asked the same items, as many as there are calls for."""
    arms = len(world.truth)
    tallies: list[Scores] = [[] for _ in range(arms)]
    each = min(calls // arms, items)
    shown = range(arms) if each else range(calls)
    learn(world, tallies, [(arm, item) for arm in shown for item in range(max(each, 1))])
    return tallies


def learn(world: World, tallies: list[Scores], pairs: list[tuple[int, int]]) -> None:
    for arm, item in pairs:
        tallies[arm].append(float(world.scores[item, arm]))


def nearness(searches: int) -> Iterator[list[str]]:
    """A row for each design and number of formats: the share reached by search and by turns."""
    for design in DESIGNS:
        for arms in ARMS:
            row = [design.name, f"{arms}"]
            for calls in CALLS:
                found = []
                for seed in range(searches):
                    world = World(design, arms, ITEMS, seed)
                    ways = searched(world, ITEMS, calls, seed), alike(world, ITEMS, calls)
                    found.append([world.reached(*find_extremes(way)) for way in ways])
                here, there = np.mean(found, axis=0)
                row.append(f"{here:.2f} / {there:.2f}")
            yield row


def holding(studies: int) -> Iterator[list[str]]:
    """A row for each design and number of formats: whether the held-out interval holds."""
    held = int(BUDGET * HELD_OUT / 3)
    for design in (ALIKE, *DESIGNS):
        for arms in ARMS[:2]:
            rows = []
            for seed in range(studies):
                world = World(design, arms, ITEMS + held, 10_000 + seed)
                tallies = searched(world, ITEMS, BUDGET - 3 * held, seed)
                best, worst = find_extremes(tallies)
                truth = world.truth[best] - world.truth[worst]
                spread = held_out(world, best, worst)["spread"]
                means = [np.mean(np.array(tallies[arm], float)) for arm in (best, worst)]
                covered = spread.ci_low <= truth <= spread.ci_high
                found = spread.ci_low > 0 or spread.ci_high < 0
                rows.append([truth, spread.value, means[0] - means[1], covered, found])
            truth, value, biased, covered, found = np.mean(rows, axis=0)
            yield [
                *(design.name, f"{arms}", f"{truth:.3f}", f"{value:.3f}", f"{biased:.3f}"),
                *(cell(float(covered)), f"{100 * found:.1f}"),
            ]


def held_out(world: World, best: int, worst: int) -> dict[str, Estimate]:
    """The metrics on the items behind those of the search."""
    outcomes = [
        Outcome(f"{item}", f"{item}", name, "", "", float(world.scores[item, arm]), "")
        for name, arm in {BASELINE: 0, "best": best, "worst": worst}.items()
        for item in range(ITEMS, len(world.scores))
    ]
    return held_out_metrics(outcomes, "best", "worst")


def table(names: list[str], rows: list[list[str]]) -> str:
    lines = [names, ["---", *["---:"] * (len(names) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args()
    searches, studies = (QUICK, QUICK) if given.quick else (SEARCHES, STUDIES)
    near = table(
        ["formats", "how many", *(f"{calls:,} calls" for calls in CALLS)], list(nearness(searches))
    )
    held = table(
        [
            *("formats", "how many", "true", "held out", "in the search"),
            *("interval holds, %", "0 excluded, %"),
        ],
        list(holding(studies)),
    )
    designs = "; ".join(f"*{each.name}*: {each.meaning}" for each in (*DESIGNS, ALIKE))
    paragraphs = (
        f"By simulation (`python -m benchmarks.studies.format_search_study`; {designs}). "
        "The table has the true spread of the two formats that the search finds, as a share of "
        f"that of all formats (mean of {searches:,} searches; higher is better): with calls "
        "allocated by the search / equally. No call is held out here.",
        near,
        f"The next table has {studies:,} searches with {BUDGET} calls, {HELD_OUT:.0%} of them held "
        "out: the mean spread of the two formats, true, on held-out items, and on the answers that "
        "selected them; how often the held-out interval contains the true spread, and how often it "
        "excludes 0.",
        held,
    )
    filled = [each if each.startswith("|") else fill(each, 120) for each in paragraphs]
    section = "\n\n".join([HEADING, *filled])
    write_section(given.out, HEADING, section)


if __name__ == "__main__":
    main()
