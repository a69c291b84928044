"""What coverage studies share: options, tables, and the page on which each has a section."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "coverage.md"
BAND = (0.93, 0.97)
"""Where the share of 95 % intervals that cover the truth should lie."""


def write_section(path: Path, heading: str, section: str) -> None:
    """Replace a study's section of the page, or add it at the end."""
    page = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(with_section(page, heading, section), encoding="utf-8")


def with_section(page: str, heading: str, section: str) -> str:
    """The page with the section under `heading` replaced, or added at the end."""
    parts = [part.strip() for part in re.split(r"(?m)^(?=## )", page) if part.strip()]
    mine = [index for index, part in enumerate(parts) if part.startswith(heading)]
    if mine:
        parts[mine[0]] = section.strip()
    else:
        parts.append(section.strip())
    return "\n\n".join(parts) + "\n"


def cell(share: float | None) -> str:
    """A share in percent, bold outside the band; empty if there is none."""
    if share is None:
        return ""
    text = f"{100 * share:.1f}"
    return text if BAND[0] <= share <= BAND[1] else f"**{text}**"


def summary(shares: Sequence[float]) -> str:
    """How many of the shares lie in the band, and how far they leave it."""
    inside = sum(BAND[0] <= share <= BAND[1] for share in shares)
    under = sum(share < BAND[0] for share in shares)
    return (
        f"{inside} of {len(shares)} shares lie between 93 and 97 %, {under} below, "
        f"{len(shares) - inside - under} above; the lowest is {100 * min(shares):.1f}."
    )


def error_margin(sets: int) -> float:
    """Half the 95 % interval, in percent, of a covered share that is truly 95 %.

    Args:
        sets: Number of simulated data sets.
    """
    return 100 * 1.96 * (0.95 * 0.05 / sets) ** 0.5


def coverage_table(
    labels: Sequence[str],
    rows: Iterable[tuple[Sequence[object], Mapping[str, float]]],
    columns: Sequence[str],
) -> str:
    """A table of covered shares in percent, and a sentence about all of them.

    Args:
        labels: Heads of the columns that say what a row is: text first, then numbers.
        rows: The cells under `labels`, and the share of each metric. A row may lack metrics.
        columns: The displayed metrics.
    """
    heads = [*labels, *(f"`{name}`" for name in columns)]
    lines = [f"| {' | '.join(heads)} |", "| --- |" + " ---: |" * (len(heads) - 1)]
    shown: list[float] = []
    for cells, shares in rows:
        values = [*map(str, cells), *(cell(shares.get(name)) for name in columns)]
        lines.append(f"| {' | '.join(values)} |")
        shown += [shares[name] for name in columns if name in shares]
    return "\n".join(lines) + f"\n\n{summary(shown)}"


def study_parser(description: str, sets: int) -> argparse.ArgumentParser:
    """The options of a study. `--quick` is added by studies that have it.

    Args:
        description: The module's docstring, whose first line is shown.
        sets: Default number of data sets.
    """
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--sets", type=int, default=sets, help="data sets for each design and n")
    parser.add_argument("--out", type=Path, default=PAGE)
    parser.add_argument("--workers", type=int, default=2)
    return parser


def run_jobs(
    coverage: Callable[..., dict[str, float]], jobs: Sequence[tuple[Any, int]], workers: int
) -> list[tuple[Any, int, dict[str, float]]]:
    """Run a study's jobs in parallel processes.

    Args:
        coverage: Computes the covered shares of one job.
        jobs: A design and a number of items each. Long jobs should come first.
        workers: Number of processes.

    Returns:
        Each job with its shares, in the order of `jobs`.
    """
    with ProcessPoolExecutor(workers) as pool:
        shares = pool.map(coverage, *zip(*jobs, strict=True))
        return [(*job, share) for job, share in zip(jobs, shares, strict=True)]
