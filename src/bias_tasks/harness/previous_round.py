"""The answers of the round before, from the samples file that another lm-eval run logged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from bias_tasks.data.errors import DataError
from bias_tasks.data.files import as_path, open_to_read, parsed_json
from bias_tasks.instruction_boundary.plan import SettingQuestion, question_from_dict
from bias_tasks.names import encodable

_LISTED = 10


@dataclass(frozen=True, slots=True)
class PreviousRound:
    """What a run of multi_turn asked and what was answered."""

    path: Path
    round: int
    """1 for the first answers."""
    questions: tuple[SettingQuestion, ...]
    answers: dict[str, str]
    """By the question's id."""


def read_previous_round(where: str, first_task: str) -> PreviousRound:
    """The round that stands in `where`.

    Args:
        where: a samples file, or an output folder with one samples file of `first_task`.
        first_task: name of the first round's task.

    Raises:
        ValueError: there is no such file, or several, or it holds something else.
    """
    path = _samples_file(as_path(where), first_task)
    rows = [_row(path, number, line) for number, line in _lines(path)]
    asked = [row for row in rows if row[1].variant == "multi_turn"]
    if not asked:
        raise ValueError(f"{path} has no answers of {first_task}")
    _refuse(path, "holds twice", _repeated(question.id for _, question, _ in asked))
    rounds = {round_ for round_, _, _ in asked}
    if len(rounds) > 1:
        raise ValueError(f"{path} holds several rounds: {sorted(rounds)}")
    return PreviousRound(
        path,
        rounds.pop(),
        tuple(question for _, question, _ in asked),
        {question.id: answer for _, question, answer in asked},
    )


def check_same_questions(previous: PreviousRound, questions: Iterable[SettingQuestion]) -> None:
    """Refuse to go on from a round that asked other questions than this run.

    Raises:
        ValueError: it had other parameters, or other items; the message lists them.
    """
    asked = {question.id: question for question in questions if question.variant == "multi_turn"}
    before = {question.id: question for question in previous.questions}
    sample = next(iter(asked.values()))
    for question in previous.questions:
        _check_parameters(previous.path, question, sample)
    hint = "; to ask fewer items, give n in the metadata of both runs instead of --limit"
    _refuse(previous.path, "lacks", [i for i in asked if i not in before], hint)
    _refuse(
        previous.path, "holds, and this run does not ask,", [i for i in before if i not in asked]
    )
    changed = [i for i in asked if before[i].item != asked[i].item]
    _refuse(previous.path, "has other items than this run under", changed)


def _samples_file(path: Path, first_task: str) -> Path:
    if path.is_file():
        return path
    if not path.is_dir():
        raise ValueError(f"first_round={str(path)!r}: there is no such file or folder")
    found = sorted(path.rglob(f"samples_{first_task}_*.jsonl"))
    if not found:
        raise ValueError(
            f"{path} has no samples_{first_task}_*.jsonl: did that run have --log_samples?"
        )
    if len(found) > 1:
        files = "\n".join(f"  {file}" for file in found)
        raise ValueError(f"{path} has several samples files; give one as first_round:\n{files}")
    return found[0]


def _lines(path: Path) -> Iterable[tuple[int, bytes]]:
    try:
        with open_to_read(path) as stream:
            for number, line in enumerate(stream, start=1):
                if line.strip():
                    yield number, line
    except DataError as error:
        raise ValueError(str(error)) from error


def _row(path: Path, number: int, line: bytes) -> tuple[int, SettingQuestion, str]:
    """Round, question and answer of one line."""
    try:
        row = parsed_json(line)
        doc = row["doc"]
        question = question_from_dict(parsed_json(doc["question"]))
        answer = row["resps"][0][0]
        if not isinstance(answer, str):
            raise TypeError("the answer is not text")
        return int(doc["round"]), question, encodable(answer)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(
            f"{path}, line {number}: not a logged sample of multi_turn ({error!r})"
        ) from error


def _check_parameters(path: Path, before: SettingQuestion, now: SettingQuestion) -> None:
    if before.item.form != now.item.form:
        raise ValueError(f"{path} holds the {before.item.form} form, not {now.item.form}")
    there = asdict(replace(before.params, rounds=now.params.rounds))
    here = asdict(now.params)
    differing = [name for name in here if there[name] != here[name]]
    if differing:
        values = ", ".join(f"{name}={there[name]!r}, not {here[name]!r}" for name in differing)
        raise ValueError(f"{path} was made with other parameters than this run's: {values}")


def _repeated(ids: Iterable[str]) -> list[str]:
    return [name for name, count in Counter(ids).items() if count > 1]


def _refuse(path: Path, what: str, ids: Sequence[str], hint: str = "") -> None:
    if ids:
        more = f" and {len(ids) - _LISTED} more" if len(ids) > _LISTED else ""
        listed = f"{', '.join(ids[:_LISTED])}{more}"
        raise ValueError(f"{path} {what} {len(ids)} of the samples: {listed}{hint}")
