"""The harness's own tasks on local rows of their data's layout, and models with planted habits."""

import json
from importlib.util import find_spec
from pathlib import Path

import yaml
from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

from bias_tasks.harness.link import task_configs_folder

TASKS = Path(find_spec("lm_eval").submodule_search_locations[0]) / "tasks"
_NOUNS = ("granite", "willow", "copper", "ember", "harbor", "meadow", "violet", "saddle")
_KINDS = tuple("red old tall cold soft thin dark mild wide pale raw dry".split())  # noqa: SIM905


def words(number, count):
    """So many different words, others for each number."""
    return [
        f"{_KINDS[number % len(_KINDS)]} {_NOUNS[(number + k) % len(_NOUNS)]}" for k in range(count)
    ]


def _race(number):
    problem = {
        "question": f"Which material is named in part {number}?",
        "options": words(number, 4),
        "answer": "ABCD"[number % 4],
    }
    article = f"A long report {number // 2} on materials. " * 8
    return {"article": article, "problems": repr([problem])}


LAYOUTS = {
    "arc_easy": (
        "arc/arc_easy.yaml",
        lambda i: {
            "question": f"Which material is used in part {i}?",
            "choices": {"text": words(i, 4), "label": list("ABCD")},
            "answerKey": "ABCD"[i % 4],
        },
    ),
    "winogrande": (
        "winogrande/default.yaml",
        lambda i: {
            "sentence": f"The trophy {i} was too large because the _ was narrow inside.",
            "option1": "suitcase",
            "option2": "trophy",
            "answer": str(i % 2 + 1),
        },
    ),
    "race": ("race/race.yaml", _race),
    "mmlu": (
        "mmlu/default/mmlu_abstract_algebra.yaml",
        lambda i: {
            "question": f"Find the degree for the given field extension {i}.",
            "choices": words(i, 4),
            "answer": i % 4,
        },
    ),
    "gsm8k": (
        "gsm8k/gsm8k.yaml",
        lambda i: {
            "question": f"Ann has {i} apples and buys seven more apples. How many does she have?",
            "answer": f"She has {i} + 7 = {i + 7}.\n#### {i + 7}",
        },
    ),
}
"""By name the YAML in lm-eval's folder, and what makes a row of its data from a number."""
LETTERED = {
    "task": "lettered",
    "output_type": "generate_until",
    "doc_to_text": "Answer with the letter alone.\n{{question}}\n(A) {{choices[0]}}\n"
    "(B) {{choices[1]}}\n(C) {{choices[2]}}\n(D) {{choices[3]}}\nAnswer:",
    "doc_to_target": "{{['A', 'B', 'C', 'D'][answer]}}",
    "generation_kwargs": {"until": ["\n\n"], "do_sample": False},
    "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
    "metadata": {"version": 1.0},
}
"""A task of one's own whose answer is a written letter."""


def write(folder, name, count=12, **changed):
    """The YAML file of a task of lm-eval's own, over `count` local rows."""
    source, row = LAYOUTS[name]
    return _written(folder, name, {"include": str(TASKS / source)}, row, count, changed)


def write_lettered(folder, count=12, **changed):
    """The YAML file of `lettered`."""
    row = LAYOUTS["mmlu"][1]
    return _written(folder, "lettered", LETTERED, row, count, changed)


def _written(folder, name, config, row, count, changed):
    data = Path(folder) / f"{name}.jsonl"
    data.write_text("".join(json.dumps(row(i)) + "\n" for i in range(count)))
    files = {split: str(data) for split in ("train", "validation", "test", "dev")}
    local = {
        "task": name,
        "dataset_path": "json",
        "dataset_name": None,
        "dataset_kwargs": {"data_files": files},
        "test_split": "test",
    }
    path = Path(folder) / f"{name}.yaml"
    path.write_text(yaml.safe_dump({**config, **local, **changed}))
    return path


def run(folder, task, model, *, options=None, **metadata):
    """lm-eval's results of `bias_probe` over a task of the folder."""
    given = {"task": task, "include_path": str(folder), **metadata}
    return _evaluated(folder, "bias_probe", model, options, given)


def plain(folder, task, model, *, options=None):
    """lm-eval's results of a task of the folder by itself."""
    return _evaluated(folder, task, model, options, {})


def _evaluated(folder, task, model, options, metadata):
    manager = TaskManager(
        include_path=[str(task_configs_folder() / "probing"), str(folder)],
        include_defaults=False,
        metadata=metadata,
    )
    return simple_evaluate(model=model, tasks=[task], task_manager=manager, **(options or {}))


class Scripted(LM):
    """Answers by two functions: of (context, continuation), and of a context."""

    tokenizer_name = "scripted"

    def __init__(self, likelihood=None, text=None):
        super().__init__()
        self.likelihood, self.text = likelihood, text
        self.asked = []

    def loglikelihood(self, requests, disable_tqdm=False):
        self.asked += [request.args for request in requests]
        return [(float(self.likelihood(*request.args)), False) for request in requests]

    def generate_until(self, requests, disable_tqdm=False):
        self.asked += [request.args for request in requests]
        return [self.text(request.args[0]) for request in requests]

    def loglikelihood_rolling(self, requests, disable_tqdm=False):
        raise NotImplementedError

    def apply_chat_template(self, chat_history, add_generation_prompt=True):
        return json.dumps(chat_history)
