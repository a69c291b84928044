"""What is left of a run after a fault: who was asked, answered, named, doubled, and invented."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner
from inspect_ai.log import read_eval_log

from bias_tasks.cli import main as bias_tasks

_LACKS = re.compile(r"it lacks ([\d,]+) of ([\d,]+) answers")


@dataclass(frozen=True)
class Truth:
    """The run that nothing disturbed."""

    answers: dict[str, str]
    """The model's text by the question's id."""
    figures: str
    """All of them, as text that tells each digit."""


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    host: str
    what: str
    asked: int
    finished: int
    named: int
    """Said to be missing."""
    doubled: int
    invented: int
    same: bool | None
    """Whether the figures are those of the undisturbed run; None where there are none."""
    requests: int | None = None
    note: str = ""
    hosts_own: bool = False
    """Whether the host invents answers here by itself, which the table tells."""

    @property
    def good(self) -> bool:
        """All finished or named, none doubled, none invented."""
        if self.hosts_own:
            return True
        whole = self.finished + self.named == self.asked
        return whole and not self.doubled and not self.invented and self.same is not False


def truth_of(folder: Path) -> Truth:
    """What an undisturbed run answers and finds."""
    answers = _answers(folder)
    found = dict(answers)
    assert len(found) == len(answers) > 0
    return Truth(found, _figures(folder))


def counted(
    host: str,
    what: str,
    logs: Path,
    truth: Truth,
    *,
    requests: int | None = None,
    note: str = "",
) -> Row:
    """The row of a run by its logs, as `bias-tasks merge` makes one of them or names what lacks."""
    asked = len(truth.answers)
    merged = logs.with_name(f"{logs.name}.merged")
    done = CliRunner().invoke(bias_tasks, ["merge", str(logs), "--out", str(merged)])
    assert "Traceback" not in done.output, done.output
    lacks = _LACKS.search(done.output)
    if lacks is not None:
        named = int(lacks[1].replace(",", ""))
        partly = logs.with_name(f"{logs.name}.partly")
        CliRunner().invoke(bias_tasks, ["merge", str(logs), "--partial", "--out", str(partly)])
        answers = _answers(partly)
    elif merged.exists():
        named, answers = 0, _answers(merged)
        note = note or ("a broken log is named" if done.exit_code else "")
    else:  # no log at all: the host itself said that it failed
        return Row(host, what, asked, 0, asked, 0, 0, None, requests, note or "no log")
    times = Counter(name for name, _ in answers)
    invented = sum(truth.answers.get(name) != text for name, text in answers)
    doubled = sum(times.values()) - len(times)
    same = None if lacks else _figures(merged) == truth.figures
    return Row(host, what, asked, len(times), named, doubled, invented, same, requests, note)


def _answers(folder: Path) -> list[tuple[str, str]]:
    """The id and the model's text of every answer that was scored, in either host's logs."""
    found: list[tuple[str, str]] = []
    for path in sorted(folder.rglob("*.eval")):
        for sample in read_eval_log(str(path)).samples or ():
            if sample.scores and sample.error is None:
                found.append((str(sample.id), sample.output.completion))
    for path in sorted(folder.rglob("samples_*.jsonl")):
        rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        found += [(row["doc"]["id"], row["resps"][0][0]) for row in rows]
    return found


def _figures(folder: Path) -> str:
    done = CliRunner().invoke(bias_tasks, ["results", str(folder), "--all", "--format", "json"])
    assert done.exit_code == 0, done.output
    runs = json.loads(done.stdout)
    return json.dumps([[run["digest"], run["n"], run["metrics"]] for run in runs])
