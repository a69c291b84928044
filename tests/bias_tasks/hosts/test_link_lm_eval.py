"""Linking the tasks into an installed lm-eval, here into a folder that stands for it."""

from pathlib import Path

import lm_eval.tasks
import pytest
from click.testing import CliRunner
from lm_eval.tasks import TaskManager

from bias_tasks.harness import link as link_module
from bias_tasks.harness.link import link_lm_eval, task_configs, task_configs_folder
from tests.bias_tasks.harness_runs import manager


@pytest.fixture
def tasks(tmp_path, monkeypatch):
    """The tasks folder of an installed harness."""
    folder = tmp_path / "lm_eval" / "tasks"
    folder.mkdir(parents=True)
    monkeypatch.setattr(link_module, "harness_folder", lambda: folder / "bias_tasks")
    return folder


def invoke(*arguments):
    return CliRunner().invoke(link_lm_eval, arguments)


def test_linked_tasks_are_found_and_linking_twice_changes_nothing(tasks):
    first = invoke()
    names = sorted(path.name for path in (tasks / "bias_tasks").iterdir())
    assert (first.exit_code, f"{len(names)} links made" in first.output) == (0, True)
    found = TaskManager(
        include_path=str(tasks), include_defaults=False, metadata={"data": "synthetic", "n": 3}
    )
    assert found.all_tasks == manager().all_tasks
    assert len(found.load(["binaryqa_nrc"])["tasks"]["binaryqa_nrc"].task_docs) == 9
    assert "0 links made" in invoke().output
    assert sorted(path.name for path in (tasks / "bias_tasks").iterdir()) == names
    assert invoke("--remove").exit_code == 0
    assert list(tasks.iterdir()) == []
    assert "0 links removed" in invoke("--remove").output


def test_links_of_an_earlier_installation_are_renewed_and_others_files_stay(tasks):
    invoke()
    folder = tasks / "bias_tasks"
    earlier = tasks / "gone" / "bias_tasks" / "task_configs" / "instruction_boundary"
    stale = folder / "ib_vanilla_choice.yaml"
    stale.unlink()
    stale.symlink_to(earlier / stale.name)
    (folder / "ib_dropped.yaml").symlink_to(earlier / "ib_dropped.yaml")
    assert "2 links made or renewed" in invoke().output
    assert stale.resolve().is_file()
    (folder / "mine.yaml").write_text("task: mine\n", encoding="utf-8")
    (folder / "elsewhere.yaml").symlink_to(tasks / "elsewhere.yaml")
    told = "left in place, since bias-tasks did not make them: elsewhere.yaml, mine.yaml"
    assert told in invoke("--remove").output
    assert sorted(path.name for path in folder.iterdir()) == ["elsewhere.yaml", "mine.yaml"]


def test_what_is_in_the_way_is_never_replaced(tasks, monkeypatch):
    folder = tasks / "bias_tasks"
    folder.mkdir()
    (folder / "ib_vanilla_choice.yaml").write_text("task: mine\n", encoding="utf-8")
    done = invoke()
    assert (done.exit_code, "ib_vanilla_choice.yaml" in done.output) == (1, True)
    assert (folder / "ib_vanilla_choice.yaml").read_text(encoding="utf-8") == "task: mine\n"
    (folder / "ib_vanilla_choice.yaml").unlink()
    folder.rmdir()
    folder.symlink_to(task_configs_folder())
    done = invoke()
    assert (done.exit_code, "does not follow" in done.output) == (1, True)
    assert (invoke("--remove").exit_code, folder.is_symlink()) == (0, True)
    folder.unlink()

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    done = invoke()
    assert (done.exit_code, "Permission denied" in done.output) == (1, True)
    assert '--include_path "$(bias-tasks task-configs)"' in done.output


def test_where_the_folders_are():
    assert link_module.harness_folder() == Path(lm_eval.tasks.__file__).parent / "bias_tasks"
    folder = Path(CliRunner().invoke(task_configs).output.removesuffix("\n"))
    assert (folder / "instruction_boundary" / "ib_conformity_choice.yaml").is_file()
