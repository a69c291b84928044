"""`bias-tasks link-lm-eval` and `bias-tasks task-configs`."""

from __future__ import annotations

import click

from bias_tasks.harness.link import LinkError, link, task_configs_folder, unlink


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
