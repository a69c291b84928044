"""Tasks that prompt the model again with its own answer. lm-eval needs one run per round.

The first run (such as `ib_multi_turn_<form>_round1`) logs its answers. The second
(`ib_multi_turn_<form>`) quotes them. Each further round repeats the second with its own samples as
`first_round`.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.outcomes import EARLIER_ROUNDS, QUOTED_ANSWER, AnyOutcome
from bias_tasks.contract.parameters import Parameter
from bias_tasks.contract.questions import Plan, Question
from bias_tasks.data.files import as_path, parse_json, read_whole
from bias_tasks.digests import digest
from bias_tasks.harness.task import FamilyTask
from bias_tasks.parsing.reasoning import VisibleText
from bias_tasks.unicode_text import encodable

_MAX_LISTED = 10
_OWN_ANSWER = "Your previous answer:"


class FirstRound(FamilyTask):
    """The first answers, scored as such. The baseline questions run with the next round."""

    def plan(self, task: str, values: JsonObject) -> Plan:
        """Return the questions under the setting, without baseline questions."""
        if "paired" in values:
            values["paired"] = False
        return super().plan(task, values)

    def doc(self, question: Question) -> JsonObject:
        """Return the document of a question, with the number of its round."""
        return {**super().doc(question), "round": 1, "first": _first_round_digest(question)}

    def example_outcome(self, question: Question) -> AnyOutcome:
        """Return an outcome without earlier rounds."""
        return self.score_answer(self.doc(question), [""])


class NextRound(FamilyTask):
    """The answers to prompts that quote the answers of the previous round (`first_round`)."""

    ADDED = (
        Parameter("first_round", "text", None, "samples of the previous round, or their folder"),
    )

    def plan(self, task: str, values: JsonObject) -> Plan:
        """Return the questions with the answers of the previous round in their prompts."""
        if values["first_round"] is None:
            raise ValueError(self._explain_first_round(task))
        path = _find_samples_file(as_path(values["first_round"]), f"{self.config.task}_round1")
        previous_round, previous = _read_round(path)
        self._round = previous_round + 1
        values["rounds"] += previous_round - 1  # the default is that of the second run
        plan = super().plan(task, values)
        self._first_digests = {
            question.id: _first_round_digest(question) for question in plan.questions
        }
        self._previous = previous
        prompts = {
            question.id: self._next_prompt(question, previous.get(question.id))
            for question in plan.questions
        }
        repeated = {question_id for question_id, prompt in prompts.items() if prompt is not None}
        missing = repeated - previous.keys()
        changed = {
            question_id
            for question_id in repeated - missing
            if previous[question_id].first_digest != self._first_digests[question_id]
        }
        for problem, ids in (
            ("lacks", missing),
            ("was run with other items or parameters for", changed),
        ):
            if ids:
                listed = ", ".join(sorted(ids)[:_MAX_LISTED])
                raise ValueError(
                    f"{path} {problem} {len(ids)} of the samples: {listed}; give both runs the "
                    "same metadata, and use n there instead of --limit"
                )
        questions = tuple(
            replace(question, prompt=prompts[question.id] or question.prompt)
            for question in plan.questions
        )
        source = {"source": "first_round", "path": str(path), "round": previous_round}
        return replace(plan, questions=questions, provenance=(*plan.provenance, source))

    def doc(self, question: Question) -> JsonObject:
        """Return the document of a question, with the number of its round and the earlier ones."""
        first = self._first_digests[question.id]
        previous = self._previous.get(question.id)
        rounds = {
            "round": self._round,
            EARLIER_ROUNDS: None if previous is None else previous.rounds,
            QUOTED_ANSWER: None if previous is None else previous.answer,
        }
        return {**super().doc(question), **rounds, "first": first}

    def example_outcome(self, question: Question) -> AnyOutcome:
        """Return an outcome with a first round, if the question has one."""
        return self.score_answer(self.doc(question), [""])

    def _next_prompt(self, question: Question, previous: "_PreviousSample | None") -> str | None:
        """Return the prompt that quotes the previous answer, None if the question has one round.

        lm-eval has no chat turns: a turn of a dialogue quotes the whole conversation before it.
        """
        answer = previous.answer if previous else ""
        requests = self.family.requests(question, answer)
        last = [request for request in requests if request.role is None][1:][-1:]
        if not last or previous is None or not last[0].continues:
            return last[0].prompt if last else None
        quoted = VisibleText.from_text(answer).text
        before = previous.rounds[-1]["prompt"]
        return f"{before}\n\n{_OWN_ANSWER} {quoted}\n\n{last[0].prompt}"

    def _explain_first_round(self, task: str) -> str:
        names = {parameter.name for parameter in self.spec(task).parameters}
        raw = {name: value for name, value in self.config.metadata.items() if name in names}
        first = f"{self.config.task}_round1"
        return (
            "this task shows the model its own first answers, so run the first round before it:\n"
            f"lm_eval --tasks {first} --metadata '{json.dumps(raw)}' --log_samples --output_path "
            f"{first}\nwith the same model and options as here. Then run this with --metadata "
            f"'{json.dumps({**raw, 'first_round': first})}'"
        )


class _PreviousSample(NamedTuple):
    """One logged sample of the previous round."""

    first_digest: str
    answer: str
    rounds: list[JsonObject]
    """Prompt and answer of each round up to this one."""


def _first_round_digest(question: Question) -> str:
    """Return what is equal if two runs have the same first round under an id."""
    return digest(question.prompt, question.scoring_data.to_dict())


def _find_samples_file(path: Path, first_task: str) -> Path:
    if path.is_file():
        return path
    if not path.is_dir():
        raise ValueError(f"first_round={str(path)!r}: there is no such file or folder")
    files = sorted(path.rglob(f"samples_{first_task}_*.jsonl"))
    if len(files) != 1:
        raise ValueError(
            f"{path} has {len(files)} files samples_{first_task}_*.jsonl: give one as first_round; "
            "did that run have --log_samples?"
        )
    return files[0]


def _read_round(path: Path) -> tuple[int, dict[str, _PreviousSample]]:
    """Return the number of a round, counted from 1, and its samples by id.

    Raises:
        ValueError: A line is not a logged sample of a round, or there are no lines.
    """
    samples: dict[str, _PreviousSample] = {}
    round_number = 0
    for number, line in enumerate(read_whole(path).split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            row = parse_json(line)
            doc, answer = row["doc"], encodable(row["resps"][0][0])
            round_number = int(doc["round"])
            rounds = [*(doc.get(EARLIER_ROUNDS) or ()), {"prompt": doc["prompt"], "answer": answer}]
            samples[str(doc["id"])] = _PreviousSample(str(doc["first"]), answer, rounds)
        except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
            problem = f"{path}, line {number}: not a logged sample of a round"
            raise ValueError(f"{problem} ({error!r})") from error
    if not samples:
        raise ValueError(f"{path} has no answers; run the previous round with --log_samples")
    return round_number, samples
