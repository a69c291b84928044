"""Is a run that was merged of its parts the run in one piece, for every task and in both hosts?

Each task is asked of a simulated respondent in one piece and in parts; every figure of what is
merged is compared to the last digit. A line a task; the exit code says whether all are the same.

    python benchmarks/merged_whole.py [--host lm-eval] [--parts 2] [--n 8] [TASK ...]
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from inspect_ai import eval as evaluate
from lm_eval import simple_evaluate
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

import bias_tasks
from bias_tasks.cli import main as command
from bias_tasks.families import FAMILY_NAMES, load_family
from bias_tasks.harness.link import task_configs_folder
from bias_tasks.parameters import TaskSpec
from bias_tasks.respondents.harness_model import SimulatedLM

MODEL = "simulated/conformist"
SECOND_ROUNDS = ("ib_multi_turn_choice", "ib_multi_turn_judging")
NOT_SYNTHETIC = ("ethics", "translation")
"""Domains of binary questions that only the paper's data have."""
Ask = Callable[[Path, str | None], None]
"""Runs a task, or a part of it, into a folder."""


def small(spec: TaskSpec, n: int) -> dict[str, Any]:
    """Values for a run of few synthetic items of a task."""
    known = {each.name for each in spec.parameters}
    if "mode" in known:
        return {"n": n, "k": "0,2,5"}
    return {"n": n} | {name: "synthetic" for name in ("data", "dataset") if name in known}


def figures(folder: Path) -> str:
    """Every figure of the runs below a folder, as text that tells each digit."""
    found = CliRunner().invoke(command, ["results", str(folder), "--all", "--format", "json"])
    assert found.exit_code == 0, found.output
    runs = sorted(json.loads(found.stdout), key=lambda run: run["task"])
    return json.dumps([[run["task"], run["digest"], run["metrics"]] for run in runs])


def merged_is_whole(work: Path, ask: Ask, parts: int) -> tuple[bool, str]:
    """Whether asking in parts comes to the same, and how long the figures are as text."""
    ask(work / "whole", None)
    for number in range(1, parts + 1):
        ask(work / "parts" / str(number), f"{number}/{parts}")
    done = CliRunner().invoke(
        command, ["merge", str(work / "parts"), "--out", str(work / "merged")]
    )
    if done.exit_code:
        return False, done.output
    whole, merged = figures(work / "whole"), figures(work / "merged")
    return whole == merged, f"{len(whole):,} characters of figures"


def in_inspect(task: str, given: dict[str, Any]) -> Ask:
    def ask(folder: Path, shard: str | None) -> None:
        part = {} if shard is None else {"shard": shard}
        made = getattr(bias_tasks, task)(**given, **part)
        [log] = evaluate(made, model=MODEL, log_dir=str(folder), display="none")
        assert log.status == "success", log.error

    return ask


def after(round_before: Ask, ask_next: Callable[[dict[str, str]], Ask]) -> Ask:
    """Asks a second round, whole or in parts, after the whole of the first."""
    first = tempfile.TemporaryDirectory()
    asked: list[Path] = []

    def ask(folder: Path, shard: str | None) -> None:
        if not asked:
            round_before(Path(first.name), None)
            asked.append(Path(first.name))
        ask_next({"first_round": first.name})(folder, shard)

    return ask


def in_lm_eval(task: str, given: dict[str, Any]) -> Ask:
    if task in SECOND_ROUNDS and "first_round" not in given:
        return after(
            in_lm_eval(f"{task}_round1", given),
            lambda told: in_lm_eval(task, {**given, **told}),
        )

    def ask(folder: Path, shard: str | None) -> None:
        metadata = given if shard is None else {**given, "shard": shard}
        found = simple_evaluate(
            model=SimulatedLM(persona="conformist"),
            tasks=[task],
            task_manager=TaskManager(
                include_path=str(task_configs_folder()), include_defaults=False, metadata=metadata
            ),
            log_samples=True,
        )
        tracker = EvaluationTracker(output_path=str(folder))
        tracker.general_config_tracker.model_name_sanitized = "model"
        samples = found.pop("samples")
        tracker.save_results_aggregated(found, samples=samples)
        tracker.save_results_samples(task, samples[task])

    return ask


def runs(host: str) -> list[tuple[str, TaskSpec, Callable[[str, dict[str, Any]], Ask]]]:
    """Each task of a host, with the spec of it and what asks it."""
    specs = {spec.name: spec for name in FAMILY_NAMES for spec in load_family(name).tasks.values()}
    if host == "inspect":
        return [(name, spec, in_inspect) for name, spec in specs.items()]
    manager = TaskManager(include_path=str(task_configs_folder()), include_defaults=False)
    configs = {name: manager.task_index[name].cfg or {} for name in manager.all_subtasks}
    own = {name: config.get("dataset_kwargs") or {} for name, config in configs.items()}
    ours = {name: kwargs for name, kwargs in own.items() if kwargs.get("task") in specs}
    return [(name, specs[ours[name]["task"]], in_lm_eval) for name in once(ours, configs)]


def once(ours: dict[str, dict[str, Any]], configs: dict[str, Any]) -> list[str]:
    """The tasks that ask something else than those before them, when all load synthetic items."""
    found: dict[str, str] = {}
    for name in sorted(ours, key=lambda name: "synthetic" not in name):
        kwargs = ours[name]
        kind = str(configs[name]["class"])
        if kwargs.get("domains") in NOT_SYNTHETIC or kind.endswith("OwnFile"):
            print(f"{name}: not asked, it has no synthetic items", flush=True)
            continue
        asked = json.dumps([kind, {**kwargs, "dataset": None}], sort_keys=True)
        if asked in found:
            print(f"{name}: with synthetic items it is {found[asked]}", flush=True)
        found.setdefault(asked, name)
    return list(found.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tasks", nargs="*")
    parser.add_argument("--host", choices=("inspect", "lm-eval"), default="inspect")
    parser.add_argument("--parts", type=int, default=2)
    parser.add_argument("--n", type=int, default=12)
    chosen = parser.parse_args()
    same = True
    for name, spec, asking in runs(chosen.host):
        if chosen.tasks and name not in chosen.tasks:
            continue
        with tempfile.TemporaryDirectory() as work, contextlib.redirect_stderr(io.StringIO()):
            ask = asking(name, small(spec, chosen.n))
            ok, told = merged_is_whole(Path(work), ask, chosen.parts)
        same &= ok
        print(f"{name}: {'the same' if ok else 'NOT the same'}, {told}", flush=True)
    sys.exit(not same)


if __name__ == "__main__":
    main()
