"""How lm-eval finds the YAML tasks: the wheel brings them into its folder, or they are linked.

An editable installation can't put files there, so that `bias-tasks link-lm-eval` links them. The
harness scans its own folder but no linked folders: each file is a link.
"""

from importlib.resources import files
from pathlib import Path

import click


@click.command("link-lm-eval")
def link_lm_eval() -> None:
    """Make the tasks of an editable installation part of lm-eval; a wheel brings them itself."""
    try:
        click.echo(_link(harness_folder()))
    except OSError as error:
        raise click.ClickException(
            f'{error}; without linking, give lm_eval --include_path "$(bias-tasks task-configs)"'
        ) from error


@click.command("task-configs")
def task_configs() -> None:
    """Print the folder with the YAML tasks, for `lm_eval --include_path`."""
    click.echo(task_configs_folder())


def task_configs_folder() -> Path:
    """The folder with our YAML tasks, as `--include_path` takes it."""
    return Path(str(files("bias_tasks") / "task_configs"))


def harness_folder() -> Path:
    """The folder of ours inside the installed harness's tasks, whether it is there or not."""
    return Path(str(files("lm_eval") / "tasks" / "bias_tasks"))


def _link(folder: Path) -> str:
    """Links every task anew; files that are no links stay, since somebody else put them there."""
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.yaml"):
        if path.is_symlink():
            path.unlink()
    if any(folder.rglob("*.yaml")):
        return f"{folder} has files that are no links: they are the wheel's, or move them away"
    wanted = {path.name: path for path in task_configs_folder().glob("*/[!_]*.yaml")}
    for name, path in wanted.items():
        (folder / name).symlink_to(path)
    return f"{len(wanted)} tasks linked in {folder}"
