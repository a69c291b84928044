"""Every figure of a finished run, of which its log shows the headline and a few beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bias_tasks.families import load_family
from bias_tasks.record import figure_options
from bias_tasks.results.answers import RunAnswers, UnusableRunError, answers_of
from bias_tasks.results.run import Run, figures_in
from bias_tasks.results.store.read import NotAStoreError
from bias_tasks.statistics.estimate import Estimate

if TYPE_CHECKING:
    from bias_tasks.statistics.outcomes import OutcomeColumns


def with_every_figure(run: Run) -> Run:
    """The run with all of its figures.

    A results file of the LM Evaluation Harness holds them; of an Inspect log they are worked out
    from the answers that it keeps, and of a store from its columns.

    Raises:
        UnusableRunError: the log kept no answers, or they can't be read.
    """
    if run.stored is not None:
        from bias_tasks.results.store.columns import StoredColumns  # which loads numpy

        columns = StoredColumns(run.stored)
        return replace(run, metrics=figures_in(_card(run, columns)))
    if run.host == "lm-eval":
        return run
    return replace(run, metrics=figures_in(card_of(answers_of(run))))


_MANY = 100_000
_HELD = 3_000
"""Bytes that an answer takes while figures are made of all of them at once."""


def held_at_once(run: Run) -> str | None:
    """What to say of a large store whose figures are not made of columns; None of any other."""
    stored, family = run.stored, load_family(run.record["family"])
    if stored is None or family.columnar or stored.rows < _MANY:
        return None
    return (
        f"{run.path}: figures of {family.name} are made of all {stored.rows:,} answers at once, "
        f"which takes about {stored.rows * _HELD / 2**30:,.1f} GB of memory"
    )


def card_of(answers: RunAnswers) -> dict[str, Estimate]:
    """The scorecard of a run's answers.

    Raises:
        UnusableRunError: they contradict each other, or lack something, as in an edited log.
    """
    from bias_tasks.statistics.outcomes import Listed  # which loads numpy

    return _card(answers.run, Listed(answers.outcomes()))


def _card(run: Run, columns: OutcomeColumns) -> dict[str, Estimate]:
    record = run.record
    family = load_family(record["family"])
    options = figure_options(run.spec, record)
    try:
        return family.scorecard_of(columns, options)
    except ValueError as error:
        raise UnusableRunError(f"{run.path}: {error}") from error
    except NotAStoreError as error:
        raise UnusableRunError(f"{run.path}: its store {error}") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise UnusableRunError(
            f"{run.path}: its answers are not as {record['task']} logs them ({error!r})"
        ) from error
