"""Measure `parse_answer` and the extractors of other projects on recorded answers.

    python -m benchmarks.studies.parsing_study [PATH ...] [--write] [--without PIECE]

A PATH is a file of further recorded answers with the same fields (`form`, `text`, `gold`, `source`,
...), or a folder of such files; the default is the folder that `BIAS_TASKS_ANSWERS` names. Further
answers are measured and not stored. Answers that several files have count once.

Precision is the share of parsed answers that are parsed right, recall the share of answers that say
something and are parsed right. `wrong` counts answers that say another value, `invented` answers
that say nothing. `--write` writes the tables of docs/parsing.md and docs/reference/parsing.md;
without it, they are printed. `--without` shows what a piece of the parser changes.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

import click

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.studies.answer_extractors import EXTRACTORS, applies  # noqa: E402
from tests.bias_tasks.parsing.recorded import (  # noqa: E402
    FILES,
    WRITTEN,
    RecordedAnswer,
    count_outcomes,
    precision,
    read_answers,
    recall,
)

PARSER = "parser"
COLUMNS = (PARSER, *EXTRACTORS)
"""Names of all extractors."""
PAGES = {
    "forms": ROOT / "docs" / "parsing.md",
    "sets": ROOT / "docs" / "parsing.md",
    "sources": ROOT / "docs" / "reference" / "parsing.md",
}
"""The page of each block."""
SETS = {
    "recorded": "public repositories",
    "recorded_own_prompts": "this package's prompts",
    "own_prompts": "this package's prompts",
    "more": "more public sources",
    "unseen": "other formats and languages",
    "written_sets": WRITTEN,
}
"""The set of each file. The parser's rules were developed on these sets, except for `NOT_TUNED`."""
NOT_TUNED: set[str] = set()
"""Sets of `SETS` on which no rule was developed."""
SOURCES = {
    "real models asked the product's prompts": "this package's prompts, real models",
    "a strong chat model asked the package's prompts": "this package's prompts, chat model",
}
"""Names of sources in the tables, where they differ from those in the files."""
NO_STATED_VALUE = {"MathVista/no letter"}
"""Sources whose answers count as saying nothing by construction, although some name an option."""

Counts = dict[tuple[str, ...], dict[str, Counter[str]]]
"""Outcomes by extractor, for each group of answers."""
Piece = Callable[[], AbstractContextManager[None]]
PIECES: dict[str, Piece] = {}
"""Groups of sibling patterns of the parser by name; within the context they never match."""


class Measured(NamedTuple):
    """An answer, its set, and the values that the extractors made for it find."""

    set_name: str
    answer: RecordedAnswer
    values: dict[str, Any]

    @property
    def source(self) -> str:
        """Name of the source."""
        return SOURCES.get(self.answer.source, self.answer.source)

    @property
    def form(self) -> str:
        """Name of the form, with the labels of options."""
        labels = self.answer.arguments.get("option_labels")
        form = f"{self.answer.form}, {labels}" if labels else self.answer.form
        return form.replace("choice", "sets") if self.answer.source == WRITTEN else form


def read_sets(paths: Sequence[Path]) -> list[tuple[str, RecordedAnswer]]:
    """Return the answers of the tests and of further files, with the names of their sets."""
    folder = ROOT / "tests" / "bias_tasks" / "parsing"
    files = [folder / f"{name}.jsonl" for name in FILES]
    for path in paths:
        files += sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    answers: dict[Any, tuple[str, RecordedAnswer]] = {}
    for path in files:
        for number, answer in _numbered(read_answers(path)):
            if answer.source not in NO_STATED_VALUE:
                key = (answer.id, answer.text, answer.form, number)
                answers.setdefault(key, (SETS.get(path.stem, path.stem), answer))
    return list(answers.values())


def measure(answers: Sequence[tuple[str, RecordedAnswer]]) -> list[Measured]:
    """Apply `parse_answer` and the other extractors."""
    rows = [Measured(name, answer, {PARSER: answer.parse()}) for name, answer in answers]
    for name, (extract, _) in EXTRACTORS.items():
        suitable = [row for row in rows if applies(name, row.answer)]
        values = extract([row.answer for row in suitable])
        for row, value in zip(suitable, values, strict=True):
            row.values[name] = value
    return rows


