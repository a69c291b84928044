"""Judges what rules could not read, many answers at once, and keeps every verdict."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from bias_tasks.commands.judge.logged import LoggedSample, LoggedTask, write_judged
from bias_tasks.commands.model_calls.attempts import UnusableReplyError, attempts
from bias_tasks.commands.model_calls.failures import Failures
from bias_tasks.commands.model_calls.lines import append, repair
from bias_tasks.commands.model_calls.model import generate
from bias_tasks.commands.model_calls.workers import work
from bias_tasks.data.errors import DataError
from bias_tasks.data.files import open_to_read, parsed_json
from bias_tasks.family import Outcome, VerdictRequest

if TYPE_CHECKING:
    from inspect_ai.model import Model

VERDICTS = "verdicts.jsonl"
"""Name of the file, in the folder that is written to, with what the judge replied."""


class Unread(NamedTuple):
    """An answer that rules could not read, and what the judge is asked of it."""

    task: LoggedTask
    sample: LoggedSample
    request: VerdictRequest

    @property
    def key(self) -> str:
        """What tells it from all others; the same request has the same verdict."""
        return f"{self.task.samples_file}/{self.sample.id}"


def unread(tasks: Sequence[LoggedTask]) -> Iterator[Unread]:
    """The answers that were not read and whose family has a judge for them."""
    for task in tasks:
        for sample in task.samples:
            if sample.outcome.answer is None:
                request = task.family.verdict_request(sample.facts, sample.answer)
                if request is not None:
                    yield Unread(task, sample, request)


@dataclass(slots=True)
class Run:
    """One run over logged tasks; `replies` are by `Unread.key`, None where there is no verdict."""

    judge: Model
    out: Path
    """The folder to write to."""
    replies: dict[str, str | None] = field(default_factory=dict)
    _failures: Failures = field(default_factory=Failures)

    def open(self) -> None:
        """Make the folder, and take up what an earlier run kept in it.

        Raises:
            DataError: the folder can't be written, or holds verdicts of another judge.
        """
        try:
            self.out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(f"cannot write to {self.out}: {error.strerror}") from error
        append(self.out / VERDICTS)
        repair(self.out / VERDICTS)
        with open_to_read(self.out / VERDICTS) as stream:
            rows = [parsed_json(line) for line in stream]
        for row in rows:
            if row["judge"] != str(self.judge):
                raise DataError(
                    f"{self.out / VERDICTS} holds verdicts of {row['judge']}: write to another "
                    "folder, or remove it"
                )
            self.replies[row["answer"]] = row["reply"]

    def ask(self, answers: Sequence[Unread], connections: int) -> list[str]:
        """Ask for the verdicts that are lacking; one message for each that the judge failed at."""
        lacking = [each for each in answers if each.key not in self.replies]
        return work("judging", lacking, connections, self._one)

    def write(self, tasks: Sequence[LoggedTask], answers: Sequence[Unread]) -> int:
        """Write the tasks with their verdicts; how many answers the judge gave none on.

        These are unscored, and left out, as in Inspect.
        """
        verdicts = {each.key: self._outcome(each) for each in answers}
        silent = sum(outcome is None for outcome in verdicts.values())
        note = f"answers that rules could not read: judged by {self.judge}"
        if silent:
            note += f", {silent} without a verdict left out"
        judged = [replace(task, samples=tuple(_judged(task, verdicts))) for task in tasks]
        for results in dict.fromkeys(task.results for task in judged):
            same = [task for task in judged if task.results == results]
            write_judged(self.out, results, same, note)
        return silent

    async def _one(self, answer: Unread) -> None:
        async def send(prompt: str, number: int) -> str:
            return await self._failures.counted(self.judge, lambda: generate(self.judge, prompt))

        def verdict(reply: str) -> str:
            if _outcome(answer, reply) is None:
                raise UnusableReplyError("no verdict")
            return reply

        request = answer.request.prompt
        reply, _ = await attempts(request, send, verdict, lambda reply, why: request)
        row = {"answer": answer.key, "judge": str(self.judge), "reply": reply}
        append(self.out / VERDICTS, (json.dumps(row) + "\n").encode())
        self.replies[answer.key] = reply

    def _outcome(self, answer: Unread) -> Outcome | None:
        reply = self.replies[answer.key]
        return None if reply is None else _outcome(answer, reply)


def _outcome(answer: Unread, reply: str) -> Outcome | None:
    """What the answer came to by the judge's reply; None where that holds no verdict."""
    sample = answer.sample
    return answer.task.family.read_verdict(sample.facts, sample.answer, reply)


def _judged(task: LoggedTask, verdicts: dict[str, Outcome | None]) -> Iterator[LoggedSample]:
    """The task's samples: those read by rules as they are, the others by their verdicts."""
    for sample in task.samples:
        key = f"{task.samples_file}/{sample.id}"
        if key not in verdicts:
            yield sample
            continue
        outcome = verdicts[key]
        if outcome is not None:
            yield sample.judged(outcome)
