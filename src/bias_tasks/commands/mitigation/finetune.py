"""Chat rows for fine-tuning that level the formats out (FormatEval, section 6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from bias_tasks.commands.mitigation.runs import FormatRun
from bias_tasks.data.files import real_path
from bias_tasks.output_format.data.files import read_format_file
from bias_tasks.output_format.data.load import evaluated_among
from bias_tasks.output_format.formats import FORMATS, Format
from bias_tasks.output_format.formats.reading import render
from bias_tasks.output_format.items import FormatItem
from bias_tasks.output_format.mitigation import counts, finetune_shares
from bias_tasks.output_format.prompts import ask_format
from bias_tasks.prompts.templates import seeded
from bias_tasks.results.run import UnusableRunError

ChatRow = dict[str, list[dict[str, str]]]
"""`{"messages": [{"role": ..., "content": ...}, ...]}`."""


def sys_by_format(run: FormatRun) -> dict[str, float]:
    """The mean score of a run's answers in each format, over all its data sets; paper's order."""
    scores: dict[str, list[float]] = {}
    for outcomes in run.outcomes().values():
        for outcome in outcomes:
            scores.setdefault(outcome.format, []).append(outcome.score)
    return {name: sum(scores[name]) / len(scores[name]) for name in FORMATS if name in scores}


def rows_per_format(run: FormatRun, total: int) -> dict[str, int]:
    """How many of `total` rows each of the run's formats gets."""
    return counts(finetune_shares(sys_by_format(run)), total)


def training_split(path: Path, run: FormatRun) -> list[FormatItem]:
    """The items of a training file, none of which the run evaluated.

    Raises:
        DataError: the file can't be read or has wrong rows.
        UnusableRunError: it is a file that the run evaluated, or holds items of it, by their id or
            by their input without regard to capitals and blanks.
    """
    items, sha256 = read_format_file(path)
    if any(_is_source(path, sha256, source) for source in run.provenance):
        raise UnusableRunError(
            f"{path} is the file that {run.path} evaluated: train on items that are not evaluated"
        )
    if shared := evaluated_among(items, run.items().values()):
        raise UnusableRunError(
            f"{path} holds items that {run.path} evaluated: {shared}; take them out of it"
        )
    return items


def _is_source(path: Path, sha256: str, source: Mapping[str, Any]) -> bool:
    if source.get("source") != "file":
        return False
    return source["sha256"] == sha256 or real_path(Path(source["path"])) == real_path(path)


def chat_rows(
    run: FormatRun, items: Sequence[FormatItem], rows: Mapping[str, int], seed: int
) -> list[ChatRow]:
    """Fine-tuning rows in random order, each an item as the run would ask it and its answer.

    An item stands in a format at most once. Behind a chain of thought the answer is the final one
    alone: there is no reasoning to show.

    `rows` says how many each format gets; the seed is that of the choice of items and of the order.

    Raises:
        UnusableRunError: there are too few items whose answer a format can hold.
    """
    made: list[ChatRow] = []
    for name, count in rows.items():
        mixed = list(items)
        seeded(seed, "finetune", name).shuffle(mixed)
        found = list(islice(_rows_in(FORMATS[name], mixed, run), count))
        if len(found) < count:
            raise UnusableRunError(
                f"{name} gets {count:,} rows, but there are {len(found):,} training items whose "
                "answer it can hold: give more items or a lower --total"
            )
        made += found
    seeded(seed, "finetune", "order").shuffle(made)
    return made


def _rows_in(fmt: Format, items: Iterable[FormatItem], run: FormatRun) -> Iterator[ChatRow]:
    params = run.params
    for item in items:
        if not fmt.holds(item):
            continue
        try:
            answer = render(fmt, item.answer, item, params.prompting)
        except ValueError:  # such as a phrase with the format's separator in it
            continue
        prompt = ask_format(
            item, fmt, prompting=params.prompting, repeat=params.repeat, protocol=params.protocol
        )
        said = {"user": prompt, "assistant": answer}
        yield {"messages": [{"role": role, "content": text} for role, text in said.items()]}
