"""Runs our tasks through lm-eval's own evaluator, with answers made by a function."""

import ast
import io
import json
import logging
import math
import subprocess
import sys
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from copy import deepcopy
from functools import cache, partialmethod
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import patch

from lm_eval import __main__ as command
from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager
from lm_eval.tasks._index import TaskIndex

from bias_tasks.contract.record import RECORD, RECORD_METRICS
from bias_tasks.harness.link import task_configs_folder
from bias_tasks.statistics.estimate import Estimate, flatten


class Answering(LM):
    """A model that gives the answer that a function makes of a request's document.

    Args:
        answer: The function. For likelihoods, its second argument is the continuation.
    """

    def __init__(self, answer):
        super().__init__()
        self.answer = answer
        self.requests = []

    def generate_until(self, requests, disable_tqdm=False):
        self.requests += requests
        return [self.answer(request.doc) for request in requests]

    def loglikelihood(self, requests, disable_tqdm=False):
        self.requests += requests
        return [(self.answer(request.doc, request.args[1]), False) for request in requests]

    def loglikelihood_rolling(self, requests):
        raise NotImplementedError


_look_through = TaskIndex.build


@cache
def _ours():
    """The harness's index of our tasks."""
    return _look_through([task_configs_folder()])


def _looked_through_once(paths, **options):
    """The harness's index, for which it reads all of our files whenever it starts."""
    ours = list(paths) == [task_configs_folder()]
    return deepcopy(_ours()) if ours else _look_through(paths, **options)


def manager(**metadata):
    with patch.object(TaskIndex, "build", staticmethod(_looked_through_once)):
        return TaskManager(
            include_path=str(task_configs_folder()), include_defaults=False, metadata=metadata
        )


def load(task, **metadata):
    return manager(**metadata).load([task])["tasks"][task]


def run(tasks, answer, *, options=None, **metadata):
    """lm-eval's results of `tasks`, asked of a model that answers with `answer(doc)`."""
    return simple_evaluate(
        model=answer if isinstance(answer, LM) else Answering(answer),
        tasks=tasks,
        task_manager=manager(**metadata),
        **(options or {}),
    )


def typed(*arguments):
    """The harness's own command with our folder of tasks, as a user types it, in this process.

    It doesn't look through the tasks that the harness brings, which takes seconds.
    """
    without_defaults = partialmethod(TaskManager.__init__, include_defaults=False)
    written, said = io.StringIO(), io.StringIO()
    typed_in = ["lm_eval", *arguments, "--include_path", str(task_configs_folder())]
    with (
        patch.object(sys, "argv", typed_in),
        patch.object(TaskIndex, "build", staticmethod(_looked_through_once)),
        patch.object(TaskManager, "__init__", without_defaults),
        redirect_stdout(written),
        redirect_stderr(said),
        _logging_of_its_own(),
    ):
        try:
            command.cli_evaluate()
            status = 0
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
            if isinstance(ended.code, str):  # as Python itself does at its end
                said.write(f"{ended.code}\n")
    return subprocess.CompletedProcess(typed_in, status, written.getvalue(), said.getvalue())


@contextmanager
def _logging_of_its_own():
    """What the command sets up for its messages, for as long as it runs."""
    logger = logging.getLogger("lm_eval")
    before = logger.handlers[:], logger.propagate, logger.level
    try:
        with patch("lm_eval.utils._LOGGING_CONFIGURED", False):
            yield
    finally:
        logger.handlers[:], logger.propagate = before[:2]
        logger.setLevel(before[2])


def values(results, task):
    """Every figure of a task by its bare name, with its bounds and n, as `flatten` has them."""
    rows = results["configs"][task]["metadata"][RECORD][RECORD_METRICS]
    return flatten({name: _estimate(row) for name, row in rows.items()})


def _estimate(row):
    """A metric of the record, which has None for nan."""
    numbers = {name: math.nan if number is None else number for name, number in row.items()}
    return Estimate(**numbers)


def shown(results, task):
    """The figures that the harness's table shows of a task, without the count of its outcomes."""
    return {
        name.removesuffix(",none"): value
        for name, value in results["results"][task].items()
        if name.endswith(",none") and not name.endswith("_stderr,none")
    }


def facts(doc):
    """What reading the answer to a document takes."""
    return json.loads(doc["scoring_data"])


def gold(doc):
    """The right answer, stated outright."""
    return f"Final Answer: {doc['gold']}"


def log(results, task, folder):
    """The samples file that `lm_eval --log_samples --output_path folder` writes."""
    tracker = EvaluationTracker(output_path=str(folder))
    tracker.general_config_tracker.model_name_sanitized = "model"
    tracker.save_results_aggregated(results, samples=results["samples"])
    tracker.save_results_samples(task, results["samples"][task])
    return next(folder.rglob(f"samples_{task}_*.jsonl"))


def model_arguments():
    """The names of all arguments of the harness's models, which it mixes into the metadata."""
    models = Path(find_spec("lm_eval").submodule_search_locations[0]) / "models"
    arguments = {
        argument.arg
        for path in models.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name == "__init__"
        for argument in (*node.args.args, *node.args.kwonlyargs)
    }
    assert len(arguments) > 50
    return arguments
