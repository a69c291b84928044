"""Small runs of both frameworks, and runs that are made without a framework."""

import json
import math
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
from bias_tasks.statistics.estimate import Estimate, metrics_to_json
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.contract.runs import inspect_task
from tests.bias_tasks.harness_runs import log, run


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
    rows = []
    for answer in simulate_run("instruction_boundary", "vanilla", "m", 4, form="choice").answers:
        data = json.dumps(answer.scoring_data.to_dict())
        outcome = answer.outcome.to_dict()
        doc = {"prompt": "Which?", "scoring_data": data, "outcome": outcome}
        rows.append({"doc_id": len(rows), "doc": doc, "resps": [["1"]]})
    name = f"samples_ib_vanilla_choice_{path.stem.removeprefix('results_')}.jsonl"
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    path.with_name(name).write_text(lines, encoding="utf-8")
    return path


def harness_results(**changes):
    """Return the content of a results file of lm-eval: one task of bias-tasks, and another one."""
    metrics = {"choice/acc": Estimate(0.5, 0.2, math.nan, 4)}
    metrics["items"] = Estimate(4.0, math.nan, math.nan, 4)
    record = {
        **{"family": "instruction_boundary", "task": "vanilla", "version": 1, "package": "0.17.0"},
        **{"digest": "0123456789abcdef", "protocol": "published", "data": "mine.csv"},
        "parameters": {"protocol": "published", "n": None},
        **{"task_args": {"protocol": "published"}, "notes": []},
        "provenance": [{"source": "file", "path": "mine.csv", "sha256": "f" * 64, "n": 4}],
        "metrics": metrics_to_json(metrics),
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
