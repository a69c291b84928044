"""`bias-tasks data`: what the data sets are, and fetching them ahead of a run."""

import json
from collections.abc import Mapping
from typing import Any

import click

from bias_tasks.binary_qa.data.paper import BINARY_SOURCES
from bias_tasks.complex_eval.data.load import JUDGED_SOURCES, open_requests
from bias_tasks.complex_eval.items import JudgedKind
from bias_tasks.data.core import LICENCE, NAME, core_parts, core_rows
from bias_tasks.data.errors import DataError
from bias_tasks.data.fetch import cache_folder, cached_files, fetch_source, is_cached
from bias_tasks.data.sources import LazyTable, Source, named
from bias_tasks.instruction_boundary.data.load import INSTRUCTION_BOUNDARY
from bias_tasks.judging.data.load import JUDGING_SOURCES
from bias_tasks.output_format.data.sources import FORMAT_SOURCES
from bias_tasks.results.tables import paragraph, print_table, printing

_TABLES = (INSTRUCTION_BOUNDARY, BINARY_SOURCES, FORMAT_SOURCES, JUDGED_SOURCES, JUDGING_SOURCES)
SOURCES: Mapping[str, Source] = LazyTable(
    lambda: {name: source for table in _TABLES for name, source in table.items()}
)
"""The data sets of every family, by their names."""
_ABOUT = ("family", "form", "domain", "answer_type", "labels")
"""What a family tells of its data sets, some of it alone."""

_COUNTS = ("records", "corrected", "published")
_COLUMNS = ("name", "form, domain or answer", "records", "items", "published", "cached")
_TOLD = (
    "records: rows in the source. items: those that are asked, and those that the protocol "
    "published asks. -: never checked.\n* runs, and is fetched, without being named"
)


@click.group()
def data() -> None:
    """The data sets: their facts, and fetching them."""


@data.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for other tools.")
def list_sources(as_json: bool) -> None:
    """Print what is known about every data set, and whether it is cached."""
    facts = catalogue()
    if as_json:
        click.echo(json.dumps(facts, indent=2, ensure_ascii=False))
    else:
        _print_facts(facts)


@data.command("fetch")
@click.argument("names", nargs=-1)
def fetch_sources(names: tuple[str, ...]) -> None:
    """Fetch the data sets NAMES into the cache.

    Without any, those that run without being named: `data list` marks them with a star. Every data
    set is tried; the errors are printed at the end, one line each.
    """
    errors = []
    for source in named(names or [each.name for each in SOURCES.values() if each.unnamed], SOURCES):
        try:
            fetch_source(source)
            click.echo(f"{source.name}: cached in {cache_folder()}")
        except DataError as error:
            errors.append(f"{source.name}: {error}")
    if errors:
        raise click.ClickException("\n".join(errors))


@data.command("requests")
@click.argument("family", type=click.Choice(("role_playing", "creative_writing")))
def print_requests(family: JudgedKind) -> None:
    """Print what FAMILY's data sets ask for and have no response to, as JSONL of {id, query}.

    A file of rows {id, response} with a model's responses is what responses= takes.
    """
    for item in open_requests(family):
        click.echo(json.dumps({"id": item.id, "query": item.query}))


def catalogue() -> list[dict[str, Any]]:
    """The facts of each data set, as plain JSON values.

    Among them `unnamed` (whether it runs under one protocol at least, and is fetched, without being
    named), `revision` (None if not resolved yet), `records` (rows in the files), `published` and
    `corrected` (items under each protocol), `labels` (items of each gold label, corrected). A
    figure that was never checked is None.
    """
    rows = {part: len(core_rows(part)) for part in core_parts()}
    core = {
        "name": "core",
        **dict.fromkeys((*_ABOUT, "published", "corrected", "repository", "revision")),
        "unnamed": False,
        "description": f"{NAME}, which the package brings",
        "licence": LICENCE,
        "records": sum(rows.values()),
        "issues": [", ".join(f"{n} of {part}" for part, n in rows.items())],
        "cached": True,
    }
    repeated = {"name": "synthetic", "description": f"{NAME} over and over, for simulations"}
    return [*map(_facts, SOURCES.values()), core, core | repeated]


def _facts(source: Source) -> dict[str, Any]:
    protocols, items = ("published", "corrected"), source.items
    counts = items if isinstance(items, Mapping) else dict.fromkeys(protocols, items)
    own = ("name", "unnamed", "description", "repository", "licence", "records")
    return {
        **{name: getattr(source, name, None) for name in (*own, *_ABOUT)},
        **counts,
        "revision": cached_files(source)[0].revision,
        "issues": list(source.issues),
        "cached": is_cached(source),
    }


def _print_facts(facts: list[dict[str, Any]]) -> None:
    rows = [
        (
            row["name"] + (" *" if row["unnamed"] else ""),
            row["form"] or row["domain"] or row["answer_type"],
            *("-" if row[name] is None else f"{row[name]:,}" for name in _COUNTS),
            "yes" if row["cached"] else "no",
        )
        for row in facts
    ]
    with printing(None) as console:
        print_table(console, _COLUMNS, {"": rows}, numbers=_COLUMNS[2:5])
        paragraph(console, _TOLD)
        for row in facts:
            lines = [f"\n{row['name']}: {row['description']}"]
            if row["repository"] is not None:
                revision = row["revision"] or "a revision that the first load resolves"
                lines.append(f"  from {row['repository']} at {revision}")
            lines.append(f"  licence: {row['licence']}")
            if row["labels"]:
                labels = (f"{label} {n}" for label, n in row["labels"].items())
                lines.append(f"  labels: {', '.join(labels)}")
            paragraph(console, "\n".join([*lines, *(f"  - {issue}" for issue in row["issues"])]))
