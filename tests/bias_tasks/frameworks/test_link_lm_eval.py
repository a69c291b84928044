"""Linking the tasks into an installed lm-eval, here into a folder that stands for it."""

import json
from importlib.metadata import PathDistribution

from click.testing import CliRunner
from lm_eval.tasks import TaskManager

from bias_tasks.harness import link as link_module
from bias_tasks.harness.link import link_lm_eval, task_configs, task_configs_folder
from tests.bias_tasks.harness_runs import manager


def test_tasks_are_linked_anew_and_files_stay(tmp_path, monkeypatch):
    folder = tmp_path / "tasks" / "bias_tasks"
    folder.parent.mkdir()
    monkeypatch.setattr(link_module, "harness_folder", lambda: folder)
    for _ in range(2):
        done = CliRunner().invoke(link_lm_eval)
        names = [path.name for path in folder.iterdir()]
        assert (done.exit_code, f"{len(names)} tasks linked" in done.output) == (0, True)
        (folder / "ib_dropped.yaml").symlink_to(tmp_path / "gone" / "ib_dropped.yaml")
    CliRunner().invoke(link_lm_eval)
    found = TaskManager(include_path=str(tmp_path / "tasks"), include_defaults=False)
    assert found.all_tasks == manager().all_tasks
    (folder / "mine.yaml").write_text("task: mine\n", encoding="utf-8")
    assert "files that are not links" in CliRunner().invoke(link_lm_eval).output
    assert [path.name for path in folder.iterdir()] == ["mine.yaml"]
    assert CliRunner().invoke(task_configs).output.strip() == str(task_configs_folder())


def install(site, monkeypatch, *, editable):
    """A folder of lm-eval's tasks into which an installation copied one task of long ago."""
    folder = site / "lm_eval" / "tasks" / "bias_tasks"
    (folder / "binary_qa").mkdir(parents=True)
    (folder / "binary_qa" / "binaryqa_old.yaml").write_text("task: binaryqa_old\n", "utf-8")
    info = site / "bias_tasks-1.0.dist-info"
    info.mkdir()
    (info / "RECORD").write_text(
        "lm_eval/tasks/bias_tasks/binary_qa/binaryqa_old.yaml,,\n", "utf-8"
    )
    url = {"url": "https://example.org", "dir_info": {"editable": editable}}
    (info / "direct_url.json").write_text(json.dumps(url), "utf-8")
    monkeypatch.setattr(link_module, "distribution", lambda _: PathDistribution(info))
    monkeypatch.setattr(link_module, "harness_folder", lambda: folder)
    return folder


def test_the_copies_of_an_editable_installation_are_replaced_by_links(tmp_path, monkeypatch):
    folder = install(tmp_path, monkeypatch, editable=True)
    done = CliRunner().invoke(link_lm_eval)
    assert "tasks linked" in done.output
    tasks = [path for path in folder.rglob("*") if not path.is_dir()]
    assert tasks
    assert all(path.is_symlink() for path in tasks)
    found = TaskManager(include_path=str(tmp_path / "lm_eval" / "tasks"), include_defaults=False)
    assert found.all_tasks == manager().all_tasks


def test_the_files_of_a_wheel_stay(tmp_path, monkeypatch):
    folder = install(tmp_path, monkeypatch, editable=False)
    assert "a wheel installed them" in CliRunner().invoke(link_lm_eval).output
    assert [path.name for path in folder.rglob("*.yaml")] == ["binaryqa_old.yaml"]
