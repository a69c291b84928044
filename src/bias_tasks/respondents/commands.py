"""The command `bias-tasks serve`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from bias_tasks.data.errors import DataError
from bias_tasks.families import family_of_task
from bias_tasks.names import cli_values, unknown_name
from bias_tasks.parameters import of_whole_run
from bias_tasks.respondents.faults import Faults
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.personas import make_respondent
from bias_tasks.respondents.serve import bind, make_app, make_server

_SHARE = click.FloatRange(0, 1)


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), required=True, help="0 takes a free port.")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--persona", default="conformist", show_default=True)
@click.option("-M", "planted", multiple=True, metavar="NAME=VALUE", help="Persona parameter.")
@click.option(
    "--task",
    "tasks",
    multiple=True,
    metavar="NAME",
    default=("instruction_boundary",),
    show_default=True,
    help="Inspect task whose items it knows; can be given several times.",
)
@click.option(
    "-T",
    "given",
    multiple=True,
    metavar="NAME=VALUE",
    help="Parameter of the tasks, for those of them that take it.",
)
@click.option("--latency", default=0.0, help="Seconds before each response.")
@click.option("--error-429", type=_SHARE, default=0.0, help="Share of 429 responses.")
@click.option("--error-500", type=_SHARE, default=0.0, help="Share of 500 responses.")
@click.option("--cut", type=_SHARE, default=0.0, help="Share of connections cut in the body.")
@click.option("--garbage", type=_SHARE, default=0.0, help="Share of bodies that are not JSON.")
@click.option("--error-503", type=_SHARE, default=0.0, help="Share of 503 responses.")
@click.option("--error-200", type=_SHARE, default=0.0, help="Share of errors with status 200.")
@click.option("--drop", type=_SHARE, default=0.0, help="Share of connections ended unanswered.")
@click.option("--truncated", type=_SHARE, default=0.0, help="Share of bodies whose JSON is half.")
@click.option("--stall", type=_SHARE, default=0.0, help="Share of requests never answered.")
@click.option(
    "--retry-after/--no-retry-after",
    default=True,
    help="Whether errors say to come again soon; clients wait longer without it.",
)
@click.option("--fault-seed", "seed", default=0, show_default=True)
@click.option("--log", type=click.Path(path_type=Path), help="JSONL of requests.")
def serve(
    *,
    port: int,
    host: str,
    persona: str,
    planted: tuple[str, ...],
    tasks: tuple[str, ...],
    given: tuple[str, ...],
    log: Path | None,
    **faults: Any,
) -> None:
    """Serve a simulated respondent over OpenAI's and Anthropic's HTTP interfaces.

    It knows the answers to what the tasks of --task ask with the parameters of -T, so give it the
    tasks and the parameters of the run that asks it.
    """
    try:
        respondent = make_respondent(persona, cli_values("-M", planted))
        breaking = Faults(**faults)
        known = items_of(tasks, cli_values("-T", given))
        app = make_app(respondent, persona, known=known, faults=breaking, log=log)
    except (ValueError, DataError) as error:
        raise click.ClickException(str(error)) from error
    try:
        socket = bind(host, port)
    except ValueError as error:
        raise click.ClickException(f"--host {host!r}: {error}") from error
    except OSError as error:
        raise click.ClickException(
            f"can't listen on {host}:{port} ({error.strerror}): choose another --port, or 0"
        ) from error
    address = f"http://{host}:{socket.getsockname()[1]}/v1"
    server = make_server(app, lambda: click.echo(f"serving simulated/{persona} on {address}"))
    with suppress(KeyboardInterrupt):  # the server itself may take it, and just return
        server.run(sockets=[socket])
    click.echo("stopped")


def items_of(tasks: Sequence[str], given: Mapping[str, Any]) -> KnownItems:
    """The items that tasks ask about.

    Args:
        tasks: names of tasks, of any family.
        given: values of their parameters; each goes to those of the tasks that take it.

    Raises:
        ValueError: there is no such task, none of them takes a parameter, or a value is not
            allowed.
        DataError: the items can't be had.
    """
    try:
        specs = [family_of_task(task).tasks[task] for task in tasks]
    except LookupError as error:
        raise ValueError(f"--task: {error}") from error
    taken = dict.fromkeys(parameter.name for spec in specs for parameter in spec.parameters)
    for name in given:
        if name not in taken:
            what = f"parameters of {', '.join(tasks)}"
            raise ValueError(f"-T {name}: {unknown_name(name, taken, what)}")
    items: dict[int, Any] = {}  # by identity, since each stands behind many questions
    for spec in specs:
        own = {each.name: given[each.name] for each in spec.parameters if each.name in given}
        plan = family_of_task(spec.name).plan(spec.name, of_whole_run(spec.values(own)))
        items |= {id(item): item for question in plan.questions for item in question.known}
    return KnownItems(items.values())
