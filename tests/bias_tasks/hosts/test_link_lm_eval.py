"""Linking the tasks into an installed lm-eval, here into a folder that stands for it."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from lm_eval.tasks import TaskManager

from bias_tasks.harness import link as link_module
from bias_tasks.harness.commands import link_lm_eval, task_configs
from bias_tasks.harness.link import task_configs_folder
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


def test_the_harness_folder_is_where_the_harness_scans():
    import lm_eval.tasks

    assert link_module.harness_folder() == Path(lm_eval.tasks.__file__).parent / "bias_tasks"


def test_linked_tasks_are_found_and_load(tasks):
    assert invoke().exit_code == 0
    assert not (tasks / "bias_tasks").is_symlink()
    found = TaskManager(
        include_path=str(tasks), include_defaults=False, metadata={"data": "synthetic", "n": 3}
    )
    assert found.all_tasks == manager().all_tasks
    for task, documents in [
        ("ib_vanilla_choice", 3),
        ("binaryqa_nrc", 9),
        ("binaryqa_nrc_ll", 9),
        ("format_wrapping_synthetic", 21),
        ("complexeval_basic", 30),
        ("complexeval_basic_rubric", 18),
        ("complexeval_role_playing", 84),
        ("complexeval_attention_limit", 63),
    ]:
        assert len(found.load([task])["tasks"][task].task_docs) == documents


def test_linking_twice_changes_nothing(tasks):
    first = invoke()
    names = sorted(path.name for path in (tasks / "bias_tasks").iterdir())
    second = invoke()
    assert f"{len(names)} links made" in first.output
    assert "0 links made" in second.output
    assert sorted(path.name for path in (tasks / "bias_tasks").iterdir()) == names


def test_links_of_an_earlier_installation_are_renewed(tasks):
    invoke()
    folder = tasks / "bias_tasks"
    earlier = tasks / "gone" / "bias_tasks" / "task_configs" / "instruction_boundary"
    stale = folder / "ib_vanilla_choice.yaml"
    stale.unlink()
    stale.symlink_to(earlier / stale.name)
    (folder / "ib_dropped.yaml").symlink_to(earlier / "ib_dropped.yaml")
    assert "2 links made or renewed" in invoke().output
    assert stale.resolve().is_file()
    assert not (folder / "ib_dropped.yaml").is_symlink()


def test_removing_undoes_it_and_can_be_repeated(tasks):
    invoke()
    assert invoke("--remove").exit_code == 0
    assert list(tasks.iterdir()) == []
    assert "0 links removed" in invoke("--remove").output


def test_what_others_put_there_stays(tasks):
    invoke()
    own = tasks / "bias_tasks" / "mine.yaml"
    own.write_text("task: mine\n", encoding="utf-8")
    link = tasks / "bias_tasks" / "elsewhere.yaml"
    link.symlink_to(tasks / "elsewhere.yaml")
    result = invoke("--remove")
    assert "left in place, since bias-tasks did not make them: elsewhere.yaml, mine.yaml" in (
        result.output
    )
    assert sorted(path.name for path in (tasks / "bias_tasks").iterdir()) == [link.name, own.name]


def test_a_file_of_the_same_name_is_never_replaced(tasks):
    folder = tasks / "bias_tasks"
    folder.mkdir()
    own = folder / "ib_vanilla_choice.yaml"
    own.write_text("task: mine\n", encoding="utf-8")
    result = invoke()
    assert result.exit_code == 1
    assert "ib_vanilla_choice.yaml" in result.output
    assert own.read_text(encoding="utf-8") == "task: mine\n"
    assert [path.name for path in folder.iterdir()] == [own.name]


def test_a_linked_folder_is_refused(tasks):
    (tasks / "bias_tasks").symlink_to(task_configs_folder())
    result = invoke()
    assert result.exit_code == 1
    assert "does not follow" in result.output
    assert invoke("--remove").exit_code == 0
    assert (tasks / "bias_tasks").is_symlink()


@pytest.mark.parametrize(("method", "arguments"), [("mkdir", ()), ("symlink_to", ())])
def test_a_folder_that_cannot_be_written_has_a_way_round(tasks, monkeypatch, method, arguments):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, method, refuse)
    result = invoke(*arguments)
    assert result.exit_code == 1
    assert "Permission denied" in result.output
    assert '--include_path "$(bias-tasks task-configs)"' in result.output


def test_task_configs_prints_the_folder_alone():
    result = CliRunner().invoke(task_configs)
    assert result.exit_code == 0
    folder = Path(result.output.removesuffix("\n"))
    assert (folder / "instruction_boundary" / "ib_conformity_choice.yaml").is_file()
