"""Memory and time of figures from a store, from 10^5 to 10^7 outcomes.

    python benchmarks/outcomes_store.py            # conformity and binaryqa
    python benchmarks/outcomes_store.py --logs     # the export from lm-eval's samples, too

A store of each size is written as `bias-tasks export parquet` writes it, answer by answer, and
every figure of it is worked out by `bias-tasks results --all`, each in a process of its own. Shown
are the most memory that it held (resident) and the processor time of user and system. Answers are
random; five items stand in a cluster. `--logs` writes lm-eval's samples files instead, line by
line, and shows what exporting them takes.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bias_tasks.binary_qa.items import NEGATIVE, VARIANTS
from bias_tasks.data.replacing import replacing
from bias_tasks.export.store import StoreWriter
from bias_tasks.families import load_family
from bias_tasks.family import Outcome
from bias_tasks.results.answers import Answered
from bias_tasks.results.run import FigureValue, Run

SIZES = (10**5, 10**6, 10**7)
TASKS = {"conformity": "instruction_boundary", "binaryqa": "binary_qa"}
_LABELS = ("True", "False", "Unknown")
_DOMAINS = ("everyday", "multi_hop", "numerical", "reading")
_RESULTS = "from bias_tasks.cli import main; main()"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, add_help=True)
    parser.add_argument("--sizes", type=float, nargs="+", default=SIZES)
    parser.add_argument("--tasks", nargs="+", choices=list(TASKS), default=list(TASKS))
    parser.add_argument("--logs", action="store_true")
    asked = parser.parse_args()
    print(f"{'task':<12}{'outcomes':>12}{'what':>10}{'file, MB':>10}{'peak, MB':>10}{'CPU, s':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for task in asked.tasks:
            for size in map(int, asked.sizes):
                _measure(task, size, Path(folder), logs=asked.logs)


def _measure(task: str, size: int, folder: Path, *, logs: bool) -> None:
    store = folder / f"{task}-{size}.parquet"
    if logs:
        log = lm_eval_log(task, size, folder / f"{task}-{size}")
        _shown(
            task, size, "export", log.parent, ["export", "parquet", str(log), "--out", str(store)]
        )
    else:
        written(task, size, store)
    _shown(task, size, "figures", store, ["results", str(store), "--all", "--format", "json"])
    store.unlink()


def _shown(task: str, size: int, what: str, path: Path, arguments: list[str]) -> None:
    """Run a command and print what it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(
        [sys.executable, "-c", _RESULTS, *arguments], stdout=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    del before
    if status:
        sys.exit(f"{what} of {path.name} failed")
    files = [path] if path.is_file() else list(path.iterdir())
    held = sum(each.stat().st_size for each in files) / 2**20
    peak = used.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    seconds = used.ru_utime + used.ru_stime
    print(
        f"{task:<12}{size:>12,}{what:>10}{held:>10,.0f}{peak:>10,.0f}{seconds:>9,.1f}", flush=True
    )


def written(task: str, size: int, path: Path) -> None:
    """A store of a run with so many answers."""
    with replacing(path) as stream, StoreWriter(stream, path.parent) as store:
        store.add(_run(task, size, path), (_answered(each) for each in outcomes(task, size)))


def outcomes(task: str, size: int) -> Iterator[Outcome]:
    """Random outcomes, the same every time; whole items, as far as they go."""
    draw = {"conformity": _conformity, "binaryqa": _binaryqa}[task]
    rng, made = np.random.default_rng(0), 0
    while made < size:
        chunk = min(100_000, size - made)
        for row, drawn in enumerate(rng.random((chunk, 3)).tolist(), made):
            yield draw(row, *drawn)
        made += chunk


def _conformity(row: int, gold_of: float, right: float, other: float) -> Outcome:
    item, asked = divmod(row, 2)
    variant = ("vanilla", "conformity")[asked]
    gold, suggested = _LABELS[item % 3], _LABELS[(item // 3) % 3]
    label = gold if right < 0.6 else _LABELS[int(3 * other)]
    own = {
        "form": "judging",
        "label": label,
        "gold_label": gold,
        "judged": False,
        "suggested": suggested,
        "suggestion_is_gold": suggested == gold,
        "at_suggestion": label == suggested,
        "origin": ("first", "second")[item % 2],
    }
    name = f"{item * 2654435761 % 2**64:016x}"
    return Outcome(
        name, f"c{item // 5}", variant, gold, label, float(label == gold), "explicit", own=own
    )


def _binaryqa(row: int, gold_of: float, right: float, other: float) -> Outcome:
    item, asked = divmod(row, len(VARIANTS))
    variant, original = VARIANTS[asked], ("Yes", "No")[item % 2]
    gold = original if variant not in NEGATIVE else {"Yes": "No", "No": "Yes"}[original]
    answer = None if right > 0.98 else gold if right < 0.7 else ("Yes", "No")[int(2 * other)]
    own = {"domain": _DOMAINS[item // 5 % len(_DOMAINS)], "answer_to_original": original}
    name = f"{item * 2654435761 % 2**64:016x}"
    score = float(answer == gold)
    return Outcome(name, f"c{item // 5}", variant, gold, answer, score, "explicit", own=own)


def _answered(outcome: Outcome) -> Answered:
    return Answered({"item": outcome.item}, outcome, f"Question {outcome.item}?")


def _run(task: str, size: int, path: Path) -> Run:
    """A run as a log would have it."""
    spec = load_family(TASKS[task]).tasks[task]
    record: dict[str, Any] = {
        "family": TASKS[task],
        "task": task,
        "protocol": "corrected",
        "data": "random",
        "parameters": {each.name: each.default for each in spec.parameters},
        "notes": [],
        "provenance": [],
    }
    headline = FigureValue("items", float(size), float(size), float(size), size)
    return Run(task, "lm-eval", "random", record, size, (headline,), path.with_suffix(".json"))


def lm_eval_log(task: str, size: int, folder: Path) -> Path:
    """The results file of such a run as lm-eval writes it, its samples beside it."""
    folder.mkdir()
    run = _run(task, size, folder)
    time = "2026-01-01T00-00-00.000000"
    with (folder / f"samples_{task}_{time}.jsonl").open("w", encoding="utf-8") as lines:
        for outcome in outcomes(task, size):
            doc = {
                "facts": json.dumps({"item": outcome.item}),
                "prompt": f"Question {outcome.item}?",
            }
            said = outcome.answer or ""
            row = {"doc": doc, "resps": [[said]], "outcome": outcome.to_dict()}
            lines.write(json.dumps(row) + "\n")
    results = {
        "results": {task: {"items,none": size, "items_n,none": size}},
        "configs": {task: {"metadata": {"bias_tasks": dict(run.record)}}},
        "config": {"model": "random"},
    }
    path = folder / f"results_{time}.json"
    path.write_text(json.dumps(results), encoding="utf-8")
    return path


if __name__ == "__main__":
    main()
