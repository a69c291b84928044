"""The answers of a finished run of either host, each with what it came to, and its figures."""

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from bias_tasks.contract.family import Outcome
from bias_tasks.results.hosts.harness_output import harness_answers
from bias_tasks.results.hosts.inspect_log import inspect_answers
from bias_tasks.results.hosts.record import figure_options
from bias_tasks.results.run import Answered, Keep, Run, UnusableRunError
from bias_tasks.results.text import brief
from bias_tasks.statistics.estimate import Estimate

_KINDS = {"epoch": int | float, "score": int | float, "span": tuple, "own": Mapping}  # else texts
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


def answers_of(run: Run, keep: Keep = None, *, as_asked: bool = False) -> RunAnswers:
    """The answers of a run and of all of its parts; `as_asked` in the order in which the host would
    have asked them in one piece. An UnusableRunError where there are none that can be read."""
    with gc_paused():
        found = sorted(_logged(run, keep, as_asked), key=lambda each: each[0])
    if not found:
        raise UnusableRunError(f"{run.path}: has no scored answer of {run.task}")
    for _, answer in found:
        _check(run, answer.outcome)
    return RunAnswers(run, tuple(answer for _, answer in found))


def with_every_figure(run: Run) -> Run:
    """The run with all of its figures, worked out of an Inspect log from its answers; where it kept
    none, that is an UnusableRunError."""
    return run if run.host == "lm-eval" else replace(run, metrics=card_of(answers_of(run)))


def card_of(answers: RunAnswers) -> dict[str, Estimate]:
    """The scorecard of a run's answers; an UnusableRunError where they contradict each other or
    lack something, as in an edited log."""
    run = answers.run
    try:
        return run.family.scorecard(answers.outcomes(), figure_options(run.spec, run.record))
    except ValueError as error:
        raise UnusableRunError(f"{run.path}: {error}") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise _not_ours(run, repr(error)) from error


@contextmanager
def gc_paused() -> Iterator[None]:
    """Within this, Python does not look for reference cycles among the hundreds of thousands of
    objects that answers are, which takes a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _logged(run: Run, keep: Keep, as_asked: bool) -> Iterator[tuple[Any, Answered]]:
    """Scored answers with their places; whatever a broken log raises is one error that names it."""
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
    for name, value in outcome.to_dict().items():
        fits = value is None or isinstance(value, _KINDS.get(name, str))
        if not fits or (isinstance(value, int | float) and not abs(value) < _MOST):
            raise _not_ours(run, f"{name} is {brief(repr(value))}")
    try:
        run.family.right(outcome)
    except (KeyError, TypeError, AttributeError) as error:
        raise _not_ours(run, repr(error)) from error


def _not_ours(run: Run, what: str) -> UnusableRunError:
    task = run.record["task"]
    return UnusableRunError(f"{run.path}: its answers are not as {task} logs them ({what})")
