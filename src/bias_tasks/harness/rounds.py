"""Tasks whose model is asked again about its own answer, which lm-eval asks in one run a round.

The first run (`ib_multi_turn_<form>_round1`) logs its answers, the second (`ib_multi_turn_<form>`)
shows them again. Further rounds repeat the second with its own samples as `first_round`.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from bias_tasks.contract.family import Plan, Question, Request
from bias_tasks.data.files import as_path, parsed_json, read_whole
from bias_tasks.harness.task import FamilyTask
from bias_tasks.names import digest, encodable

_LISTED = 10


class FirstRound(FamilyTask):
    """The first answers, scored as such. Their vanilla twins are asked with the next round."""

    def plan(self, task: str, values: dict[str, Any]) -> Plan:
        """The setting's own questions."""
        values["paired"] = False
        return super().plan(task, values)

    def doc(self, question: Question) -> dict[str, Any]:
        """The document that asks `question`, with the number of its round."""
        return {**super().doc(question), "round": 1, "first": _first(question)}


class NextRound(FamilyTask):
    """The answers to the questions that show the answers of the round before (`first_round`)."""

    TAKES = frozenset({"first_round"})

    def plan(self, task: str, values: dict[str, Any]) -> Plan:
        """The questions, after a look at the round before."""
        if values["first_round"] is None:
            raise ValueError(self._first_command(task))
        path = _samples_file(as_path(values["first_round"]), f"{self.config.task}_round1")
        last, before = _read(path)
        self._round = values["rounds"] = last + 1
        planned = super().plan(task, values)
        self._firsts = {each.id: _first(each) for each in planned.questions}
        again = {each.id for each in planned.questions if len(self._calls(each)) > 1}
        lacking = again - before.keys()
        others = {name for name in again - lacking if before[name].first != self._firsts[name]}
        asked_otherwise = "was asked with other items or parameters under"
        for what, ids in (("lacks", lacking), (asked_otherwise, others)):
            if ids:
                raise ValueError(
                    f"{path} {what} {len(ids)} of the samples: {', '.join(sorted(ids)[:_LISTED])}; "
                    "give both runs the same metadata, and n there instead of --limit"
                )
        questions = tuple(
            replace(q, prompt=self._calls(q, before[q.id].answer)[1].prompt) if q.id in again else q
            for q in planned.questions
        )
        source = {"source": "first_round", "path": str(path), "round": last}
        return replace(planned, questions=questions, provenance=(*planned.provenance, source))

    def doc(self, question: Question) -> dict[str, Any]:
        """The document that asks `question` again, or its vanilla twin once."""
        first = self._firsts[question.id]
        return {**super().doc(question), "round": self._round, "first": first}

    def _calls(self, question: Question, answer: str = "") -> list[Request]:
        """What the model is asked of a question, by round: the second after that answer."""
        return [each for each in self.family.requests(question, answer) if each.role is None]

    def _first_command(self, task: str) -> str:
        names = {parameter.name for parameter in self.spec(task).parameters}
        given = {name: value for name, value in self.config.metadata.items() if name in names}
        first = f"{self.config.task}_round1"
        return (
            "this task shows the model its own first answers, so ask for those first:\n"
            f"lm_eval --tasks {first} --metadata '{json.dumps(given)}' --log_samples --output_path "
            f"{first}\nwith the same model and options as here. Then run this with --metadata "
            f"'{json.dumps({**given, 'first_round': first})}'"
        )


def _first(question: Question) -> str:
    """Tells whether two runs ask the same under an id: a digest of what the first round asks."""
    return digest(question.prompt, question.facts)


def _samples_file(path: Path, first_task: str) -> Path:
    if path.is_file():
        return path
    if not path.is_dir():
        raise ValueError(f"first_round={str(path)!r}: there is no such file or folder")
    found = sorted(path.rglob(f"samples_{first_task}_*.jsonl"))
    if len(found) != 1:
        there = f"{path} has {len(found)} files samples_{first_task}_*.jsonl"
        raise ValueError(f"{there}: give one as first_round; did that run have --log_samples?")
    return found[0]


class _Row(NamedTuple):
    """One logged sample of a round."""

    first: str
    answer: str


def _read(path: Path) -> tuple[int, dict[str, _Row]]:
    """The number of a round, counted from 1, and its samples by their ids; a ValueError where a
    line is none, or there are none."""
    rows: dict[str, _Row] = {}
    for number, line in enumerate(read_whole(path).split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            row = parsed_json(line)
            doc, answer = row["doc"], encodable(row["resps"][0][0])
            last, rows[str(doc["id"])] = int(doc["round"]), _Row(str(doc["first"]), answer)
        except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
            wrong = f"{path}, line {number}: not a logged sample of a round"
            raise ValueError(f"{wrong} ({error!r})") from error
    if not rows:
        raise ValueError(f"{path} has no answers")
    return last, rows
