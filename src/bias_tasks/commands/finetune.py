"""`bias-tasks finetune-data`: chat rows that level the formats of a run out (FormatEval)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from os.path import realpath
from pathlib import Path
from typing import Any

import click

from bias_tasks.commands.asking.ask import write_rows
from bias_tasks.commands.mitigation import FAMILY
from bias_tasks.contract.parameters import chosen_names
from bias_tasks.output_format.data.files import read_format_file
from bias_tasks.output_format.data.load import evaluated_among
from bias_tasks.output_format.formats import FORMATS, Format
from bias_tasks.output_format.items import (
    PROMPTINGS,
    FormatItem,
    FormatParams,
    format_item_from_dict,
)
from bias_tasks.output_format.metrics_groups import by_group
from bias_tasks.output_format.mitigation import training_rows
from bias_tasks.output_format.prompts import ask_format
from bias_tasks.prompts.templates import seeded
from bias_tasks.results.answers import RunAnswers
from bias_tasks.results.find import read_answers
from bias_tasks.results.run import UnusableRunError
from bias_tasks.results.tables import print_table, printing

_EXISTING = click.Path(exists=True, path_type=Path)
_ALIKE = ("prompting", "repeat", "demos", "demos_from", "protocol", "score")
"""Parameters that all tasks of a results file must have alike to be one run."""


@click.command()
@click.argument("log", type=_EXISTING)
@click.option("--data", type=_EXISTING, required=True, help="Training items; JSONL, CSV, Parquet.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="JSONL to write.")
@click.option("--total", type=click.IntRange(1), required=True, help="Rows in all.")
@click.option("--seed", default=0, show_default=True, help="Of the choice and the order.")
def finetune_data(log: Path, data: Path, out: Path, total: int, seed: int) -> None:
    """Write chat fine-tuning data that levels the formats of a run out.

    Each format gets rows in inverse proportion to its sys in LOG, a finished run of a format task.
    The rows are made of the items of --data (rows input, answer, answer_type as for data=),
    which must be a training split: an item that LOG evaluated is refused.
    """
    if realpath(out) in (realpath(log), realpath(data)):
        raise click.UsageError("--out is one of the files that are read; write to another one")
    runs = format_runs(log)
    systematic = sys_by_format(runs)
    rows = training_rows(systematic, total)
    write_rows(out, chat_rows(asked_by(runs), training_split(data, runs), rows, seed))
    told = [(name, f"{systematic[name]:.3f}", f"{count:,}") for name, count in rows.items()]
    with printing(None) as console:
        print_table(console, ("format", "sys", "rows"), {"": told}, numbers=("sys", "rows"))
    click.echo(f"{sum(rows.values()):,} rows in {out}")


def format_runs(path: Path) -> list[RunAnswers]:
    """The runs of format tasks in an Inspect log, or beside a results file of lm-eval; an
    UnusableRunError where there is none, or tasks were asked in different ways."""
    found = read_answers(path)
    runs = [each for each in found if each.run.record["family"] == FAMILY]
    if not runs:
        tasks = ", ".join(each.run.task for each in found)
        raise UnusableRunError(f"{path}: has no scored answer of a format task (it has {tasks})")
    given = [{n: each.run.record["parameters"].get(n) for n in _ALIKE} for each in runs]
    if any(each != given[0] for each in given):
        raise UnusableRunError(f"{path}: its tasks were asked in different ways: {given}")
    return runs


def asked_by(runs: Sequence[RunAnswers]) -> FormatParams:
    """How a run's questions were asked; of several promptings, the first."""
    given = runs[0].run.record["parameters"]
    first = {"prompting": chosen_names("prompting", given["prompting"], PROMPTINGS)[0]}
    return FormatParams(**{n: given[n] for n in FormatParams.__slots__ if n in given} | first)


def sys_by_format(runs: Sequence[RunAnswers]) -> dict[str, float]:
    """The mean score of a run's answers in each format, over all its data sets; paper's order."""
    scores: dict[str, list[float]] = {}
    for outcomes in by_group([outcome for run in runs for outcome in run.outcomes()]).values():
        for outcome in outcomes:
            scores.setdefault(outcome.format, []).append(outcome.score)
    return {name: sum(scores[name]) / len(scores[name]) for name in FORMATS if name in scores}


def training_split(path: Path, runs: Sequence[RunAnswers]) -> list[FormatItem]:
    """The items of a training file; an UnusableRunError where the run evaluated some of them, by
    their id or by their input without regard to capitals and blanks."""
    items, _ = read_format_file(path)
    asked = {a.outcome.item: a.facts["question"]["item"] for run in runs for a in run.answers}
    if shared := evaluated_among(items, map(format_item_from_dict, asked.values())):
        told = f"holds items that {runs[0].run.path} evaluated: {shared}; take them out of it"
        raise UnusableRunError(f"{path} {told}")
    return items


def chat_rows(
    params: FormatParams, items: Sequence[FormatItem], rows: Mapping[str, int], seed: int
) -> list[dict[str, Any]]:
    """Fine-tuning rows in random order, each an item as the run would ask it and its answer:
    `{"messages": [{"role": ..., "content": ...}, ...]}`; `rows` says how many each format gets.

    An item stands in a format at most once. Behind a chain of thought the answer is the final one
    alone: there is no reasoning to show. An UnusableRunError where a format can hold too few.
    """
    made: list[dict[str, Any]] = []
    for name, count in rows.items():
        mixed = list(items)
        seeded(seed, "finetune", name).shuffle(mixed)
        found = list(islice(_rows_in(FORMATS[name], mixed, params), count))
        if len(found) < count:
            raise UnusableRunError(
                f"{name} gets {count:,} rows, but there are {len(found):,} training items whose "
                "answer it can hold: give more items or a lower --total"
            )
        made += found
    seeded(seed, "finetune", "order").shuffle(made)
    return made


def _rows_in(
    fmt: Format, items: Iterable[FormatItem], params: FormatParams
) -> Iterator[dict[str, Any]]:
    for item in items:
        try:
            answer = fmt.render(item.answer, item, params.prompting) if fmt.holds(item) else None
        except ValueError:  # such as a phrase with the format's separator in it
            continue
        if answer is not None:
            asked = {"role": "user", "content": ask_format(item, fmt, params)}
            yield {"messages": [asked, {"role": "assistant", "content": answer}]}
