"""`bias-tasks link-lm-eval` makes the YAML tasks part of an installed lm-eval, and undoes it.

The harness scans its own tasks folder but no linked folders, so a real folder there holds one link
for each of our files. Links are told from a user's own files by where they point.
"""

from __future__ import annotations

from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import click

_OURS = ("bias_tasks", "task_configs")


@click.command("link-lm-eval")
@click.option("--remove", is_flag=True, help="Undo the linking.")
def link_lm_eval(remove: bool) -> None:
    """Make the tasks part of the installed lm-eval, so that it finds them with no further flag."""
    folder = harness_folder()
    try:
        changed, kept = _unlink(folder) if remove else _link(folder)
    except OSError as error:
        raise click.ClickException(
            f"cannot change {folder} ({error.strerror or error}). Without linking, add "
            '--include_path "$(bias-tasks task-configs)" to the lm_eval command'
        ) from error
    what = "removed from" if remove else "made or renewed in"
    click.echo(f"{changed} links {what} {folder}")
    if kept:
        click.echo(f"left in place, since bias-tasks did not make them: {', '.join(kept)}")


@click.command("task-configs")
def task_configs() -> None:
    """Print the folder with the YAML tasks, for `lm_eval --include_path`."""
    click.echo(task_configs_folder())


def task_configs_folder() -> Path:
    """The folder with our YAML tasks, as `--include_path` takes it."""
    return Path(str(files("bias_tasks") / "task_configs"))


def harness_folder() -> Path:
    """The folder of ours inside the installed harness's tasks, whether it is there or not.

    Raises:
        ClickException: lm-eval is not installed as files.
    """
    spec = find_spec("lm_eval")
    if spec is None or not spec.submodule_search_locations:
        raise click.ClickException("lm-eval is not installed in this environment")
    return Path(spec.submodule_search_locations[0]) / "tasks" / "bias_tasks"


def _link(folder: Path) -> tuple[int, list[str]]:
    """Link every task; how many links are new or point anew, and the names of others' files."""
    wanted = {path.name: path for path in sorted(task_configs_folder().glob("*/[!_]*.yaml"))}
    if folder.is_symlink():
        raise click.ClickException(
            f"{folder} is a link, which the harness does not follow: remove it"
        )
    folder.mkdir(exist_ok=True)
    foreign = [path.name for path in sorted(folder.iterdir()) if not _is_ours(path)]
    in_the_way = [name for name in foreign if name in wanted]
    if in_the_way:
        raise click.ClickException(
            f"{folder} has files of the same name that bias-tasks did not make: "
            f"{', '.join(in_the_way)}. Move them away first"
        )
    linked = {path.name: path.readlink() for path in folder.iterdir() if _is_ours(path)}
    stale = [name for name in linked if linked[name] != wanted.get(name)]
    for name in stale:
        (folder / name).unlink()
    missing = [name for name in wanted if linked.get(name) != wanted[name]]
    for name in missing:
        (folder / name).symlink_to(wanted[name])
    return len({*stale, *missing}), foreign


def _unlink(folder: Path) -> tuple[int, list[str]]:
    """Remove our links, and the folder when nothing else is in it; results as of `_link`."""
    if folder.is_symlink() or not folder.is_dir():
        return 0, []
    ours = [path for path in folder.iterdir() if _is_ours(path)]
    for path in ours:
        path.unlink()
    kept = sorted(path.name for path in folder.iterdir())
    if not kept:
        folder.rmdir()
    return len(ours), kept


def _is_ours(path: Path) -> bool:
    """A link to a task of this or another installation of bias-tasks."""
    return path.is_symlink() and path.readlink().parts[-4:-2] == _OURS
