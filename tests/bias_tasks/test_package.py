"""What the package shows of itself: its names, to people, completion and type checkers."""

import re
import runpy
import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.metadata import version
from inspect import isfunction, signature
from types import ModuleType

import pytest
from inspect_ai import Task, list_tasks
from inspect_ai import eval as inspect_eval
from inspect_ai.scorer import Metric, Scorer
from inspect_ai.solver import Solver

import bias_tasks
from bias_tasks import _registry
from bias_tasks.families import FAMILY_NAMES, PROBING, family_of_task, load_family
from bias_tasks.solvers.inspect_api import PrerequisiteError, registry_params
from tests.bias_tasks.paper_coverage import ROOT

PACKAGE = "instruction_boundary"
"""The task that has the name of its family's package, and stands in its module of tasks alone."""
TASKS = {task for name in (*FAMILY_NAMES, PROBING) for task in load_family(name).tasks} - {PACKAGE}
WRITING = {"make_attacks", "make_auxiliary", "make_reformulations", "make_rewordings"}
GRADER = "grader_cases"
BROUGHT = {name for name, each in vars(_registry).items() if isfunction(each)}
OTHERS = {"all_metrics", "gated_metrics", "headline", "label_metrics", "simulated"}
FRAMES = {"answer_distribution_df", "outcomes_df", "results_df"}


def test_every_task_solver_scorer_and_frame_is_there():
    others = FRAMES | {"parse_answer", "plots"} | BROUGHT - OTHERS
    assert set(bias_tasks.__all__) == TASKS | WRITING | {GRADER} | others
    assert bias_tasks.__version__ == version("bias-tasks")
    for name in TASKS:
        task = getattr(bias_tasks, name)
        assert task.__module__ == f"bias_tasks.{family_of_task(name).name}_tasks"
        assert signature(task, eval_str=True).return_annotation is Task
    for name in BROUGHT - OTHERS - TASKS:
        made = getattr(bias_tasks, name)
        assert made is getattr(_registry, name)
        assert signature(made, eval_str=True).return_annotation in (Metric, Scorer, Solver)
    with pytest.raises(ImportError, match="cannot import name 'reflct'"):
        from bias_tasks import reflct  # noqa: F401


def test_inspect_finds_every_task_by_its_file_and_refuses_unknown_parameters(tmp_path):
    """Inspect alone only warns of a name that a task does not have."""
    found = {each.name: each.file for each in list_tasks("src/bias_tasks", root_dir=ROOT)}
    families = {name: family_of_task(name).name for name in (*TASKS, PACKAGE)}
    families |= dict.fromkeys(WRITING, "written_texts") | {GRADER: GRADER}
    assert found == {name: f"src/bias_tasks/{family}_tasks.py" for name, family in families.items()}
    for name in (f"{ROOT}/src/bias_tasks/binary_qa_tasks.py@binaryqa_qa", "bias_tasks/binaryqa_qa"):
        for given, told in (
            ({"sead": 1}, "unknown parameter 'sead': did you mean 'seed'?"),
            ({"x": 1}, "The parameters of binaryqa_qa are domains, data, level, sources"),
        ):
            with pytest.raises(PrerequisiteError) as refused:
                inspect_eval(name, task_args=given, model="none", log_dir=str(tmp_path))
            assert told in refused.value.message


def test_a_path_is_logged_whole():
    path = ROOT / "examples" / "binary_qa.csv"
    assert registry_params(bias_tasks.binaryqa_qa(data=path))["data"] == str(path)


def test_the_task_that_is_named_as_a_package_stands_among_the_tasks():
    package = import_module(f"bias_tasks.{PACKAGE}")
    assert type(package) is ModuleType
    task = getattr(import_module(f"bias_tasks.{PACKAGE}_tasks"), PACKAGE)
    assert task("judging", data="synthetic", n=1).name == f"bias_tasks/{PACKAGE}"


HEAVY = "lm_eval numpy scipy pandas matplotlib"
UNLOADED = {
    "import bias_tasks; dir(bias_tasks); bias_tasks.__version__": "inspect_ai bias_tasks.families",
    f"import {', '.join(f'bias_tasks.{name}.family' for name in FAMILY_NAMES)}": "inspect_ai",
    "import bias_tasks.cli, bias_tasks.commands.plan": "inspect_ai",
    "bias_tasks.plots.plot_headlines": "inspect_ai",
    "from bias_tasks import reflect, binaryqa, complexeval_basic, format_bias": "",
}
"""What each statement leaves unloaded, after those before it."""


def test_a_name_loads_nothing_before_it_is_used():
    """Nor a host for the command, nor what counts before there are answers to count."""
    code = "import sys\n" + "\n".join(
        f"{used}\nprint(*({{*sys.modules}} & {{*{f'{unwanted} {HEAVY}'.split()}}}))"
        for used, unwanted in UNLOADED.items()
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.split() == []


def test_pages_that_use_inspect_evals_name_its_extra():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    [requirement] = extras["optional-dependencies"]["evals"]
    assert requirement.startswith("inspect-evals>=")
    assert not [name for name in extras["dependencies"] if name.startswith("inspect-evals")]
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    texts = {str(page.relative_to(ROOT)): page.read_text(encoding="utf-8") for page in pages}
    in_code = re.compile(r"^(?!\|).*\binspect_evals[/.]\w", re.MULTILINE)
    using = {name for name, text in texts.items() if in_code.search(text)}
    assert using >= {"docs/probe.md"}
    assert not [name for name in using if "pip install 'bias-tasks[evals]'" not in texts[name]]


def test_the_package_runs_as_a_module(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["bias-tasks", "--version"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("bias_tasks", run_name="__main__")
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"bias-tasks, version {version('bias-tasks')}\n"
