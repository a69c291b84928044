"""The command `bias-tasks serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import click
import yaml

from bias_tasks.binary_qa.items import VARIANTS
from bias_tasks.complex_eval.items import JUDGED_KINDS as FAMILIES
from bias_tasks.data.errors import DataError
from bias_tasks.instruction_boundary.items import FORMS
from bias_tasks.output_format.items import CATEGORIES
from bias_tasks.protocols import PROTOCOLS
from bias_tasks.respondents.faults import Faults
from bias_tasks.respondents.personas import make_respondent
from bias_tasks.respondents.serve import bind, make_app, make_server
from bias_tasks.respondents.served_items import Served, served_items

_SHARE = click.FloatRange(0, 1)


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), required=True, help="0 takes a free port.")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--persona", default="conformist", show_default=True)
@click.option("-M", "settings", multiple=True, metavar="NAME=VALUE", help="Persona parameter.")
@click.option(
    "--family",
    "families",
    type=click.Choice(get_args(Served)),
    multiple=True,
    default=("ib",),
    show_default=True,
    help="Whose items it knows; can be given twice.",
)
@click.option("--data", default="paper", show_default=True, help="paper, synthetic or a file.")
@click.option("--form", type=click.Choice([*FORMS, "all"]), default="all", show_default=True)
@click.option("--sources", help="With --data paper: data sets, separated by commas.")
@click.option("--domains", help="binaryqa, judge: domains, separated by commas.")
@click.option("--reformulate", help="binaryqa: given, grammar or skip, as the task has it.")
@click.option(
    "--variants",
    default=",".join(VARIANTS),
    help="binaryqa: what the task asks, separated by commas; all without it.",
)
@click.option("--dataset", help="format: data sets or files, separated by commas.")
@click.option(
    "--formats",
    help="format: what the task asks for, separated by commas: formats, or categories "
    f"({', '.join(CATEGORIES)}); all without it.",
)
@click.option(
    "--judged", help=f"judge: what is judged, of {', '.join(FAMILIES)}, separated by commas."
)
@click.option("--responses", help="judge: file of your responses, with --data paper.")
@click.option("--n", type=click.IntRange(1), help="At most so many items.")
@click.option("--seed", default=0, show_default=True, help="Seed of the items.")
@click.option("--protocol", type=click.Choice(PROTOCOLS), default="corrected", show_default=True)
@click.option("--latency", default=0.0, help="Seconds before each response.")
@click.option("--error-429", type=_SHARE, default=0.0, help="Share of 429 responses.")
@click.option("--error-500", type=_SHARE, default=0.0, help="Share of 500 responses.")
@click.option("--cut", type=_SHARE, default=0.0, help="Share of connections cut in the body.")
@click.option("--garbage", type=_SHARE, default=0.0, help="Share of bodies that are not JSON.")
@click.option("--fault-seed", default=0, show_default=True)
@click.option("--log", type=click.Path(dir_okay=False, path_type=Path), help="JSONL of requests.")
def serve(
    *,
    port: int,
    host: str,
    persona: str,
    settings: tuple[str, ...],
    families: tuple[Served, ...],
    latency: float,
    error_429: float,
    error_500: float,
    cut: float,
    garbage: float,
    fault_seed: int,
    log: Path | None,
    **naming: Any,
) -> None:
    """Serve a simulated respondent over OpenAI's and Anthropic's HTTP interfaces.

    It knows the answers to the items of --family that --data, --sources, --n and --seed name, with
    --form and --protocol (ib), --domains, --reformulate and --variants (binaryqa), --judged,
    --domains and --responses (judge), or --dataset, --formats and --protocol in place of --data and
    --sources (format); give them the values that the task has.
    """
    try:
        respondent = make_respondent(persona, _parameters(settings))
        faults = Faults(latency, error_429, error_500, cut, garbage, fault_seed)
        known = served_items(families, **naming)
    except (ValueError, DataError) as error:
        raise click.ClickException(str(error)) from error
    try:
        socket = bind(host, port)
    except OSError as error:
        raise click.ClickException(
            f"can't listen on {host}:{port} ({error.strerror}): choose another --port, or 0"
        ) from error
    address = f"http://{host}:{socket.getsockname()[1]}/v1"
    app = make_app(respondent, persona, known=known, faults=faults, log=log)
    server = make_server(app, lambda: click.echo(f"serving simulated/{persona} on {address}"))
    try:
        server.run(sockets=[socket])
    except KeyboardInterrupt:
        click.echo("stopped")


def _parameters(settings: tuple[str, ...]) -> dict[str, Any]:
    """The -M options as values: numbers as numbers, the rest as text.

    Raises:
        ValueError: an option is not NAME=VALUE.
    """
    parameters = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not name or not equals:
            raise ValueError(f"-M {setting}: expected NAME=VALUE")
        try:
            parameters[name] = yaml.safe_load(value)
        except yaml.YAMLError as error:
            raise ValueError(f"-M {setting}: the value can't be read") from error
    return parameters
