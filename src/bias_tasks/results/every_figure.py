"""Every figure of a finished run, of which its log shows the headline and a few beside it."""

from __future__ import annotations

from dataclasses import replace

from bias_tasks.families import load_family
from bias_tasks.record import figure_options
from bias_tasks.results.answers import RunAnswers, UnusableRunError, answers_of
from bias_tasks.results.run import Run, figures_in
from bias_tasks.statistics.estimate import Estimate


def with_every_figure(run: Run) -> Run:
    """The run with all of its figures.

    A results file of the LM Evaluation Harness holds them; of an Inspect log they are worked out
    from the answers that it keeps.

    Raises:
        UnusableRunError: the log kept no answers, or they can't be read.
    """
    if run.host == "lm-eval":
        return run
    return replace(run, metrics=figures_in(card_of(answers_of(run))))


def card_of(answers: RunAnswers) -> dict[str, Estimate]:
    """The scorecard of a run's answers.

    Raises:
        UnusableRunError: they contradict each other, or lack something, as in an edited log.
    """
    run = answers.run
    family = load_family(run.record["family"])
    try:
        return family.scorecard(answers.outcomes(), figure_options(run.spec, run.record))
    except ValueError as error:
        raise UnusableRunError(f"{run.path}: {error}") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise UnusableRunError(
            f"{run.path}: its answers are not as {run.record['task']} logs them ({error!r})"
        ) from error
