"""`bias-tasks data`: lists the data sets, and downloads them before a run."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from bias_tasks.binary_qa.data.paper import BINARY_SOURCES
from bias_tasks.complex_eval.data.load import JUDGED_SOURCES, load_unanswered
from bias_tasks.complex_eval.items import JudgedKind
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.data.core import LICENCE, NAME, core_parts, core_rows
from bias_tasks.data.errors import DataError
from bias_tasks.data.fetch import cache_folder, cached_files, fetch_source, is_cached
from bias_tasks.data.sources import LazyTable, Source, select_sources
from bias_tasks.instruction_boundary.data.files import read_file
from bias_tasks.instruction_boundary.data.load import INSTRUCTION_BOUNDARY
from bias_tasks.instruction_boundary.items import (
    LABELS,
    NONE_OF_THE_ABOVE,
    SPARSE_LABELS,
    Item,
    is_none_of_the_above,
)
from bias_tasks.judge_bias.data.load import JUDGE_BIAS_SOURCES
from bias_tasks.output_format.data.sources import FORMAT_SOURCES
from bias_tasks.results.tables import print_rows

_TABLES = (INSTRUCTION_BOUNDARY, BINARY_SOURCES, FORMAT_SOURCES, JUDGED_SOURCES, JUDGE_BIAS_SOURCES)
SOURCES: Mapping[str, Source] = LazyTable(
    lambda: {name: source for table in _TABLES for name, source in table.items()}
)
"""The data sets of every family by name."""
_DESCRIPTION = ("family", "form", "domain", "answer_type", "labels")
"""Fields that describe a data set, some of one family only."""

_NOTE = (
    "records: rows in the source. items, published: items of a run with the protocol corrected or "
    "published. -: not known.\n* used, and downloaded, by default"
)


@click.group()
def data() -> None:
    """List the data sets and download them."""


@data.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for other tools.")
def list_sources(as_json: bool) -> None:
    """Print the description of every data set, and whether it is cached."""
    rows = describe_sources()
    if as_json:
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        _print_rows(rows)


@data.command("fetch")
@click.argument("names", nargs=-1)
@click.option(
    "--revision",
    show_default="the pinned or newest one",
    help="Commit of a data set without a pinned one, such as fld.",
)
def fetch_sources(names: tuple[str, ...], revision: str | None) -> None:
    """Download the data sets NAMES into the cache.

    Without NAMES, the data sets that are used by default: `data list` marks them with a star.
    Errors are printed at the end, one line each.
    """
    errors = []
    defaults = [source.name for source in SOURCES.values() if source.unnamed]
    for source in select_sources(names or defaults, SOURCES):
        try:
            if revision is not None and source.revision is not None:
                raise DataError(f"its revision is pinned to {source.revision}: omit --revision")
            fetch_source(replace(source, revision=revision or source.revision))
            click.echo(f"{source.name}: cached in {cache_folder()}")
        except DataError as error:
            errors.append(f"{source.name}: {error}")
    if errors:
        raise click.ClickException("\n".join(errors))


@data.command("requests")
@click.argument("family", type=click.Choice(("role_playing", "creative_writing")))
def print_requests(family: JudgedKind) -> None:
    """Print a family's requests that have no response in the data, as JSONL of {id, query}.

    The task's parameter `responses` accepts a file of rows {id, response}.
    """
    for item in load_unanswered(family):
        click.echo(json.dumps({"id": item.id, "query": item.query}))


@data.command("profile")
@click.argument("file", type=click.Path(exists=True, path_type=Path))
def profile_file(file: Path) -> None:
    """Count the gold labels of your FILE of judging or choice questions.

    Sparse labels are those that data sets rarely have (Instruction Boundary, section 2.1 and table
    5): Unknown, and several or no correct options. A correct option such as "none of the above" is
    counted apart.
    """
    items, _ = read_file(file)
    print_rows(count_labels(items))


def count_labels(items: Sequence[Item]) -> list[JsonObject]:
    """Return the number and share of the items of each gold label, also of labels without items.

    Args:
        items: Judging and choice items.

    Returns:
        Rows of `form`, `label`, `items`, `share` of the form's items, and whether it is `sparse`.
    """
    rows: list[JsonObject] = []
    for form, labels in LABELS.items():
        of_form = [item for item in items if item.form == form]
        if not of_form:
            continue
        counts = Counter(item.label for item in of_form)
        listed = list(labels)
        if form == "choice":
            counts[NONE_OF_THE_ABOVE] = sum(map(is_none_of_the_above, of_form))
            listed.append(NONE_OF_THE_ABOVE)
        for label in listed:
            row = {"form": form, "label": label, "items": counts[label]}
            sparse = "yes" if label in SPARSE_LABELS else "no"
            rows.append({**row, "share": counts[label] / len(of_form), "sparse": sparse})
    return rows


def describe_sources() -> list[JsonObject]:
    """Return the description of each data set, as plain JSON values.

    Among others, `unnamed` (whether a protocol uses it by default), `revision` (None if it is not
    resolved yet), `records` (rows in the files), `published` and `corrected` (items under each
    protocol) and `labels` (items by gold label, corrected). A number that is not known is None.
    """
    rows = {part: len(core_rows(part)) for part in core_parts()}
    core = {
        "name": "core",
        **dict.fromkeys((*_DESCRIPTION, "published", "corrected", "repository", "revision")),
        "unnamed": False,
        "description": f"{NAME}, part of the package",
        "licence": LICENCE,
        "records": sum(rows.values()),
        "issues": [", ".join(f"{n} of {part}" for part, n in rows.items())],
        "cached": True,
    }
    repeated = {"name": "synthetic", "description": f"{NAME} repeated, for simulations"}
    return [*map(_describe, SOURCES.values()), core, core | repeated]


def _describe(source: Source) -> JsonObject:
    protocols, items = ("published", "corrected"), source.items
    counts = items if isinstance(items, Mapping) else dict.fromkeys(protocols, items)
    fields = ("name", "unnamed", "description", "repository", "licence", "records")
    return {
        **{name: getattr(source, name, None) for name in (*fields, *_DESCRIPTION)},
        **counts,
        "revision": cached_files(source)[0].revision,
        "issues": list(source.issues),
        "cached": is_cached(source),
    }


def _print_rows(sources: list[JsonObject]) -> None:
    rows = [
        {
            "name": row["name"] + (" *" if row["unnamed"] else ""),
            "form, domain or answer": str(row["form"] or row["domain"] or row["answer_type"]),
            "records": row["records"],
            "items": row["corrected"],
            "published": row["published"],
            "cached": "yes" if row["cached"] else "no",
        }
        for row in sources
    ]
    lines = [_NOTE]
    for row in sources:
        lines.append(f"\n{row['name']}: {row['description']}")
        if row["repository"] is not None:
            revision = row["revision"] or "a revision that the first load resolves"
            lines.append(f"  from {row['repository']} at {revision}")
        lines.append(f"  licence: {row['licence']}")
        if row["labels"]:
            labels = (f"{label} {n}" for label, n in row["labels"].items())
            lines.append(f"  labels: {', '.join(labels)}")
        lines += [f"  - {issue}" for issue in row["issues"]]
    print_rows(rows, lines)
