"""`bias-tasks reword`: rewords and translates a task's items, to be reviewed and asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from bias_tasks.commands.model_calls.alone import alone
from bias_tasks.commands.model_calls.model import Limits, ModelFailedError, open_model
from bias_tasks.commands.model_calls.options import (
    connections_option,
    out_option,
    retries_option,
    timeout_option,
)
from bias_tasks.commands.model_calls.other_models import other_models
from bias_tasks.commands.model_calls.workers import what_failed
from bias_tasks.commands.reword.items import HOSTS, Host, Source, items_of
from bias_tasks.commands.reword.output import Output
from bias_tasks.commands.reword.run import ROLE, Run
from bias_tasks.data.errors import DataError
from bias_tasks.names import cli_values
from bias_tasks.parameters import chosen_names
from bias_tasks.probing.rewordings.checks import first_refusal
from bias_tasks.probing.rewordings.row import ENGLISH, KINDS, Kind


@click.command()
@click.argument("task")
@out_option
@click.option("--model", help="Asked where the grammar knows no way; any of Inspect's names.")
@click.option(
    "--kinds",
    help=f"Some of {', '.join(KINDS)}; without it what --language says.",
)
@click.option("--language", help="Into which texts are translated, in English: German.")
@click.option("--from", "original", default=ENGLISH, show_default=True, help="Their own language.")
@click.option(
    "--host",
    type=click.Choice(HOSTS),
    default=HOSTS[0],
    show_default=True,
    help="Of TASK.",
)
@click.option("-T", "given", multiple=True, metavar="NAME=VALUE", help="n, seed, and TASK's own.")
@connections_option
@retries_option
@timeout_option
def reword(
    *,
    task: str,
    out: Path,
    model: str | None,
    kinds: str | None,
    language: str | None,
    original: str,
    host: Host,
    given: tuple[str, ...],
    connections: int,
    max_retries: int,
    timeout: int,
) -> None:
    """Reword or translate the items of TASK, which is named as for `probe`.

    Rows are written as they are made: run the same again to go on where it stopped, or with other
    --kinds to add these. Review them, edit `reworded` or set `approved` to true or false, and use
    them with -T rewordings=OUT.
    """
    wanted = _kinds(kinds, language, model, original)
    limits = Limits(connections, max_retries, timeout)
    try:
        source = items_of(host, task, cli_values("-T", given))
        opened = None if model is None else open_model(ROLE, model, limits)
        into = None if language is None else (original, language)
        with alone(out), Output(out, source, into) as output:
            run = Run(
                task=source.task,
                kinds=wanted,
                output=output,
                seed=source.seed,
                model=opened,
                original=original,
                language=language or "",
            )
            run.reword(source.items, connections if opened else 1)
    except (ValueError, DataError, ModelFailedError) as error:
        raise click.ClickException(str(error)) from error
    for line in _told(out, source, output, wanted, model):
        click.echo(line)
    makers = (str(row.model) for row in output.rows.values() if row.by == "model")
    mixed = other_models(out, makers, None if opened is None else str(opened))
    if mixed:
        click.echo(mixed, err=True)
    if run.failures:
        raise click.ClickException(what_failed(run.failures, "rows"))


def _kinds(
    given: str | None, language: str | None, model: str | None, original: str
) -> tuple[Kind, ...]:
    """The kinds that are made.

    Raises:
        click.UsageError: a name is unknown, or one kind lacks what it takes.
    """
    try:
        names = chosen_names("--kinds", given, KINDS)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    kinds = tuple(k for k in KINDS if k in names and (given or language or k == "paraphrase"))
    if "language" in kinds and language is None:
        raise click.UsageError("--kinds language takes --language, such as --language German")
    if "language" not in kinds and language is not None:
        raise click.UsageError("--language says nothing without language among --kinds")
    if language is not None and not language.strip():
        raise click.UsageError("--language is empty: name one, such as German")
    if language is not None and language.strip().casefold() == original.strip().casefold():
        raise click.UsageError(f"--language is the items' own, {original} (--from)")
    if "language" in kinds and model is None:
        raise click.UsageError("--kinds language takes --model: no grammar translates")
    return kinds


def _told(
    out: Path, source: Source, output: Output, kinds: tuple[Kind, ...], model: str | None
) -> Iterator[str]:
    """What the file now has of the items, a line for each kind."""
    for kind in kinds:
        found = [output.rows.get((item.id, kind)) for item in source.items]
        rows = [(item, row) for item, row in zip(source.items, found, strict=True) if row]
        refused = [(row, item) for item, row in rows if row.refusal(item)]
        checks = Counter((first_refusal(row.speaking(item)) or ("",))[0] for row, item in refused)
        why = ", ".join(f"{name or 'reviewer'} {count:,}" for name, count in checks.most_common())
        grammar = sum(row.by == "grammar" for _, row in rows)
        parts = [f"{len(rows) - len(refused):,} of {len(source.items):,} items can be asked"]
        parts += [f"{grammar:,} by the grammar"] if grammar else []
        parts += [f"{len(refused):,} refused ({why})"] if refused else []
        how = ": give --model" if model is None else ""
        lacking = len(source.items) - len(rows)
        parts += [f"{lacking:,} without a row{how}"] if lacking else []
        yield f"{out}: {kind}: {'; '.join(parts)}"
