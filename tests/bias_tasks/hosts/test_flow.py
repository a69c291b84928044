"""The specification for inspect-flow: what it asks exists here, and flow runs it.

inspect-flow brings 200 MB (a store of logs, a database), so that the environment of the tests
does without; a stand-in as small as the three calls of the specification lets it be
read there. Where the package is installed, its own run is tried too.
"""

import importlib.util
import shutil
import sys
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from bias_tasks.cli import main
from bias_tasks.families import FAMILY_NAMES, load_family

SPECIFICATION = Path(__file__).parents[3] / "examples" / "flow" / "families.py"
MODELS = ["simulated/conformist", "simulated/steadfast"]
PAPERS = [name for name in FAMILY_NAMES if name != "judging"]  # which asks a file of the user's


def matrix(task, model):
    return [SimpleNamespace(**vars(one), model=two) for one, two in product(task, model)]


STAND_IN = SimpleNamespace(
    FlowOptions=SimpleNamespace,
    FlowSpec=SimpleNamespace,
    FlowTask=SimpleNamespace,
    tasks_matrix=matrix,
)


@pytest.fixture
def families(monkeypatch):
    """The specification's function."""
    monkeypatch.setitem(sys.modules, "inspect_flow", STAND_IN)
    found = importlib.util.spec_from_file_location("families_of_flow", SPECIFICATION)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module.families


def test_every_family_is_asked_of_every_model(families):
    asked = {(task.name, task.model) for task in families(",".join(MODELS)).tasks}
    declared = [set(load_family(name).tasks) for name in PAPERS]
    for model in MODELS:
        names = {name.removeprefix("bias_tasks/") for name, of in asked if of == model}
        assert [len(names & tasks) for tasks in declared] == [1] * len(PAPERS)
    assert len(asked) == len(MODELS) * len(PAPERS)


def test_its_tasks_take_what_they_are_given(families):
    specs = {name: each for f in PAPERS for name, each in load_family(f).tasks.items()}
    for synthetic in (False, True):
        for task in families(MODELS[:1], synthetic=synthetic, shard="2/3").tasks:
            values = specs[task.name.removeprefix("bias_tasks/")].values(task.args)
            assert values["shard"] == "2/3"
            assert values | task.args == values
            assert ("synthetic" in values.values()) is synthetic


def test_parts_have_folders_of_their_own(families):
    folders = {families(MODELS, shard=shard).log_dir for shard in (None, "1/2", "2/2", "1/3")}
    assert len(folders) == 4


@pytest.mark.parametrize("models", ["", " ", ",", "openai/gpt-4o,", []])
def test_models_are_asked_for(families, models):
    with pytest.raises(SystemExit, match="name the models"):
        families(models)


def test_a_model_named_twice_is_asked_once(families):
    assert len(families("openai/gpt-4o, openai/gpt-4o").tasks) == len(PAPERS)


@pytest.mark.skipif(
    find_spec("inspect_flow") is None or shutil.which("uv") is None,
    reason="inspect-flow and uv, which it calls, are not installed beside bias-tasks",
)
def test_flow_runs_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "flow"))
    monkeypatch.setenv("UV_OFFLINE", "1")
    from inspect_flow.api import init, load_spec, run

    init(display="none", dotenv_base_dir=None)
    arguments = {"models": MODELS[0], "synthetic": True}
    for part in ("1/2", "2/2"):
        done = run(load_spec(str(SPECIFICATION), args={**arguments, "shard": part}))
        assert done.success
        assert len(done.logs) == len(PAPERS)
    merged = CliRunner().invoke(main, ["merge", "logs", "--out", "merged"])
    assert merged.exit_code == 0, merged.output
    assert merged.output.count("answers of 2 logs") == len(PAPERS)
