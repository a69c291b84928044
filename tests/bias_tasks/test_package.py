"""What the package shows of itself: its names, to people, completion and type checkers."""

import ast
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from inspect import isfunction, signature
from pathlib import Path
from types import ModuleType

import pytest
from inspect_ai import Task
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Solver

import bias_tasks
from bias_tasks import _registry
from bias_tasks.families import FAMILY_NAMES, PROBING, family_of_task, load_family

TASKS = {task for name in (*FAMILY_NAMES, PROBING) for task in load_family(name).tasks}
BROUGHT = {name for name, each in vars(_registry).items() if isfunction(each)}
SHOWN = "TYPE_CHECKING"
METRICS = {"figures", "gated_figures", "headline"}
FRAMES = {"outcome_columns", "outcomes_df", "results_df"}


def returned(factory):
    return signature(factory, eval_str=True).return_annotation


def test_dir_lists_every_task_solver_and_scorer():
    assert set(bias_tasks.__all__) == TASKS | FRAMES | BROUGHT - METRICS - {"simulated"}
    assert {*bias_tasks.__all__, "__version__", "__doc__"} <= set(dir(bias_tasks))
    assert {"reflect", "suggest", "outcome", "format_gated", "binaryqa"} <= set(dir(bias_tasks))


@pytest.mark.parametrize("name", sorted(TASKS - {"instruction_boundary"}))
def test_a_task_is_its_family_s(name):
    task = getattr(bias_tasks, name)
    assert task.__module__ == f"bias_tasks.tasks.{family_of_task(name).name}"
    assert returned(task) is Task


@pytest.mark.parametrize("name", sorted(BROUGHT - METRICS - TASKS - {"simulated"}))
def test_a_solver_or_scorer_is_the_registered_one(name):
    assert getattr(bias_tasks, name) is getattr(_registry, name)
    assert returned(getattr(bias_tasks, name)) in (Scorer, Solver)


def test_the_task_that_is_named_as_a_package_is_called_through_it():
    from bias_tasks import instruction_boundary

    assert isinstance(instruction_boundary, ModuleType)
    assert instruction_boundary is bias_tasks.instruction_boundary
    task = instruction_boundary("judging", data="synthetic", n=1)
    assert isinstance(task, Task)
    assert task.name == "bias_tasks/instruction_boundary"
    with pytest.raises(ValueError, match="form='essay'"):
        instruction_boundary(form="essay")


def test_the_version_is_the_installed_one():
    assert bias_tasks.__version__ == version("bias-tasks")


def test_an_unknown_name_is_none():
    with pytest.raises(AttributeError, match="module 'bias_tasks' has no attribute 'reflct'"):
        _ = bias_tasks.reflct
    with pytest.raises(ImportError, match="cannot import name 'reflct'"):
        from bias_tasks import reflct  # noqa: F401


def test_a_name_loads_nothing_before_it_is_used():
    code = (
        "import sys, bias_tasks; dir(bias_tasks); bias_tasks.__version__\n"
        "assert 'inspect_ai' not in sys.modules and 'bias_tasks.families' not in sys.modules\n"
        "from bias_tasks import reflect\n"
        "assert 'inspect_ai' in sys.modules and 'lm_eval' not in sys.modules\n"
        "names = [name for name in sys.modules if name.startswith('bias_tasks.')]\n"
        "assert 'bias_tasks._registry' in names\n"  # which is what the host imports
        "late = ('.reading.choice', '.personas', '.formats.frame', '.tasks._probe', '.outcomes')\n"
        "assert not [name for name in names if name.endswith(late)], names"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_type_checkers_see_each_name_where_it_comes_from():
    """They read the imports that are not carried out, and take `__all__` for what is exported."""
    tree = ast.parse(Path(bias_tasks.__file__).read_text(encoding="utf-8"))
    [shown] = [
        each for each in tree.body if isinstance(each, ast.If) and ast.unparse(each.test) == SHOWN
    ]
    homes = {alias.name: each.module for each in shown.body for alias in each.names}
    assert sorted(homes) == sorted(bias_tasks.__all__)
    for name in set(homes) - {"instruction_boundary"}:
        assert getattr(import_module(homes[name]), name) is getattr(bias_tasks, name)


def test_a_name_that_is_none_is_one_for_no_type_checker():
    """With a `__getattr__` that they see, every name would be one."""
    tree = ast.parse(Path(bias_tasks.__file__).read_text(encoding="utf-8"))
    hidden = [each for each in tree.body if ast.unparse(each).startswith(f"if not {SHOWN}:")]
    assert [ast.unparse(each) for one in hidden for each in one.body] == ["__getattr__ = _load"]
    assert [each.name for each in tree.body if isinstance(each, ast.FunctionDef)] == [
        "_load",
        "__dir__",
    ]
