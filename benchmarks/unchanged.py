"""Does the package still give the same prompts, parsed answers and metrics?

python -m benchmarks.unchanged record FILE [--only REGEX]
python -m benchmarks.unchanged compare BEFORE AFTER [--allow REGEX]

`record` runs every task whose data are in the package, in both frameworks, on models whose answers
depend on the prompt alone. It writes one line for each list of prompts, column of answers and
metric. `compare` prints the lines that differ and exits with 1 if there are any. Record the code
before a change and after it, both from the root of the repository.
"""

import argparse
import io
import json
import logging
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from fnmatch import fnmatch
from itertools import groupby
from pathlib import Path
from typing import Any

import yaml

_SEPARATOR = " :: "
"""Separates framework, run and subject in the name of an entry."""
_CASES = Path(__file__).parent / "unchanged_runs" / "cases.yaml"
_MAX_SHOWN = 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    record = commands.add_parser("record", help="run all tasks and write a record")
    record.add_argument("file", type=Path)
    record.add_argument("--only", default="", metavar="REGEX", help="run these, by name")
    compare = commands.add_parser("compare", help="print what differs between two records")
    compare.add_argument("before", type=Path)
    compare.add_argument("after", type=Path)
    allow_help = "entries that may differ, by name; may be repeated"
    compare.add_argument("--allow", action="append", default=[], metavar="REGEX", help=allow_help)
    args = parser.parse_args()
    if args.command == "record":
        succeeded = write_record(args.file, args.only)
    else:
        succeeded = print_differences(_read(args.before), _read(args.after), args.allow)
    sys.exit(not succeeded)


def write_record(path: Path, only: str = "") -> bool:
    """Run the cases whose name matches `only`, and write their entries to a file.

    Returns:
        Whether all runs succeeded. The error of a failed run is its entry.
    """
    start, lines, errors, n_runs = time.monotonic(), [], [], 0
    for run, entries in _run_cases(only):
        n_runs += 1
        errors += [f"{run}: {entries['error']}"] if "error" in entries else []
        lines += [
            f"{json.dumps(f'{run}{_SEPARATOR}{name}')}: {_to_json(entries[name])}"
            for name in entries
        ]
    path.write_text("{\n" + ",\n".join(sorted(lines)) + "\n}\n", encoding="utf-8")
    seconds = time.monotonic() - start
    summary = f"{n_runs} runs, {len(errors)} failed, {len(lines)} entries, {seconds:.0f} s"
    print(*errors, summary, sep="\n")
    return not errors


def print_differences(
    before: Mapping[str, str], after: Mapping[str, str], allowed: Sequence[str]
) -> bool:
    """Print the entries that differ, grouped by run; return whether there are none.

    Args:
        before: The entries of the first record as JSON, by name.
        after: The entries of the second record.
        allowed: Regular expressions; an entry whose name matches one may differ.
    """
    names = sorted(before.keys() | after.keys())
    changed = [name for name in names if before.get(name) != after.get(name)]
    different = [name for name in changed if not any(re.search(regex, name) for regex in allowed)]
    for run, group in groupby(different, lambda name: name.rpartition(_SEPARATOR)[0]):
        print(run)
        for name in group:
            entries = [
                record.get(name, "(no such entry)")[:_MAX_SHOWN] for record in (before, after)
            ]
            print(f"  {name.rpartition(_SEPARATOR)[2]}\n    - {entries[0]}\n    + {entries[1]}")
    n_allowed = len(changed) - len(different)
    print(f"{len(different)} of {len(names)} entries differ, and {n_allowed} that may")
    return not different


def _run_cases(only: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name and the entries of each run; an error is an entry."""
    # Imported here: comparing two records needs no framework.
    from benchmarks.unchanged_runs import inspect_runs, lm_eval_runs

    logging.disable(logging.WARNING)
    declared = yaml.safe_load(_CASES.read_text(encoding="utf-8"))
    special = declared["without_default"]
    for framework, runs in (("inspect", inspect_runs), ("lm-eval", lm_eval_runs)):
        tasks = [t for t in runs.list_tasks() if not any(fnmatch(t, p) for p in special)]
        for case in [*({"task": task} for task in tasks), *declared[framework]]:
            name = f"{framework}{_SEPARATOR}{_name_case(case)}"
            if re.search(only, name):
                defaults = {} if case.get("other") else declared["defaults"]
                merged = {**defaults, **case.get("parameters", {})}
                parameters = {name: value for name, value in merged.items() if value is not None}
                try:
                    with redirect_stderr(io.StringIO()), redirect_stdout(io.StringIO()):
                        entries = runs.run({**case, "parameters": parameters})
                except Exception as error:  # noqa: BLE001 - a run that fails is a difference
                    message = re.sub(r"/\S*", "(path)", str(error))  # folders of logs change
                    entries = {"error": f"{type(error).__name__}: {message}"}
                yield name, entries


def _name_case(case: Mapping[str, Any]) -> str:
    """Return the task, with what differs from its default run."""
    others = {name: case[name] for name in ("solver", "epochs", "first") if name in case}
    roles = {"roles": ",".join(case["roles"])} if "roles" in case else {}
    details = {**case.get("parameters", {}), **others, **roles}
    return " ".join([case["task"], *(f"{name}={value}" for name, value in details.items())])


def _read(path: Path) -> dict[str, str]:
    entries = json.loads(path.read_text(encoding="utf-8"))
    return {name: _to_json(entry) for name, entry in entries.items()}


def _to_json(entry: object) -> str:
    return json.dumps(entry, sort_keys=True, ensure_ascii=False)


if __name__ == "__main__":
    main()
