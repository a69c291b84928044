"""Linking the tasks into an installed lm-eval, here into a folder that stands for it."""

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
