"""`bias-tasks reformulate`: rewords yes/no questions, for a person to review and reuse."""

from __future__ import annotations

from pathlib import Path

import click

from bias_tasks.binary_qa.data.load import named
from bias_tasks.binary_qa.items import REFORMULATIONS, Reformulation
from bias_tasks.commands.model_calls.alone import alone
from bias_tasks.commands.model_calls.model import Limits, ModelFailedError, open_model
from bias_tasks.commands.model_calls.options import (
    connections_option,
    out_option,
    retries_option,
    timeout_option,
)
from bias_tasks.commands.model_calls.other_models import other_models
from bias_tasks.commands.reformulate.ask import ROLE
from bias_tasks.commands.reformulate.output import Output
from bias_tasks.commands.reformulate.questions import read_questions
from bias_tasks.commands.reformulate.run import Run
from bias_tasks.commands.reformulate.summary import models_of, tell, what_remains
from bias_tasks.data.errors import DataError
from bias_tasks.data.files import real_path
from bias_tasks.names import did_you_mean


def _kinds(
    context: click.Context, parameter: click.Parameter, value: str
) -> tuple[Reformulation, ...]:
    chosen = named(value) or []
    unknown = [name for name in chosen if name not in REFORMULATIONS]
    if unknown or not chosen:
        found = ", ".join(unknown) or "nothing"
        near = did_you_mean(unknown, REFORMULATIONS)
        raise click.BadParameter(f"{found}{near}: choose among {', '.join(REFORMULATIONS)}")
    return tuple(kind for kind in REFORMULATIONS if kind in chosen)


@click.command()
@click.argument("source", metavar="FILE")
@out_option
@click.option("--model", help="Asked where the grammar knows no way; any of Inspect's names.")
@click.option(
    "--kinds",
    default=",".join(REFORMULATIONS),
    show_default=True,
    callback=_kinds,
    help="The rewordings to make.",
)
@click.option("--domains", help="Only these domains, separated by commas.")
@click.option("-n", "--limit", type=click.IntRange(1), help="At most so many questions.")
@connections_option
@retries_option
@timeout_option
def reformulate(
    *,
    source: str,
    out: Path,
    model: str | None,
    kinds: tuple[Reformulation, ...],
    domains: str | None,
    limit: int | None,
    connections: int,
    max_retries: int,
    timeout: int,
) -> None:
    """Reword the yes/no questions of FILE, by grammar and where it knows no way by a model.

    FILE is a JSONL, CSV or Parquet file of your own, or `paper` or names of its data sets. What is
    made is written at once: run the same again to go on where it stopped, or with other --kinds to
    add these. Each row says under `provenance` who made what; review and edit the rows, and use
    them with data=OUT.
    """
    if real_path(out) == real_path(Path(source)):
        raise click.UsageError("--out is FILE itself; write to another file")
    try:
        questions = read_questions(source, domains)
        wanted = questions[:limit]
        limits = Limits(connections, max_retries, timeout)
        opened = None if model is None else open_model(ROLE, model, limits)
        with alone(out), Output(out, questions) as output:
            run = Run(kinds, output, opened)
            run.reword(wanted, connections if opened else 1)
    except (DataError, ModelFailedError) as error:
        raise click.ClickException(str(error)) from error
    found = [output.stored(question.item.id) for question in wanted]
    records = [record for record in found if record is not None]
    click.echo(tell(out, records, kinds))
    mixed = other_models(out, models_of(records), None if opened is None else str(opened))
    if mixed:
        click.echo(mixed, err=True)
    remains = what_remains(out, len(wanted), records, kinds, model, run.failures)
    if remains:
        raise click.ClickException(remains)
