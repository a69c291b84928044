"""The files of an attacked dataset: its rows, its manifest, and the replies of a run on the way."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bias_tasks.commands.attack.roles import replies_told
from bias_tasks.commands.attack.run import AttackedItem
from bias_tasks.commands.model_calls.lines import replace_with
from bias_tasks.complex_eval.items import attack_names, judged_to_dict
from bias_tasks.data.errors import DataError
from bias_tasks.data.files import open_to_read, parsed_json, read_whole, stands_there

ATTACKS = "attacks"
"""In a run's description: the names of what it attacks with."""


def manifest_path(out: Path) -> Path:
    """Where the manifest of a dataset stands."""
    return out.with_name(out.name + ".manifest.json")


def replies_path(out: Path) -> Path:
    """Where the replies stand that a dataset is made of."""
    return out.with_name(out.name + ".replies.jsonl")


def begin(out: Path, run: Mapping[str, Any]) -> dict[str, Any]:
    """Notes what a run is about to do, or makes sure that it adds to what was done before.

    `run` is all that decides what is made, as JSON values. A run may make other attacks than those
    before it; in nothing else may it differ.

    Returns:
        The run with the attacks, and the prompts, of those before it.

    Raises:
        DataError: the dataset was made by another run or by somebody else, or can't be written.
    """
    path = manifest_path(out)
    made = stands_there(out, "write")
    if stands_there(path):
        stored, wanted = _stored(path), json.loads(json.dumps(run))
        differing = _differing(stored["run"], wanted)
        if differing:
            raise DataError(
                f"{out} was made with another {', '.join(differing)}: give another --out, or the "
                "arguments it was made with"
            )
        both = _with_earlier(stored["run"], wanted)
        if both != stored["run"]:
            _write(path, {**stored, "run": both})
        return both
    if made:
        raise DataError(f"{out} is there without its manifest {path.name}: give another --out")
    _write(path, {"run": run})
    return dict(run)


def earlier_replies(out: Path) -> tuple[dict[str, str], set[str]]:
    """What the rows of a dataset tell of the replies they are made of, and their attacks' names.

    The file of replies may have been deleted since. A last line that was cut off is passed over:
    its replies are asked for again where they are nowhere else.

    Raises:
        DataError: the file can't be read, or has a wrong line.
    """
    replies: dict[str, str] = {}
    names: set[str] = set()
    if not stands_there(out):
        return replies, names
    with open_to_read(out) as lines:
        for number, line in enumerate(lines, start=1):
            try:
                made = dict(parsed_json(line)["provenance"])
                attacks = made.pop("attacks")
                steps = [step for each in attacks.values() for step in each["steps"]]
                for step in (*made.values(), *steps):
                    replies.update(replies_told(step))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                if not line.endswith(b"\n"):
                    break
                raise DataError(
                    f"{out}: line {number} is no row that was made here; take the line out, and "
                    "its item is attacked again"
                ) from error
            names |= attacks.keys()
    return replies, names


def _differing(stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """What of two runs differs that may not; of prompts those that both ask with."""
    before, now = stored["prompts"], wanted["prompts"]
    differing = {key for key in stored.keys() | wanted if stored.get(key) != wanted.get(key)}
    differing -= {ATTACKS, "prompts"}
    if bool(before) != bool(now) or any(before[name] != now[name] for name in before.keys() & now):
        differing.add("prompts")
    return sorted(differing)


def _with_earlier(stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    names = {*stored[ATTACKS], *wanted[ATTACKS]}
    return {
        **wanted,
        ATTACKS: [name for name in attack_names(wanted["family"]) if name in names],
        "prompts": dict(sorted({**stored["prompts"], **wanted["prompts"]}.items())),
    }


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
    """The manifest's content, of which what a run is compared by is checked."""
    try:
        content = parsed_json(read_whole(path))
        run = content["run"]
        known = attack_names(run["family"])
        readable = isinstance(run["prompts"], dict) and set(run[ATTACKS]) <= set(known)
    except (ValueError, KeyError, TypeError) as error:
        raise _unreadable(path) from error
    if not readable:
        raise _unreadable(path)
    return dict(content)


def _unreadable(path: Path) -> DataError:
    return DataError(f"{path} is no manifest that can be read: give another --out")


def _line(made: AttackedItem) -> bytes:
    row = {**judged_to_dict(made.item), "provenance": made.provenance()}
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def _write(path: Path, content: Mapping[str, Any]) -> None:
    replace_with(path, [json.dumps(content, ensure_ascii=False, indent=1).encode(), b"\n"])
