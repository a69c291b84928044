"""Small runs of both hosts, and runs without a host around them."""

import math
from dataclasses import replace
from pathlib import Path

from inspect_ai import eval as inspect_eval
from inspect_ai.log import read_eval_log, write_eval_log

from bias_tasks.contract.family import Answer
from bias_tasks.contract.record import run_record
from bias_tasks.families import load_family
from bias_tasks.results.answers import RunAnswers
from bias_tasks.results.run import Answered, Run
from bias_tasks.simulated.persona import make_respondent
from bias_tasks.statistics.estimate import Estimate, written
from tests.bias_tasks.contract.runs import inspect_task
from tests.bias_tasks.harness_runs import log, run


def evaluated(folder, task, model, *, options=None, **given):
    """The path of the log of a finished run of `<family>/<task>`."""
    asked = inspect_task(task, **given) if isinstance(task, str) else task
    options = {"display": "none", "log_realtime": False} | (options or {})
    [log] = inspect_eval(asked, model=model, log_dir=str(folder), **options)
    assert log.status == "success", log.error
    return log.location


def harness(folder, task, answer, **metadata):
    """A folder with lm-eval's results file and samples of a run."""
    log(run([task], answer, options={"log_samples": True}, **metadata), task, folder)
    return folder


def changed(path, to, change):
    """A copy of an Inspect log after `change(log)`."""
    log = read_eval_log(str(path))
    change(log)
    write_eval_log(log, str(to))
    return to


def answered(family, task, model, n=40, planted=None, persona="steadfast", **given):
    """The run of a respondent's answers to a task's synthetic items."""
    brought = load_family(family)
    spec = brought.tasks[task]
    known = {each.name for each in spec.parameters}
    data = {name: "synthetic" for name in known if name == "data"}
    values = spec.values({"n": n, **data, **given})
    plan = brought.plan(task, values)
    respondent = make_respondent(persona, planted or {})
    answers = tuple(
        Answered(
            question.facts,
            brought.outcome(question.facts, Answer(respondent.respond(question.prompt, question))),
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


def harness_results(**changes):
    """What a results file of lm-eval holds, with a run of ours and one of others."""
    figures = {"choice/acc": Estimate(0.5, 0.2, math.nan, 4)}
    figures["items"] = Estimate(4.0, math.nan, math.nan, 4)
    record = {
        **{"family": "instruction_boundary", "task": "vanilla", "version": 1, "package": "0.9.0"},
        **{"digest": "0123456789abcdef", "protocol": "published", "data": "mine.csv"},
        "parameters": {"protocol": "published", "n": None},
        **{"changed": {"protocol": "published"}, "notes": []},
        "provenance": [{"source": "file", "path": "mine.csv", "sha256": "f" * 64, "n": 4}],
        "figures": written(figures),
    }
    return {
        "results": {"ib_vanilla_choice": {"choice/acc,none": 0.5}, "hellaswag": {"acc,none": 0.5}},
        "configs": {
            "ib_vanilla_choice": {
                "metadata": {"bias_tasks": record},
                "generation_kwargs": {"temperature": 0.0, "until": []},
                "num_fewshot": 0,
            },
            "hellaswag": {"metadata": {"version": 1.0}},
        },
        "config": {
            **{"model": "local-chat-completions", "limit": 4},
            "model_args": {"model": "my/model", "api_key": "sesame"},
        },
        "n-samples": {"ib_vanilla_choice": {"original": 40, "effective": 4}},
        **{"model_name": "my/model", "date": 0.0, "lm_eval_version": "0.4.13", **changes},
    }
