"""Writes the coverage of a paper: runs the commands that a page lists, and writes their metrics.

The list is in a family's reference (`docs/reference/FAMILY.md`) or on its page. Its section
`## Coverage of the paper` is a table: a part of the paper, the command that runs it here, metrics
of simulated answers, and a remark. Commands of Inspect on a simulated model are run in this
process, and the values of the metrics in their row are replaced:

    python tools/paper_rows.py

Commands without metrics, such as those of lm-eval, are left to the tests.
"""

from __future__ import annotations

import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
FAMILIES = ("instruction_boundary", "binary_qa", "output_format", "complex_eval")
HEADING = "## Coverage of the paper\n"
INSPECT = "inspect eval bias_tasks/"
_METRIC = re.compile(r"`([^`]+)` (-?[\d.]+|nan)")


class Row(NamedTuple):
    """One line of the table."""

    line: str
    paper: str
    command: str
    """Empty if there is nothing to run."""
    measured: str
    """Metrics with their values, as printed."""
    remark: str

    @property
    def metrics(self) -> dict[str, str]:
        """The printed values by metric."""
        return dict(_METRIC.findall(self.measured))


def page_of(family: str) -> Path:
    """Return the page with the coverage of a family's paper: its reference, or else its page."""
    reference = ROOT / "docs" / "reference" / f"{family}.md"
    if reference.exists() and HEADING in reference.read_text(encoding="utf-8"):
        return reference
    return ROOT / "docs" / f"{family}.md"


def rows(page: str) -> Iterator[Row]:
    """Yield the lines of a page's table."""
    section = page.partition(HEADING)[2].partition("\n## ")[0].partition("<!--")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    for line in lines[2:]:
        paper, command, metrics, remark = (cell.strip() for cell in line.strip("|").split(" | "))
        yield Row(line, paper, command.strip("`"), metrics, remark)


def run_command(command: str) -> dict[str, float]:
    """Run a command of Inspect, and return its metrics by name."""
    from inspect_ai import eval as inspect_eval
    from inspect_ai._cli.util import parse_cli_args
    from inspect_ai.model import get_model

    from bias_tasks.results.answers import compute_run_metrics
    from bias_tasks.results.find import read_answers

    words = shlex.split(command.removeprefix("inspect eval "))
    options: dict[str, list[str]] = {}
    for name, value in zip(words[1::2], words[2::2], strict=True):
        options.setdefault(name, []).append(value)
    [model] = options.pop("--model")
    roles = dict(role.split("=", 1) for role in options.pop("--model-role", []))
    arguments, model_arguments = options.pop("-T", []), options.pop("-M", [])
    if options:
        raise ValueError(f"unknown options {sorted(options)} in {command!r}")
    # Not memoized: a model that draws answers would go on drawing where its last run ended.
    evaluated = get_model(model, memoize=False, **parse_cli_args(model_arguments))
    with tempfile.TemporaryDirectory() as folder:
        [log] = inspect_eval(
            words[0],
            model=evaluated,
            task_args=parse_cli_args(arguments),
            model_roles={role: get_model(name, memoize=False) for role, name in roles.items()},
            log_dir=folder,
            display="none",
            log_realtime=False,
        )
        if log.status != "success":
            raise RuntimeError(f"{command}: {log.error}")
        [answers] = read_answers(Path(log.location))
        metrics = compute_run_metrics(answers)
        return {name: estimate.value for name, estimate in metrics.items()}


def with_values(row: Row, values: dict[str, float]) -> str:
    """Return the line with new values of its metrics."""
    cell = _METRIC.sub(lambda match: f"`{match[1]}` {values[match[1]]:.3f}", row.measured)
    return row.line.replace(f" | {row.measured} | ", f" | {cell} | ")


def main() -> int:
    """Write the values into the pages."""
    for path in map(page_of, FAMILIES):
        page = path.read_text(encoding="utf-8")
        for row in rows(page):
            if row.command.startswith(INSPECT) and row.measured:
                page = page.replace(row.line, with_values(row, run_command(row.command)))
        path.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
