"""What two runs differ in beside their answers: the one place that compares records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from bias_tasks.results.run import Run
from bias_tasks.results.text import brief, value_text

Kind = Literal["task", "model", "host", "parameter", "setting", "source", "version", "asked"]
_IDENTITY = ("path", "repository", "revision", "sha256", "files", "digest", "by", "round")
"""What of a source's provenance says which one it is; the rest counts what was used of it."""
_NONE = "-"  # what only the other run has


class Difference(NamedTuple):
    """One thing that is not the same in two runs."""

    name: str
    kind: Kind
    one: Any
    """What the first run has, as a plain JSON value."""
    other: Any

    def __str__(self) -> str:
        return f"{brief(self.name)} {value_text(self.one)} / {value_text(self.other)}"


def differences(one: Run, other: Run) -> tuple[Difference, ...]:
    """Everything in which two runs differ, beside what was answered and when; `asked` stands last,
    and means by itself that a template or an item was changed."""
    here, there = _facts(one), _facts(other)
    every = (
        Difference(name, kind, here[kind].get(name, _NONE), there[kind].get(name, _NONE))
        for kind in here
        for name in here[kind] | there[kind]
    )
    return tuple(each for each in every if each.one != each.other)


def sources(record: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Which state of which source a run's items come from, by the source's name, which is numbered
    where several have it, as files of the user's."""
    found: dict[str, dict[str, Any]] = {}
    seen: Counter[str] = Counter()
    for source in record["provenance"]:
        if "source" in source:
            name = str(source["source"])
            seen[name] += 1
            name += f" {seen[name]}" if seen[name] > 1 else ""
            found[name] = {part: source[part] for part in _IDENTITY if part in source}
    return found


def _facts(run: Run) -> dict[Kind, dict[str, Any]]:
    """What identifies a run; its task by the family's own name, which is the same in each host."""
    record = run.record
    return {
        "task": {name: record[name] for name in ("family", "task")},
        "model": {"model": run.model},
        "host": {"host": run.host},
        "parameter": dict(record["parameters"]),
        "setting": dict(run.settings),
        "source": sources(record),
        "version": {"version of the task": record.get("version"), **run.versions},
        "asked": {"digest of what is asked": record["digest"]},
    }
