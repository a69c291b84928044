"""How lm-eval finds the YAML tasks: the wheel installs them into its folder, or they are linked.

An editable installation installs no files there, or copies that changes of the source do not reach
(hatchling 1.33), so `bias-tasks link-lm-eval` links them. lm-eval does not scan linked folders, so
each file is a link.
"""

import json
from importlib.metadata import distribution
from importlib.resources import files
from pathlib import Path

import click


@click.command("link-lm-eval")
def link_lm_eval() -> None:
    """Add the tasks of an editable installation to lm-eval. A wheel adds them itself."""
    try:
        click.echo(_link_tasks(harness_folder()))
    except OSError as error:
        raise click.ClickException(
            f'{error}; without links, give lm_eval --include_path "$(bias-tasks task-configs)"'
        ) from error


@click.command("task-configs")
def task_configs() -> None:
    """Print the folder of the YAML tasks, for `lm_eval --include_path`."""
    click.echo(task_configs_folder())


def task_configs_folder() -> Path:
    """Return the folder of the package's YAML tasks."""
    return Path(str(files("bias_tasks") / "task_configs"))


def harness_folder() -> Path:
    """Return the package's folder inside lm-eval's tasks, which may not exist."""
    return Path(str(files("lm_eval") / "tasks" / "bias_tasks"))


def _link_tasks(folder: Path) -> str:
    """Replace all links to tasks, and the copies of an editable installation.

    Other files are kept, because others put them there.

    Returns:
        What was done, for the user.
    """
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.yaml"):
        if path.is_symlink():
            path.unlink()
    package = distribution("bias-tasks")
    origin = json.loads(package.read_text("direct_url.json") or "{}")
    if origin.get("dir_info", {}).get("editable"):
        for file in package.files or ():
            copied = Path(str(package.locate_file(file)))
            if folder in copied.parents:
                copied.unlink(missing_ok=True)
    if any(folder.rglob("*.yaml")):
        return f"{folder} has files that are not links: a wheel installed them, or move them away"
    targets = {path.name: path for path in task_configs_folder().glob("*/[!_]*.yaml")}
    for name, path in targets.items():
        (folder / name).symlink_to(path)
    return f"{len(targets)} tasks linked in {folder}"