def group(rows: Sequence[Measured], key: Callable[[Measured], tuple[str, ...]]) -> Counts:
    """Count outcomes by group, sorted, and by extractor."""
    groups: defaultdict[tuple[str, ...], list[Measured]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return {
        name: {
            extractor: count_outcomes(
                [row.answer for row in members], [row.values[extractor] for row in members]
            )
            for extractor in COLUMNS
            if all(extractor in row.values for row in members)
        }
        for name, members in sorted(groups.items())
    }


def form_table(rows: Sequence[Measured]) -> str:
    """Return precision and recall per form, of the parser and of the other extractors."""
    lines = [
        [name, _number(counts[PARSER].total()), *(_rates(counts.get(key)) for key in COLUMNS)]
        for (name,), counts in group(rows, lambda row: (row.form,)).items()
    ]
    return _table(["form", "answers", *COLUMNS], lines)


def set_table(rows: Sequence[Measured]) -> str:
    """Return the outcomes of the parser per set."""
    lines = [
        set_line(name, counts[PARSER])
        for (name,), counts in group(rows, lambda row: (row.set_name,)).items()
    ]
    return _table(["source", "answers", "precision / recall", "wrong", "invented"], lines)


def set_line(name: str, counts: Counter[str]) -> list[str]:
    """Return the cells of a set."""
    errors = [str(counts[key]) for key in ("wrong", "invented")]
    return [name, _number(counts.total()), _rates(counts), *errors]


def source_table(rows: Sequence[Measured]) -> str:
    """Return the outcomes of the parser per form and source, and right and wrong of the others."""
    lines = []
    groups = group(rows, lambda row: (row.form, row.source, _developed(row.set_name)))
    for (form, source, developed), counts in groups.items():
        own = counts[PARSER]
        outcomes = [f"{own[key]:,}" for key in ("right", "unparsed", "wrong", "invented")]
        others = [_right_wrong(counts.get(name)) for name in EXTRACTORS]
        lines.append([form, source, developed, *outcomes, *others])
    head = ["form", "source", "developed on", "right", "unparsed", "wrong", "invented"]
    return _table([*head, *EXTRACTORS], lines, n_text=3)


def piece_table(answers: Sequence[tuple[str, RecordedAnswer]], pieces: Mapping[str, Piece]) -> str:
    """Return what removing each piece changes: outcomes, and sources that lose right answers."""
    recorded = [answer for _, answer in answers]
    before = [answer.parse() for answer in recorded]
    counts = count_outcomes(recorded, before)
    lines = []
    for name, piece in pieces.items():
        with piece():
            values = [answer.parse() for answer in recorded]
        changed = count_outcomes(recorded, values)
        triples = zip(recorded, before, values, strict=True)
        losing = {answer.source for answer, a, b in triples if a == answer.says != b}
        differences = [f"{changed[key] - counts[key]:+d}" for key in ("right", "wrong", "invented")]
        lines.append([f"`{name}`", *differences, str(len(losing))])
    return _table(["without", "right", "wrong", "invented", "sources that lose"], lines)


@contextmanager
def disabled(owner: Any, *names: str) -> Iterator[None]:
    """Replace patterns, attributes of a module or class of the parser, by one that never matches.

    Caches of the parser are cleared before and after.
    """
    patterns = {name: getattr(owner, name) for name in names}
    try:
        for name in names:
            setattr(owner, name, re.compile("(?!)"))
        _clear_caches()
        yield
    finally:
        for name, pattern in patterns.items():
            setattr(owner, name, pattern)
        _clear_caches()


def _clear_caches() -> None:
    for name, module in list(sys.modules.items()):
        if name.startswith("bias_tasks.parsing"):
            for value in vars(module).values():
                getattr(value, "cache_clear", lambda: None)()


def _numbered(answers: Sequence[RecordedAnswer]) -> Iterator[tuple[int, RecordedAnswer]]:
    """Yield each answer with the number of earlier ones of its file that have its id and text."""
    seen: Counter[tuple[str, str]] = Counter()
    for answer in answers:
        yield seen[answer.id, answer.text], answer
        seen[answer.id, answer.text] += 1


def _developed(set_name: str) -> str:
    """Return whether the parser's rules were developed on a set."""
    return "yes" if set_name in SETS.values() and set_name not in NOT_TUNED else "no"


def _number(count: int) -> str:
    return f"{count:,}"


def _rates(counts: Counter[str] | None) -> str:
    """Return precision and recall in percent."""
    return "" if counts is None else f"{_percent(precision(counts))} / {_percent(recall(counts))}"


def _percent(share: float) -> str:
    """Return a share in percent, rounded to 100 only if it is; - for nan."""
    if isnan(share):
        return "-"
    if share == 1:
        return "100"
    return f"{100 * share:.1f}" if share < 0.9995 else f"{min(100 * share, 99.99):.2f}"


def _right_wrong(counts: Counter[str] | None) -> str:
    """Return the numbers of right and of wrong or invented values."""
    if counts is None:
        return ""
    return f"{counts['right']:,} / {counts['wrong'] + counts['invented']:,}"


def _table(head: Sequence[str], lines: Sequence[Sequence[str]], n_text: int = 1) -> str:
    """Return a Markdown table whose first `n_text` columns are text."""
    rule = ["---"] * n_text + ["---:"] * (len(head) - n_text)
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *lines))
    return re.sub(r"\|  (?=\|)", "| ", table)


def write_block(name: str, block: str) -> None:
    """Write a block of a page anew."""
    page = PAGES[name].read_text(encoding="utf-8")
    pattern = re.compile(rf"<!-- {name} -->\n.*?<!-- end -->", re.DOTALL)
    if len(pattern.findall(page)) != 1:
        raise click.ClickException(f"{PAGES[name]}: expected one block <!-- {name} -->")
    text = f"<!-- {name} -->\n{block}\n<!-- end -->"
    PAGES[name].write_text(pattern.sub(lambda _: text, page), encoding="utf-8")


@click.command(help=(__doc__ or "").partition("\n")[0])
@click.argument(
    "paths",
    nargs=-1,
    type=click.Path(exists=True, path_type=Path),
    envvar="BIAS_TASKS_ANSWERS",
)
@click.option("--write", is_flag=True, help="Write the tables of the pages.")
@click.option("--without", multiple=True, type=click.Choice([*PIECES]), help="Disable a piece.")
def main(paths: tuple[Path, ...], write: bool, without: tuple[str, ...]) -> None:
    """Measure, and print or write the tables."""
    answers = read_sets(paths)
    if without:
        click.echo(piece_table(answers, {name: PIECES[name] for name in without}))
        return
    rows = measure(answers)
    tables = {"forms": form_table, "sets": set_table, "sources": source_table}
    for name, build in tables.items():
        block = build(rows)
        click.echo(f"\n{block}")
        if write:
            write_block(name, block)


if __name__ == "__main__":
    main()
