"""Makes the YAML tasks part of an installed lm-eval, and undoes it.

The harness scans its own tasks folder but no linked folders, so a real folder there holds one link
for each of our files. Links are told from a user's own files by where they point.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import click

_OURS = ("bias_tasks", "task_configs")


@dataclass(frozen=True, slots=True)
class Linked:
    """What linking or unlinking did."""

    folder: Path
    """The folder inside the installed harness."""
    changed: tuple[str, ...]
    """Names of the links made, pointed anew, or removed."""
    kept: tuple[str, ...]
    """Names of what stands there and is not ours."""


class LinkError(RuntimeError):
    """The harness's folder cannot be changed; the message says what to do instead."""


def task_configs_folder() -> Path:
    """The folder with our YAML tasks, as `--include_path` takes it."""
    return Path(str(files("bias_tasks") / "task_configs"))


def harness_folder() -> Path:
    """The folder of ours inside the installed harness's tasks, whether it is there or not.

    Raises:
        LinkError: lm-eval is not installed as files.
    """
    spec = find_spec("lm_eval")
    if spec is None or not spec.submodule_search_locations:
        raise LinkError("lm-eval is not installed in this environment")
    return Path(spec.submodule_search_locations[0]) / "tasks" / "bias_tasks"


def link() -> Linked:
    """Link every task into the installed harness; links of an earlier version are replaced.

    Raises:
        LinkError: the folder can't be written, or a file of that name is in the way.
    """
    folder = harness_folder()
    wanted = {path.name: path for path in sorted(task_configs_folder().glob("*/[!_]*.yaml"))}
    try:
        return _link(folder, wanted)
    except OSError as error:
        raise _not_writable(folder, error) from error


def unlink() -> Linked:
    """Remove our links, and the folder when nothing else is in it.

    Raises:
        LinkError: the folder can't be written.
    """
    folder = harness_folder()
    try:
        return _unlink(folder)
    except OSError as error:
        raise _not_writable(folder, error) from error


@click.command("link-lm-eval")
@click.option("--remove", is_flag=True, help="Undo the linking.")
def link_lm_eval(remove: bool) -> None:
    """Make the tasks part of the installed lm-eval, so that it finds them with no further flag."""
    try:
        done = unlink() if remove else link()
    except LinkError as error:
        raise click.ClickException(str(error)) from error
    if remove:
        click.echo(f"{len(done.changed)} links removed from {done.folder}")
    else:
        click.echo(f"{len(done.changed)} links made or renewed in {done.folder}")
    if done.kept:
        click.echo(f"left in place, since bias-tasks did not make them: {', '.join(done.kept)}")


@click.command("task-configs")
def task_configs() -> None:
    """Print the folder with the YAML tasks, for `lm_eval --include_path`."""
    click.echo(task_configs_folder())


def _link(folder: Path, wanted: dict[str, Path]) -> Linked:
    if folder.is_symlink():
        raise LinkError(f"{folder} is a link, which the harness does not follow: remove it")
    folder.mkdir(exist_ok=True)
    foreign = [path.name for path in sorted(folder.iterdir()) if not _is_ours(path)]
    in_the_way = [name for name in foreign if name in wanted]
    if in_the_way:
        raise LinkError(
            f"{folder} has files of the same name that bias-tasks did not make: "
            f"{', '.join(in_the_way)}. Move them away first"
        )
    changed = []
    for path in [path for path in folder.iterdir() if _is_ours(path)]:
        if path.name not in wanted:
            path.unlink()
            changed.append(path.name)
    for name, target in wanted.items():
        place = folder / name
        if place.is_symlink():
            if place.readlink() == target:
                continue
            place.unlink()
        place.symlink_to(target)
        changed.append(name)
    return Linked(folder, tuple(sorted(changed)), tuple(foreign))


def _unlink(folder: Path) -> Linked:
    if folder.is_symlink() or not folder.is_dir():
        return Linked(folder, (), ())
    ours = [path for path in sorted(folder.iterdir()) if _is_ours(path)]
    for path in ours:
        path.unlink()
    kept = tuple(path.name for path in sorted(folder.iterdir()))
    if not kept:
        folder.rmdir()
    return Linked(folder, tuple(path.name for path in ours), kept)


def _is_ours(path: Path) -> bool:
    """A link to a task of this or another installation of bias-tasks."""
    return path.is_symlink() and path.readlink().parts[-4:-2] == _OURS


def _not_writable(folder: Path, error: OSError) -> LinkError:
    return LinkError(
        f"cannot change {folder} ({error.strerror or error}). Without linking, add "
        '--include_path "$(bias-tasks task-configs)" to the lm_eval command'
    )
