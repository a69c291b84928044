"""Memory and time of figures from a store, from 10^5 to 10^7 outcomes.

    python benchmarks/outcomes_store.py            # conformity and binaryqa
    python benchmarks/outcomes_store.py --logs     # the export from lm-eval's samples, too

A store of each size is written in the layout of `bias-tasks export parquet`, and every figure of it
is worked out by `bias-tasks results --all`, in a process of its own. Shown are the most memory that
it held (resident) and the processor time of user and system. Answers are random; five items stand
in a cluster. `--logs` writes lm-eval samples files instead, line by line, and shows what exporting
them takes, too.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from bias_tasks.binary_qa.items import NEGATIVE, VARIANTS
from bias_tasks.data.replacing import replacing
from bias_tasks.export.store import StoreWriter
from bias_tasks.families import load_family
from bias_tasks.family import Outcome
from bias_tasks.results.run import FigureValue, Run

SIZES = (10**5, 10**6, 10**7)
TASKS = {"conformity": "instruction_boundary", "binaryqa": "binary_qa"}
_LABELS = ("True", "False", "Unknown")
_DOMAINS = ("everyday", "multi_hop", "numerical", "reading")
_OF_KIND = ("variant", "gold", "answer", "score", "why", "epoch")
_AT_ONCE = 50_000
_CALL = "from bias_tasks.cli import main; main()"


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
    process = subprocess.Popen([sys.executable, "-c", _CALL, *arguments], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
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
        run = _run(task, size, path)
        store.add_batches(run, _batches(run, size, store.schema))


def outcomes(task: str, size: int) -> Iterator[Outcome]:
    """Random outcomes, the same every time."""
    for start in range(0, size, _AT_ONCE):
        rows, kinds, drawn = _drawn(task, start, min(start + _AT_ONCE, size))
        for row, kind in zip(rows.tolist(), drawn.tolist(), strict=True):
            item = row // WAYS[task]
            yield replace(kinds[kind], item=_item(item), cluster=_cluster(item))


def _batches(run: Run, size: int, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The rows of the same outcomes, many at a time."""
    for start in range(0, size, _AT_ONCE):
        rows, kinds, drawn = _drawn(run.task, start, min(start + _AT_ONCE, size))
        items = (rows // WAYS[run.task]).tolist()
        names = [_item(item) for item in items]
        columns = {name: _of_kinds([getattr(k, name) for k in kinds], drawn) for name in _OF_KIND}
        columns |= {
            "item": names,
            "cluster": [_cluster(item) for item in items],
            "own": _of_kinds([json.dumps(kind.own) for kind in kinds], drawn),
            "right": _of_kinds([kind.score == 1 for kind in kinds], drawn),
            "facts": [_facts(name) for name in names],
            "prompt": [_prompt(name) for name in names],
        }
        same = {"task": run.task, "model": run.model, "log": str(run.path), "run": 0}
        arrays = [
            pa.array(columns[each.name], each.type)
            if each.name in columns
            else pa.repeat(pa.scalar(same.get(each.name), each.type), rows.size)
            for each in schema
        ]
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)


def _of_kinds(values: Sequence[Any], drawn: np.ndarray) -> pa.Array:
    return pa.array(values).take(pa.array(drawn))


def _drawn(task: str, start: int, stop: int) -> tuple[np.ndarray, Sequence[Outcome], np.ndarray]:
    """The numbers of answers, the kinds of answers that there are, and the kind of each."""
    rng = np.random.default_rng([start, stop])
    rows = np.arange(start, stop)
    kinds = KINDS[task]
    right, other = rng.random((2, rows.size))
    places = [rows % WAYS[task], *(rows // WAYS[task] // n % m for n, m in _DESIGN[task])]
    said = np.where(right < 0.6, 0, 1 + (other * (_SAID[task] - 1)).astype(int))
    sizes = [WAYS[task], *(m for _, m in _DESIGN[task]), _SAID[task]]
    return rows, kinds, np.ravel_multi_index([*places, said], sizes)


def _conformity(variant: int, gold_of: int, suggested_of: int, origin: int, said: int) -> Outcome:
    gold, suggested = _LABELS[gold_of], _LABELS[suggested_of]
    label = _LABELS[(gold_of + said) % 3]
    own = {
        "form": "judging",
        "label": label,
        "gold_label": gold,
        "judged": False,
        "suggested": suggested,
        "suggestion_is_gold": suggested == gold,
        "at_suggestion": label == suggested,
        "origin": ("first", "second")[origin],
    }
    way, score = ("vanilla", "conformity")[variant], float(label == gold)
    return Outcome("", "", way, gold, label, score, "explicit", own=own)


def _binaryqa(variant: int, gold_of: int, domain: int, said: int) -> Outcome:
    way, original = VARIANTS[variant], ("Yes", "No")[gold_of]
    gold = ("Yes", "No")[gold_of ^ (way in NEGATIVE)]
    answer = (gold, "No" if gold == "Yes" else "Yes", None)[said]
    own = {"domain": _DOMAINS[domain], "answer_to_original": original}
    return Outcome("", "", way, gold, answer, float(said == 0), "explicit", own=own)


_DESIGN = {"conformity": ((1, 3), (3, 3), (1, 2)), "binaryqa": ((1, 2), (5, len(_DOMAINS)))}
"""Of an item's number: divided by the first and counted up to the second, gold label and so on."""
_SAID = {"conformity": 3, "binaryqa": 3}
"""Kinds of answers: the right one and others."""
WAYS = {"conformity": 2, "binaryqa": len(VARIANTS)}
"""Answers an item."""
KINDS = {
    task: [
        made(*place)
        for place in np.ndindex(WAYS[task], *(size for _, size in _DESIGN[task]), _SAID[task])
    ]
    for task, made in (("conformity", _conformity), ("binaryqa", _binaryqa))
}


def _item(number: int) -> str:
    return f"{number * 2654435761 % 2**64:016x}"


def _cluster(item: int) -> str:
    return f"c{item // 5}"


def _facts(item: str) -> str:
    return json.dumps({"item": item})


def _prompt(item: str) -> str:
    return f"Question {item}?"


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
