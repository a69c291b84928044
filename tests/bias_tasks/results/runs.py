"""Small runs of both frameworks, and runs that are made without a framework."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

from inspect_ai import eval as inspect_eval
from inspect_ai.log import read_eval_log, write_eval_log

from bias_tasks.contract.outcomes import Answer
from bias_tasks.contract.record import run_record
from bias_tasks.families import load_family
from bias_tasks.results.answers import RunAnswers
from bias_tasks.results.frameworks.record import RunRecord
from bias_tasks.results.run import Run, ScoredAnswer
from bias_tasks.simulated.persona import make_simulated_model
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.contract.runs import inspect_task
from tests.bias_tasks.harness_runs import log, run

RECORDED = Path(__file__).parent / "recorded_logs" / "lm_eval"
"""A run of version 0.17: results of `ib_vanilla_choice` with four samples."""


def run_inspect(folder, task, model, *, options=None, **parameters):
    """Run a task, given as `<family>/<task>` or as an object; return the path of its log."""
    task = inspect_task(task, **parameters) if isinstance(task, str) else task
    options = {"display": "none", "log_realtime": False} | (options or {})
    [log] = inspect_eval(task, model=model, log_dir=str(folder), **options)
    assert log.status == "success", log.error
    return log.location


def run_lm_eval(folder, task, answer, **metadata):
    """Run a task; return the folder with its results file and samples file."""
    log(run([task], answer, options={"log_samples": True}, **metadata), task, folder)
    return folder


def edit_log(path, to, change):
    """Copy an Inspect log after `change(log)`; return the path of the copy."""
    log = read_eval_log(str(path))
    change(log)
    write_eval_log(log, str(to))
    return to


def crash(log, samples=2):
    """Change a log to that of a run that failed after this number of samples."""
    log.samples, log.status, log.results = log.samples[:samples], "error", None
    log.error = {"message": "no answer", "traceback": "", "traceback_ansi": ""}


def run_commands(folder, *arguments):
    """Return what each command makes of the paths; `compare` and `results` take `--task`.

    The others write below `out` in the folder.
    """
    out = folder / "out"
    commands = {"results": ["results"], "compare": ["compare"]}
    if "--task" not in arguments:
        commands["report"] = ["report", "--out", out / "page.html"]
        commands["csv"] = ["export", "csv", "--out", out / "answers.csv"]
        commands["eee"] = ["export", "eee", "--out", out / "eee"]
    return {name: typed(*command, *arguments) for name, command in commands.items()}


def copy_as_other_run(path, to):
    """Copy a log, or a results file of lm-eval with its samples, as if the run was repeated."""
    to.mkdir(parents=True, exist_ok=True)
    for file in path.parent.iterdir() if path.suffix == ".json" else [path]:
        shutil.copy(file, to)
    if path.suffix == ".json":
        results = json.loads(path.read_text(encoding="utf-8"))
        results["date"] += 60
        (to / path.name).write_text(json.dumps(results), encoding="utf-8")
    else:
        edit_log(path, to / path.name, lambda log: setattr(log.eval, "eval_id", "other"))
    return to


def make_record(family, task, **fields):
    """Return the record of a run in which only these fields matter."""
    defaults = {
        **{"protocol": "corrected", "data": "synthetic", "digest": "0", "package": "0"},
        **{"parameters": {}, "task_args": {}, "notes": (), "provenance": ()},
    }
    return RunRecord(family=family, task=task, **defaults | fields)


def simulate_run(family, task, model, n=40, traits=None, persona="steadfast", **parameters):
    """Return a run with the answers of a simulated model to a task's synthetic items."""
    family = load_family(family)
    spec = family.tasks[task]
    known = {parameter.name for parameter in spec.parameters}
    data = {"data": "synthetic"} if "data" in known else {}
    values = spec.values({"n": n, **data, **parameters})
    plan = family.plan(task, values)
    simulated = make_simulated_model(persona, traits or {})
    answers = tuple(
        ScoredAnswer(
            question.scoring_data,
            family.score_answer(
                question.scoring_data, Answer(simulated.respond(question.prompt, question))
            ),
            question.prompt,
        )
        for question in plan.questions
    )
    record = RunRecord.from_dict(run_record(family, task, values, plan))
    run = Run(task, "inspect", model, record, n, path=Path(f"{model}.eval"))
    return RunAnswers(run, answers)


def replace_answers(run, answers):
    """Return the same run with other answers."""
    return replace(run, answers=tuple(answers))


def replace_run(run, **fields):
    """Return the same answers with other fields of the run."""
    return replace(run, run=replace(run.run, **fields))


def replace_record(run, **fields):
    """Return the same answers with other fields of the run's record."""
    return replace_run(run, record=replace(run.run.record, **fields))


def write_harness_results(path, results):
    """Write a results file of lm-eval with the samples of its task of bias-tasks; return it."""
    path.write_text(json.dumps(results), encoding="utf-8")
    [samples] = RECORDED.glob("samples_*.jsonl")
    name = f"samples_ib_vanilla_choice_{path.stem.removeprefix('results_')}.jsonl"
    shutil.copy(samples, path.with_name(name))
    return path


def harness_results(**changes):
    """Return the content of a results file of lm-eval: one task of bias-tasks, and another one."""
    [path] = RECORDED.glob("results_*.json")
    content = json.loads(path.read_text(encoding="utf-8"))
    content["configs"]["hellaswag"] = {"metadata": {"version": 1.0}}
    content["config"] |= {"model": "local-chat-completions", "limit": 4}
    content["config"]["model_args"] = {"model": "my/model", "api_key": "sesame"}
    return content | {"model_name": "my/model", "date": 0.0, **changes}
