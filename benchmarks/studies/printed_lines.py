"""How many lines Inspect's console prints of each task, and how many rows lm-eval's tables have.

Simulated models answer a few generated items of every task, in both frameworks.
Run: python -m benchmarks.studies.printed_lines [--framework inspect|lm-eval] [--only PATTERN]
"""

from __future__ import annotations

import argparse
import io
import re
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from fnmatch import fnmatchcase
from importlib import import_module
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager
from lm_eval.utils import make_table

from bias_tasks.contract.parameters import TaskSpec
from bias_tasks.families import FAMILY_NAMES, load_family
from bias_tasks.harness.link import task_configs_folder
from bias_tasks.simulated.lm_eval_model import SimulatedLM

MAX_LINES = 15
ITEMS = 12
DATA: dict[str, dict[str, str]] = {
    "instruction_boundary": {"data": "synthetic"},
    "binary_qa": {"data": "synthetic"},
    "output_format": {},
    "complex_eval": {"data": "synthetic"},
    "judge_bias": {"data": "synthetic"},
}
TRAITS: dict[str, Any] = {"accuracy": 0.7, "abstention": 0.02}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--framework", choices=("inspect", "lm-eval"))
    parser.add_argument("--only", default="*", metavar="PATTERN", help="of the tasks' names")
    args = parser.parse_args()
    over: list[str] = []
    if args.framework in (None, "inspect"):
        for task, metrics, whole in inspect_lines(args.only):
            print(f"inspect {task}: {metrics} lines of metrics, {whole} in all", flush=True)
            over += [task] if metrics > MAX_LINES else []
    if args.framework in (None, "lm-eval"):
        for task, rows in harness_rows(args.only):
            print(f"lm-eval {task}: {rows} rows", flush=True)
            over += [task] if rows > MAX_LINES else []
    if over:
        raise SystemExit(f"more than {MAX_LINES}: {', '.join(over)}")


def inspect_lines(pattern: str) -> Iterator[tuple[str, int, int]]:
    """Of each task the lines of metrics on the console, and of the whole panel around them."""
    for family in FAMILY_NAMES:
        for name, spec in load_family(family).tasks.items():
            if fnmatchcase(name, pattern):
                made = getattr(import_module(f"bias_tasks.{family}_tasks"), name)(**few(spec))
                panel = printed(made)
                first = panel.index("outcome") + 1
                last = next(place for place, line in enumerate(panel) if line.startswith("Log:"))
                yield name, last - first, len(panel)


def printed(task: Task) -> list[str]:
    """What the console prints of a finished task, without blank lines."""
    console = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(console):
        [log] = inspect_eval(
            task,
            model="simulated/steadfast",
            model_args=TRAITS,
            log_dir=folder,
            display="plain",
            log_realtime=False,
        )
    assert log.status == "success", log.error
    *_, panel, _ = re.split(r"(?m)^-{20,}\s*$", console.getvalue())
    return [line.strip() for line in panel.splitlines() if line.strip()]


def harness_rows(pattern: str) -> Iterator[tuple[str, int]]:
    """Of each task the rows of lm-eval's table; of a group those of all its tasks and its own."""
    for family in FAMILY_NAMES:
        folder = task_configs_folder() / family
        manager = TaskManager(
            include_path=str(folder),
            include_defaults=False,
            metadata={"n": ITEMS, **DATA[family]},
        )
        for path in sorted(folder.glob("*.yaml")):
            name = path.stem
            if name[0] == "_" or not fnmatchcase(name, pattern) or not _generated(family, name):
                continue
            found = simple_evaluate(
                model=SimulatedLM("steadfast", **TRAITS), tasks=[name], task_manager=manager
            )
            tables = make_table(found)
            if found.get("groups"):
                tables += "\n" + make_table(found, "groups")
            rows = [line for line in tables.splitlines() if line.startswith("|")]
            yield (
                name,
                sum(not line.startswith(("|--", "|:-")) for line in rows) - tables.count("|Tasks"),
            )


def _generated(family: str, name: str) -> bool:
    """Whether a task takes generated items, instead of a paper's, a file or a round before."""
    if family == "output_format":
        return "synthetic" in name
    own_items = ("_translation", "_translation_ll", "_ethics", "_ethics_ll")  # the paper's alone
    after = ("_file", "_round1", "multi_turn_judging", "multi_turn_choice")
    return not name.endswith((*after, *own_items))


def few(spec: TaskSpec) -> dict[str, Any]:
    """A few generated items of a task."""
    known = {each.name for each in spec.parameters}
    if "mode" in known:
        return {"n": 2, "k": "0,2,5,9"}
    return {"n": ITEMS} | {name: "synthetic" for name in known if name == "data"}


if __name__ == "__main__":
    main()
