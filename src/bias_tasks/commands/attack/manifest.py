"""The files of an attacked dataset: its rows, its manifest, and the replies of a run on the way."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bias_tasks.commands.attack.run import AttackedItem
from bias_tasks.commands.model_calls.lines import replace_with
from bias_tasks.complex_eval.items import judged_to_dict
from bias_tasks.data.errors import DataError
from bias_tasks.data.json_text import parsed_json
from bias_tasks.data.regular_files import read_whole, stands_there


def manifest_path(out: Path) -> Path:
    """Where the manifest of a dataset stands."""
    return out.with_name(out.name + ".manifest.json")


def replies_path(out: Path) -> Path:
    """Where the replies stand that a dataset is made of."""
    return out.with_name(out.name + ".replies.jsonl")


def begin(out: Path, run: Mapping[str, Any]) -> None:
    """Notes what a run is about to do, or makes sure that it goes on with what it did before.

    `run` is all that decides what is made, as JSON values.

    Raises:
        DataError: the dataset was made by another run or by somebody else, or can't be written.
    """
    path = manifest_path(out)
    made = stands_there(out, "write")
    if stands_there(path):
        stored, wanted = _stored(path), json.loads(json.dumps(run))
        differing = sorted(key for key in stored | wanted if stored.get(key) != wanted.get(key))
        if differing:
            raise DataError(
                f"{out} was made with another {', '.join(differing)}: give another --out, or the "
                "arguments it was made with"
            )
    elif made:
        raise DataError(f"{out} is there without its manifest {path.name}: give another --out")
    else:
        _write(path, {"run": run})


def finish(
    out: Path, run: Mapping[str, Any], made: Sequence[AttackedItem], results: Mapping[str, Any]
) -> None:
    """Writes the dataset and its manifest.

    `run` is as for `begin`, `made` the rows, and `results` what the manifest says of them.
    """
    replace_with(out, map(_line, made))
    _write(
        manifest_path(out), {"bias_tasks": version("bias-tasks"), "run": run, "results": results}
    )


def _stored(path: Path) -> dict[str, Any]:
    try:
        run = parsed_json(read_whole(path))["run"]
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{path} is no manifest that can be read: give another --out") from error
    if not isinstance(run, dict):
        raise DataError(f"{path} is no manifest that can be read: give another --out")
    return run


def _line(made: AttackedItem) -> bytes:
    row = {**judged_to_dict(made.item), "provenance": made.provenance()}
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def _write(path: Path, content: Mapping[str, Any]) -> None:
    replace_with(path, [json.dumps(content, ensure_ascii=False, indent=1).encode(), b"\n"])
