"""The answers of a finished run, each with what it came to, whichever host made it.

From these the figures of a run can be worked out anew, or paired with another model's.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import Any

from bias_tasks.contract.family import Outcome
from bias_tasks.contract.record import figure_options
from bias_tasks.results.harness_output import harness_answers
from bias_tasks.results.inspect_log import inspect_answers
from bias_tasks.results.run import Answered, Keep, Run, UnusableRunError
from bias_tasks.results.text import brief
from bias_tasks.statistics.estimate import Estimate

_FIELDS = tuple(each.name for each in fields(Outcome) if each.name not in ("span", "own"))
_NUMBERS = ("epoch", "score")
_MOST = 2**53
"""Whole numbers below it are the same as floating point; nan and infinities are no scores."""


@dataclass(frozen=True, slots=True, eq=False)
class RunAnswers:
    """The scored answers of one run: by epoch and id in Inspect, as they were asked in lm-eval."""

    run: Run
    answers: tuple[Answered, ...]

    def outcomes(self) -> list[Outcome]:
        """What the answers came to."""
        return [answer.outcome for answer in self.answers]


def answers_of(run: Run, keep: Keep | None = None, *, as_asked: bool = False) -> RunAnswers:
    """The answers of a run; those of all of its parts where it was asked in parts.

    Args:
        run: as it was read.
        keep: gives what to keep of each model's text, which may be megabytes; None keeps nothing.
        as_asked: whether answers of parts stand as the host would have asked them in one piece.

    Raises an UnusableRunError where its samples were not kept, or can't be read.
    """
    with gc_paused():
        found = sorted(_logged(run, keep, as_asked), key=lambda each: each[0])
    if not found:
        raise UnusableRunError(f"{run.path}: has no scored answer of {run.task}")
    for _, answer in found:
        _check(run, answer.outcome)
    return RunAnswers(run, tuple(answer for _, answer in found))


def with_every_figure(run: Run) -> Run:
    """The run with all of its figures.

    A results file of lm-eval holds them; of an Inspect log they are worked out from its answers.

    Raises:
        UnusableRunError: the log kept no answers, or they can't be read.
    """
    return run if run.host == "lm-eval" else replace(run, metrics=card_of(answers_of(run)))


def card_of(answers: RunAnswers) -> dict[str, Estimate]:
    """The scorecard of a run's answers.

    Raises:
        UnusableRunError: they contradict each other, or lack something, as in an edited log.
    """
    run = answers.run
    try:
        return run.family.scorecard(answers.outcomes(), figure_options(run.spec, run.record))
    except ValueError as error:
        raise UnusableRunError(f"{run.path}: {error}") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise _not_ours(run, repr(error)) from error


@contextmanager
def gc_paused() -> Iterator[None]:
    """Within this, Python does not search for reference cycles: answers of a log are hundreds of
    thousands of objects in use, and looking through them takes a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _logged(run: Run, keep: Keep | None, as_asked: bool) -> Iterator[tuple[Any, Answered]]:
    """Each scored answer, with its place among the others. Whatever a broken log raises becomes one
    error that names it, as in `find`."""
    for path in run.parts or (run.path,):
        try:
            if run.host == "inspect":
                yield from inspect_answers(path, keep, as_asked)
            else:
                yield from harness_answers(path, run.task, keep)
        except UnusableRunError:
            raise
        except Exception as error:
            reason = f"{type(error).__name__}: {brief(error)}"
            raise UnusableRunError(f"{path}: cannot be read as samples ({reason})") from error


def _check(run: Run, outcome: Outcome) -> None:
    """Refuse values that no run of ours logs, as an edited log may have."""
    for name in _FIELDS:
        value = getattr(outcome, name)
        if value is None or (name not in _NUMBERS and isinstance(value, str)):
            continue
        if name not in _NUMBERS or not isinstance(value, int | float) or not abs(value) < _MOST:
            raise _not_ours(run, f"{name} is {brief(repr(value))}")
    try:
        run.family.right(outcome)
    except (KeyError, TypeError, AttributeError) as error:
        raise _not_ours(run, repr(error)) from error


def _not_ours(run: Run, what: str) -> UnusableRunError:
    task = run.record["task"]
    return UnusableRunError(f"{run.path}: its answers are not as {task} logs them ({what})")
