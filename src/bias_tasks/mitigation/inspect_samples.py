"""The answers of a run in an Inspect log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from bias_tasks.design.output_format import question_from_dict
from bias_tasks.mitigation.answers import Answer, Answers, UnusableRunError
from bias_tasks.results import Run
from bias_tasks.scoring.output_format import FOLLOWS, SCORE

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample

_NOT_NEEDED = {"messages", "events", "store", "attachments", "output", "timelines"}


def read_inspect_answers(path: Path, run: Run) -> Answers:
    """The scored answers of a log; samples are read one by one.

    Raises:
        UnusableRunError: the log has no scored answer of a format task.
    """
    # Half a second of imports, not needed for the harness's outputs.
    from inspect_ai.log import read_eval_log, read_eval_log_samples

    header = read_eval_log(str(path), header_only=True).eval
    samples = read_eval_log_samples(
        str(path), all_samples_required=False, exclude_fields=_NOT_NEEDED
    )
    found = [_answer(sample) for sample in samples]
    answers = tuple(answer for answer in found if answer is not None)
    if not answers:
        raise UnusableRunError(
            f"{path}: has no scored answer of a format task (its task is {run.task})"
        )
    return Answers(
        path=path,
        host=run.host,
        task=run.task,
        model=run.model,
        answers=answers,
        unscored=len(found) - len(answers),
        repeat=header.task_args.get("repeat", 1),
        provenance=tuple((header.metadata or {}).get("data", ())),
    )


def _answer(sample: EvalSample) -> Answer | None:
    question = sample.metadata.get("question")
    values = (score.value for score in (sample.scores or {}).values())
    shares = _shares(value for value in values if isinstance(value, Mapping))
    if not isinstance(question, Mapping) or "format" not in question or shares is None:
        return None
    return Answer(question_from_dict(question), shares)


def _shares(values: Iterable[Mapping[str, object]]) -> dict[str, float] | None:
    """Those that the scorer of the format tasks gave, among the values of all scorers."""
    for value in values:
        follows, score = value.get(FOLLOWS), value.get(SCORE)
        if isinstance(follows, int | float) and isinstance(score, int | float):
            return {FOLLOWS: float(follows), SCORE: float(score)}
    return None
