"""Runs of any task without a host around them."""

from dataclasses import replace
from pathlib import Path

from bias_tasks.families import load_family
from bias_tasks.family import Answer
from bias_tasks.record import run_record
from bias_tasks.results.answers import Answered, RunAnswers
from bias_tasks.results.run import Run
from bias_tasks.simulated.persona import make_respondent


def answered(family, task, model, n=40, planted=None, persona="steadfast", **given):
    """The run of a respondent's answers to a task's synthetic items."""
    brought = load_family(family)
    spec = brought.tasks[task]
    known = {each.name for each in spec.parameters}
    data = {name: "synthetic" for name in ("data", "dataset") if name in known}
    values = spec.values({"n": n, **data, **given})
    plan = brought.plan(task, values)
    respondent = make_respondent(persona, planted or {})
    answers = tuple(
        Answered(
            question.facts,
            brought.outcome(
                question.facts,
                Answer(respondent.respond(question.prompt, question)),
            ),
            question.prompt,
        )
        for question in plan.questions
    )
    record = run_record(brought, task, values, plan)
    run = Run(task, "inspect", model, record, n, path=Path(f"{model}.eval"))
    return RunAnswers(run, answers)


def with_answers(run, answers):
    """The same run with other answers."""
    return replace(run, answers=tuple(answers))


def with_run(run, **changes):
    """The same answers, of a run that says something else of itself."""
    return replace(run, run=replace(run.run, **changes))


def with_record(run, **changes):
    """The same answers, of a run with other words in its record."""
    return with_run(run, record={**run.run.record, **changes})
