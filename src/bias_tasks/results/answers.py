"""The answers of a finished run, each with what it came to, whichever host made it.

From these the figures of a run can be worked out anew, pooled with another run's, or paired with
another model's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bias_tasks.family import Outcome
from bias_tasks.record import facts_in, scored_in
from bias_tasks.results.collecting import uncollected
from bias_tasks.results.find import apart, read_runs
from bias_tasks.results.logged_samples import each_sample
from bias_tasks.results.run import Problem, Run
from bias_tasks.results.shown import brief, listed

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample

Keep = Callable[[str], str]
"""What to keep of a model's text."""
_NAMED = 3
"""Of a folder's files those that one line names."""


class UnusableRunError(Exception):
    """A run that can't be worked with; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One question with what its answer came to."""

    facts: Mapping[str, Any]
    """The question's, as `Question.facts` has them."""
    outcome: Outcome
    prompt: str = ""
    """What was asked; of several messages the last."""
    text: str | None = None
    """What the model said, as far as it was to be kept; None where nobody asked for it, and where
    answers were compared by their likelihood."""


@dataclass(frozen=True, slots=True)
class RunAnswers:
    """The scored answers of one run, in the order in which they were asked."""

    run: Run
    answers: tuple[Answered, ...]
    unscored: int = 0
    """Samples without a score, such as those whose request failed."""

    def outcomes(self) -> list[Outcome]:
        """What the answers came to."""
        return [answer.outcome for answer in self.answers]


def read_answers(path: Path, keep: Keep | None = None) -> list[RunAnswers]:
    """The answers of each run in an Inspect log, or beside a results file of lm-eval.

    Args:
        path: the log, or the results file.
        keep: gives what to keep of each model's text, which may be megabytes; None keeps nothing.

    Raises:
        UnusableRunError: there is no finished run of ours, or its samples were not kept or can't
            be read.
    """
    runs, problems = apart(read_runs([path]))
    if any(problem.failed for problem in problems) or not runs:
        raise UnusableRunError(_why_unusable(path, problems))
    return [answers_of(run, keep) for run in runs]


def _why_unusable(path: Path, problems: Sequence[Problem]) -> str:
    """Why a path can't be used: of a folder, what is wrong with a few of its files."""
    told = [each for each in problems if each.failed] or problems
    if [each.path for each in told] == [path]:
        return f"{path}: {told[0].reason}"
    named = [f"{each.path.name}: {each.reason}" for each in told]
    return f"{path}: {listed(named, most=_NAMED, between='; ')}"


def answers_of(run: Run, keep: Keep | None = None) -> RunAnswers:
    """The answers of one run that was read before; arguments and errors as `read_answers` has."""
    with uncollected():
        found = list(each_answer(run, keep))
    answers = tuple(answer for answer in found if answer is not None)
    return RunAnswers(run, answers, unscored=len(found) - len(answers))


def each_answer(run: Run, keep: Keep | None = None) -> Iterator[Answered | None]:
    """The answers of a run one after the other, as `answers_of` has them; none of them is kept.

    None stands for a sample without a score.

    Raises:
        UnusableRunError: as `read_answers` does, when it comes to what can't be read.
    """
    found: Iterator[Answered | None]
    if run.host == "inspect":
        found = (_answered(sample, keep) for sample in each_sample(run.path))
    else:
        found = _of_samples(samples_file(run.path, run.task), keep)
    some = False
    with _readable(run.path):
        for answer in found:
            some = some or answer is not None
            yield answer
    if not some:
        raise UnusableRunError(f"{run.path}: has no scored answer of {run.task}")


def _answered(sample: EvalSample, keep: Keep | None) -> Answered | None:
    for score in (sample.scores or {}).values():
        found = scored_in(score.metadata)
        if found is not None:
            said = None if keep is None else keep(sample.output.completion)
            # Another task's sample has metadata of its own, which its solver may change.
            noted = score.metadata or {}
            facts, prompt = noted.get("facts", facts_in(sample.metadata)), noted.get("prompt")
            asked = _prompt(sample) if prompt is None else prompt
            return Answered(facts, found.outcome, asked, said)
    return None


def _prompt(sample: EvalSample) -> str:
    asked = sample.input
    return asked if isinstance(asked, str) else asked[-1].text


def samples_file(path: Path, task: str) -> Path:
    """The samples file that belongs to a results file: its name has the same time in it."""
    return path.with_name(f"samples_{task}_{path.stem.removeprefix('results_')}.jsonl")


def _of_samples(path: Path, keep: Keep | None) -> Iterator[Answered]:
    """The answers in a samples file of lm-eval."""
    try:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                yield _of_row(json.loads(line), keep)
    except FileNotFoundError:
        raise UnusableRunError(
            f"{path}: there are no samples beside the results; run lm-eval with --log_samples"
        ) from None


def _of_row(row: Mapping[str, Any], keep: Keep | None) -> Answered:
    doc = row["doc"]
    outcome = Outcome.from_dict(row["outcome"])
    said = None if keep is None else row["resps"][0][0]
    text = keep(said) if keep is not None and isinstance(said, str) else None
    return Answered(json.loads(doc["facts"]), outcome, doc["prompt"], text)


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Turns whatever a broken log raises into one error that names it (see `guarded`).

    Raises:
        UnusableRunError: what is read here can't be.
    """
    try:
        yield
    except (UnusableRunError, GeneratorExit):
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {brief(error)}"
        raise UnusableRunError(f"{path}: cannot be read as samples ({reason})") from error
