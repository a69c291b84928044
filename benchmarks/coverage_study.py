"""What coverage studies share: options, tables, and the page on which each has a section."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from textwrap import fill
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
    *,
    lists_low: bool = True,
) -> str:
    """Return a table with one row per metric, a sentence about all shares, and the low shares.

    Args:
        labels: Names of the cells that describe a setting; one of them is "n".
        rows: The cells of each setting, and the covered share of each metric. A setting may lack
            metrics.
        columns: The displayed metrics.
        lists_low: Whether each share below the band is listed with its setting.
    """
    settings = [(list(cells), shares) for cells, shares in rows]
    n_index = list(labels).index("n")
    sizes = list(dict.fromkeys(cells[n_index] for cells, _ in settings))
    heads = ["metric", *(f"n = {n}" for n in sizes), "below 93 %", "above 97 %", "settings"]
    lines = [f"| {' | '.join(heads)} |", "| --- |" + " ---: |" * (len(heads) - 1)]
    for name in columns:
        by_size = [
            [shares[name] for cells, shares in settings if cells[n_index] == n and name in shares]
            for n in sizes
        ]
        displayed = [share for group in by_size for share in group]
        if displayed:
            counts = (*_count_outside(displayed), len(displayed))
            values = [f"`{name}`", *map(_range, by_size), *map(str, counts)]
            lines.append(f"| {' | '.join(values)} |")
    everything = [shares[name] for _, shares in settings for name in columns if name in shares]
    low = [
        f"`{name}` {100 * shares[name]:.1f} ({_describe(labels, cells)})"
        for name in columns
        for cells, shares in settings
        if shares.get(name, 1) < BAND[0]
    ]
    text = _summarize(everything) + (f" Below 93 %: {'; '.join(low)}." if low and lists_low else "")
    return "\n".join(lines) + f"\n\n{fill(text, 100, break_on_hyphens=False)}"


def _range(shares: Sequence[float]) -> str:
    """Return the lowest and the highest share in percent; an empty cell if there is none."""
    if not shares:
        return ""
    low, high = f"{100 * min(shares):.1f}", f"{100 * max(shares):.1f}"
    return low if low == high else f"{low}–{high}"


def _count_outside(shares: Sequence[float]) -> tuple[int, int]:
    """Return how many shares are below and above the band."""
    return sum(share < BAND[0] for share in shares), sum(share > BAND[1] for share in shares)


def _describe(labels: Sequence[str], cells: Sequence[object]) -> str:
    """Return a setting in words, such as "even, vanilla, n = 50"."""
    described = (
        f"{label} = {cell}" if isinstance(cell, int) else str(cell)
        for label, cell in zip(labels, cells, strict=True)
    )
    return ", ".join(described)


def _summarize(shares: Sequence[float]) -> str:
    """Return how many of the shares are in the band, and the lowest."""
    below, above = _count_outside(shares)
    return (
        f"{len(shares) - below - above} of {len(shares)} shares are between 93 and 97 %, {below} "
        f"below, {above} above; the lowest is {100 * min(shares):.1f}."
    )


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
