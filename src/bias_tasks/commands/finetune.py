"""`bias-tasks finetune-data`: fine-tuning rows that reduce the bias to formats (FormatEval)."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, islice, pairwise
from os.path import realpath
from pathlib import Path
from typing import cast

import click

from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.parameters import select_names
from bias_tasks.data.files import write_jsonl
from bias_tasks.messages import format_count
from bias_tasks.output_format.data.files import load_items_from_file
from bias_tasks.output_format.data.load import list_evaluated
from bias_tasks.output_format.formats import FORMATS, OutputFormat
from bias_tasks.output_format.items import PROMPTINGS, FormatItem, FormatParams
from bias_tasks.output_format.metrics_groups import group_outcomes
from bias_tasks.output_format.prompts import render_prompt
from bias_tasks.output_format.scoring_data import FormatData
from bias_tasks.randomness import seeded_random
from bias_tasks.results.answers import RunAnswers
from bias_tasks.results.find import read_answers
from bias_tasks.results.run import UnusableRunError
from bias_tasks.results.tables import print_rows

_FAMILY = "output_format"
_EXISTING = click.Path(exists=True, path_type=Path)
_PROMPT_PARAMETERS = (
    "prompting",
    "repeat",
    "demos",
    "demos_from",
    "protocol",
    "variant",
    "score",
)
"""Parameters that must be equal in all tasks of a results file."""


@click.command()
@click.argument("log", type=_EXISTING)
@click.option(
    "--data", type=_EXISTING, required=True, help="File of training items: JSONL, CSV or Parquet."
)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="JSONL file to write.")
@click.option("--total", type=click.IntRange(1), required=True, help="Total number of rows.")
@click.option(
    "--validation",
    type=click.IntRange(1),
    show_default="no such rows",
    help="Number of rows to write of other items, in the same proportions.",
)
@click.option("--seed", default=0, help="Seed of the selection and order of items.")
def finetune_data(
    log: Path, data: Path, out: Path, total: int, validation: int | None, seed: int
) -> None:
    """Write chat fine-tuning data that reduces the bias to formats.

    LOG is a finished run of a format task. The number of rows per format is in inverse proportion
    to its sys in LOG. The rows come from the items of --data, which has the columns input, answer
    and answer_type, as for data=. It must be a training split: items that LOG evaluated are
    rejected. Rows for validation are in a second file, whose name ends in -validation.
    """
    sizes = {out: total}
    if validation is not None:
        sizes[out.with_stem(f"{out.stem}-validation")] = validation
    if {realpath(log), realpath(data)} & {realpath(path) for path in sizes}:
        raise click.UsageError("--out is also an input file; write to another file")
    runs = load_format_runs(log)
    sys_by_format = compute_sys(runs)
    parts = split_items(load_training_split(data, runs), list(sizes.values()), seed)
    numbers = {path: allocate_training_rows(sys_by_format, size) for path, size in sizes.items()}
    files = {
        path: build_chat_rows(find_params(runs), part, n_rows, seed)
        for (path, n_rows), part in zip(numbers.items(), parts, strict=True)
    }
    for path, rows in files.items():
        write_jsonl(path, rows)
        click.echo(f"{format_count(len(rows), 'row')} in {path}")
    names = ("rows", "validation")
    print_rows(
        [
            {"format": name, "sys": value}
            | {column: n[name] for column, n in zip(names, numbers.values(), strict=False)}
            for name, value in sys_by_format.items()
        ]
    )


def load_format_runs(path: Path) -> list[RunAnswers]:
    """Return the runs of format tasks in an Inspect log, or of a results file of lm-eval.

    Raises:
        UnusableRunError: There is none, or the prompts of its tasks have different parameters.
    """
    all_runs = read_answers(path)
    runs = [answers for answers in all_runs if answers.run.record.family == _FAMILY]
    if not runs:
        tasks = ", ".join(answers.run.task for answers in all_runs)
        raise UnusableRunError(f"{path}: answers only of {tasks}; give a run of a format task")
    parameters = [
        {name: answers.run.record.parameters.get(name) for name in _PROMPT_PARAMETERS}
        for answers in runs
    ]
    if any(values != parameters[0] for values in parameters):
        raise UnusableRunError(
            f"{path}: its tasks have different parameters, so give the log of one task: "
            f"{parameters}"
        )
    return runs


def find_params(runs: Sequence[RunAnswers]) -> FormatParams:
    """Return the parameters of the runs' prompts, with the first prompting if there are several."""
    recorded = runs[0].run.record.parameters
    values = {name: recorded[name] for name in FormatParams.__slots__ if name in recorded}
    prompting = select_names("prompting", recorded["prompting"], PROMPTINGS)[0]
    return FormatParams(**values | {"prompting": prompting})


