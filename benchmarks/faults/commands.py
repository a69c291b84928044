"""The disk is full while a command of bias-tasks writes; then there is room, and it runs again."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner
from disk import disk

from bias_tasks.cli import main as bias_tasks
from bias_tasks.respondents.provider import SimulatedAPI

sys.path.insert(0, str(Path(__file__).parents[1]))
from merged_whole import figures, in_inspect, in_lm_eval

_ITEMS = {"data": "synthetic", "n": 24}
_QUESTIONS = 60
_SHARES = (0.0, 0.3, 0.6, 0.9)
"""Of the bytes that a command writes: how many are free."""
_SUMS = Path(__file__).parents[2] / "examples" / "sums.py"


@dataclass(frozen=True)
class Command:
    """One that is tried."""

    name: str
    arguments: tuple[str, ...]
    out: str
    """What it writes to, below a folder."""
    read: Callable[[Path], str]
    """What of that must be the same, whatever broke."""


def lines(work: Path) -> Iterator[tuple[str, bool]]:
    """A table's lines, each with whether what it tells is as it should be."""
    calls = _counting()
    yield "", True
    columns = ("command", "room", "it says", "rows left whole", "sent again", "requests, without")
    yield f"| {' | '.join(columns)} |", True
    yield f"|{' --- |' * len(columns)}", True
    for command in _commands(work):
        name = command.name
        calls.clear()
        assert _run(command, work / "undisturbed" / name)[0] == 0
        whole, needed = command.read(work / "undisturbed" / name / command.out), len(calls)
        size = _size(work / "undisturbed" / name)
        for share in _SHARES:
            place = f"{name}-{share}"
            with disk(work / place) as small:
                calls.clear()
                small.leave(int(size * share))
                code, said = _run(command, small.folder)
                left, litter = _left(small.folder, whole), sorted(small.folder.rglob("*.tmp"))
                small.make_room()
                again, _ = _run(command, small.folder)
                same = again == 0 and command.read(small.folder / command.out) == whole
            told = said.replace(str(small.folder), "OUT")
            one = code != 0 and said.count("Error: ") == 1 and "Traceback" not in said
            fine = (one or code == 0) and not litter and same and left is not None
            shown = f"| {name} | {share:.0%} | {told or 'done'} | {left} | "
            shown += f"{'the same' if same else 'DIFFERENT'} | {len(calls)}, {needed} |"
            yield shown if fine else f"{shown} WRONG", fine


def _commands(work: Path) -> Iterator[Command]:
    """All that write files, with what they read made before."""
    logs = {"inspect": work / "inspect", "lm-eval": work / "lm-eval"}
    for shard in ("1/2", "2/2"):
        in_inspect("conformity", _ITEMS)(logs["inspect"], shard)
        in_lm_eval("ib_conformity_choice", _ITEMS)(logs["lm-eval"], shard)
    for host, folder in logs.items():
        yield Command(f"merge ({host})", ("merge", str(folder), "--out"), "out", figures)
        whole = work / f"{host}-merged"
        _invoke(["merge", str(folder), "--out", str(whole)])
        for kind in ("csv", "parquet"):
            out, name = f"{host}.{kind}", f"export {kind} ({host})"
            yield Command(name, ("export", kind, str(whole), "--out"), out, _bytes)
        eee = ("export", "eee", str(whole), "--out")
        yield Command(f"export eee ({host})", eee, "out", _records)
    questions = work / "questions.jsonl"
    asked = ({"question": f"Zounds {n}, forsooth?", "answer": "Yes"} for n in range(_QUESTIONS))
    questions.write_text("".join(json.dumps(each) + "\n" for each in asked), encoding="utf-8")
    model = ("--model", "simulated/reformulator", "--out")
    given: tuple[str, ...] = ("reformulate", str(questions), *model)
    yield Command("reformulate", given, "rewordings.jsonl", _text)
    model = ("--attacker", "simulated/attacker", "--out")
    given = ("attack", "math", "--data", "synthetic", "-n", "12", *model)
    yield Command("attack", given, "attacked.jsonl", _text)
    model = ("--model", "simulated/rewriter", "-T", "n=40", "--out")
    yield Command("reword", ("reword", f"{_SUMS}@sums", *model), "rewordings.jsonl", _text)


def _run(command: Command, folder: Path) -> tuple[int, str]:
    folder.mkdir(parents=True, exist_ok=True)
    return _invoke([*command.arguments, str(folder / command.out)])


def _invoke(arguments: list[str]) -> tuple[int, str]:
    """The exit code, and what was said of what failed, on one line."""
    done = CliRunner().invoke(bias_tasks, arguments)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    said = " ".join(done.output.split())
    at = said.find("Error: ")
    told = said[at:] if at >= 0 else next((f"Error: {p}" for p in [said] if done.exit_code), "")
    return done.exit_code, told


def _left(folder: Path, whole: str) -> str | None:
    """How many rows stand in the files of rows, all whole; None where one is not."""
    count = 0
    for path in folder.rglob("*.jsonl"):
        content = path.read_text(encoding="utf-8")
        if content and not content.endswith("\n"):
            return None
        count += sum(isinstance(json.loads(line), dict) for line in content.splitlines())
    return str(count)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _bytes(path: Path) -> str:
    return path.read_bytes().hex()


def _records(folder: Path) -> str:
    """The answers of exported records, but for the export's own time in their ids."""
    records = sorted(folder.rglob("*.json"))
    assert all(path.with_name(f"{path.stem}_samples.jsonl").exists() for path in records)
    lines = (line for path in sorted(folder.rglob("*.jsonl")) for line in _text(path).splitlines())
    return json.dumps([json.loads(line) | {"evaluation_id": ""} for line in lines])


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _counting() -> list[None]:
    """Grows by one with each request to a simulated model."""
    calls: list[None] = []
    generate = SimulatedAPI.generate

    async def counted(self: SimulatedAPI, *given: object, **named: object) -> object:
        calls.append(None)
        return await generate(self, *given, **named)  # type: ignore[arg-type]

    SimulatedAPI.generate = counted  # type: ignore[assignment,method-assign]
    return calls