def compute_sys(runs: Sequence[RunAnswers]) -> dict[str, float]:
    """Return the mean score of the answers in each format, in the order of `FORMATS`.

    Args:
        runs: The tasks of one results file, whose data sets are pooled.
    """
    scores: dict[str, list[float]] = {}
    groups = group_outcomes([outcome for run in runs for outcome in run.outcomes()])
    for outcomes in groups.values():
        for outcome in outcomes:
            scores.setdefault(outcome.format, []).append(outcome.score)
    return {name: sum(scores[name]) / len(scores[name]) for name in FORMATS if name in scores}


def allocate_training_rows(
    sys_by_format: Mapping[str, float], total: int, floor: float = 0.1
) -> dict[str, int]:
    """Return the number of training rows per format, in inverse proportion to its Sys (section 6).

    The paper rounds the ratios. Here the numbers of rows sum to the total, by largest remainder.

    Args:
        sys_by_format: Sys of each format, from 0 to 1.
        total: Number of rows in all.
        floor: Smallest Sys that is used: a format with a Sys of 0 would get every row.
    """
    inverse = {name: 1 / max(value, floor) for name, value in sys_by_format.items()}
    exact = {name: value / math.fsum(inverse.values()) * total for name, value in inverse.items()}
    rows = {name: math.floor(value) for name, value in exact.items()}
    by_remainder = sorted(exact, key=lambda name: rows[name] - exact[name])
    for name in by_remainder[: total - sum(rows.values())]:
        rows[name] += 1
    return rows


def load_training_split(path: Path, runs: Sequence[RunAnswers]) -> list[FormatItem]:
    """Return the items of a training file.

    Raises:
        UnusableRunError: A run evaluated some of the items, by their id or their input, ignoring
            case and blanks.
    """
    items, _ = load_items_from_file(path)
    by_id = {
        answer.outcome.item: cast(FormatData, answer.scoring_data)
        for run in runs
        for answer in run.answers
    }
    evaluated = [data.to_item() for data in by_id.values()]
    if shared := list_evaluated(items, evaluated):
        raise UnusableRunError(
            f"{path} contains items that {runs[0].run.path} evaluated: {shared}; take them out of "
            "the file"
        )
    return items


def split_items(
    items: Sequence[FormatItem], sizes: Sequence[int], seed: int
) -> list[list[FormatItem]]:
    """Return the items in random parts that are in proportion to sizes (appendix D.2).

    Args:
        items: The training items.
        sizes: Number of rows to be made of each part.
        seed: Seed of the order of items.
    """
    shuffled = list(items)
    if len(sizes) > 1:
        seeded_random(seed, "finetune", "split").shuffle(shuffled)
    ends = [round(len(items) * end / sum(sizes)) for end in accumulate(sizes, initial=0)]
    return [shuffled[start:end] for start, end in pairwise(ends)]


def build_chat_rows(
    params: FormatParams, items: Sequence[FormatItem], n_rows: Mapping[str, int], seed: int
) -> list[JsonObject]:
    """Return fine-tuning rows in random order.

    Each row has the prompt of an item in a format, as in the run, and the correct answer in the
    format. An item has at most one row per format. Answers to prompts with a chain of thought have
    no reasoning, because items have none.

    Args:
        params: The parameters of the prompts.
        items: The training items.
        n_rows: Number of rows per format.
        seed: Seed of the selection and order of items.

    Raises:
        UnusableRunError: A format supports too few of the items.
    """
    rows: list[JsonObject] = []
    for name, n in n_rows.items():
        shuffled = list(items)
        seeded_random(seed, "finetune", name).shuffle(shuffled)
        format_rows = list(islice(_generate_rows(FORMATS[name], shuffled, params), n))
        if len(format_rows) < n:
            raise UnusableRunError(
                f"{name} needs {n:,} rows, but supports only {len(format_rows):,} training items: "
                "give more items or a lower --total"
            )
        rows += format_rows
    seeded_random(seed, "finetune", "order").shuffle(rows)
    return rows


def _generate_rows(
    fmt: OutputFormat, items: Iterable[FormatItem], params: FormatParams
) -> Iterator[JsonObject]:
    """Yield one row per item whose answer the format can express."""
    for item in items:
        if not fmt.supports(item):
            continue
        try:
            answer = fmt.render(item.answer, item, params.prompting)
        except ValueError:  # for example, a phrase contains the format's separator
            continue
        prompt = {"role": "user", "content": render_prompt(item, fmt, params)}
        yield {"messages": [prompt, {"role": "assistant", "content": answer}]}
