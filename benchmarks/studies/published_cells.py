"""Do the published outputs give the printed cells?

Scores the outputs that FormatEval's authors published under both protocols and writes
docs/reference/published.md: printed, ours, and why they differ.

    BIAS_TASKS_DATA=FOLDER BIAS_TASKS_GOLDEN=FOLDER python -m benchmarks.studies.published_cells

The first folder is laid out as the data cache, the second holds the printed tables.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from textwrap import fill
from typing import Any

import yaml

from benchmarks.studies.published_csv import Columns, read_wide
from bias_tasks.output_format.data.files import parse_row
from bias_tasks.output_format.formats import FORMATS, ParsedFormat
from bias_tasks.output_format.items import AnswerType, FormatItem, FormatParams, Prompting
from bias_tasks.output_format.metrics import (
    FormatOutcome,
    MetricOptions,
    compute_format_metrics,
)
from bias_tasks.output_format.plan import FormatQuestion
from bias_tasks.output_format.scores import score_parsed
from bias_tasks.protocols import PROTOCOLS, PaperProtocol

OUT = Path(__file__).parents[2] / "docs" / "reference" / "published.md"
FOLDER = "WING-NUS/FormatEval/*/src/output"
WHICH: tuple[str, PaperProtocol, PaperProtocol] = ("printed", "published", "corrected")
METRICS = {"fi": "FI", "sys": "Systematic", "est_true": "EstTrue"}
TOLERANCE = 0.06
"""In points."""
_LISTS = {"python": "python", "bullet": "bullet", "sep": "special", "newline": "newline"}
"""The names of lists in the headers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outputs:
    """One file of published outputs, and the printed cells that belong to it."""

    file: str
    task: str
    model: str
    """What its name in the printed table begins with."""
    prompting: Prompting
    answer_type: AnswerType
    before: int | None = None
    """Printed cells that came out under the rules of version 0.17."""
    table_18: str | None = None
    """Its row of table 18, if its cells are there."""
    differs: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Why a cell does not come out, by format and printed figure."""
    remark: str = ""
    """What all of its formats have in common."""

    @property
    def category(self) -> str:
        """The category of its formats."""
        names = {"binary_list": "list", "string_list": "list", "mapping": "mapping"}
        return names.get(self.answer_type, "wrapping")

    @property
    def columns(self) -> Columns:
        """Its columns; of wrapped answers the last fourteen, every other one extracted."""
        if self.category == "mapping":
            return Columns(
                outputs={"json": "python_output", "yaml": "yaml_output"}, answer="answer"
            )
        if self.category == "list":
            prefix = self.prompting.removeprefix("zs_")
            outputs = {name: f"{prefix}_{column}_answer" for name, column in _LISTS.items()}
            if self.answer_type == "binary_list":
                return Columns(outputs=outputs, relevant="positive", others="negative")
            return Columns(outputs=outputs, answer="keyphrases")
        names = [name for name, fmt in FORMATS.items() if fmt.category == "wrapping"]
        answer = "correct_key" if self.answer_type == "option_letter" else "#3"
        outputs = {name: f"#{2 * i - 14}" for i, name in enumerate(names)}
        return Columns(outputs=outputs, answer=answer)

    def printed_name(self, name: str) -> str:
        """The name of a format in the printed table: bullet and `<SEP>` are swapped in one."""
        swapped = {"sep": "bullet", "bullet": "special_character"}
        if self.answer_type == "string_list":
            return swapped.get(name, name)
        return "special_character" if name == "sep" else name


_LISTED = Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
FILES = [Outputs(**row) for row in yaml.safe_load(_LISTED)["files"]]


@dataclass(frozen=True, slots=True)
class Cell:
    """One metric of one format, in percent."""

    metric: str
    format: str
    printed: float
    ours: Mapping[PaperProtocol, float]

    def differs(self) -> bool:
        """Whether the published protocol does not give what is printed."""
        published = self.ours["published"]
        if math.isnan(published):  # no answer follows: the tables print 0
            return self.printed != 0
        return abs(published - self.printed) > TOLERANCE


@dataclass(frozen=True, slots=True)
class Result:
    """The cells of a file, and per format why the protocols differ."""

    outputs: Outputs
    cells: Sequence[Cell]
    why: Mapping[str, str]
    n_phrases: int
    """Answers that fill the placeholder by its phrase; an option's letter follows by its braces."""

    def count(self) -> int:
        """The number of printed cells that come out."""
        return sum(not cell.differs() for cell in self.cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    data, golden = (Path(os.environ[f"BIAS_TASKS_{name}"]) for name in ("DATA", "GOLDEN"))
    args.out.write_text(page(results(data, golden)), encoding="utf-8")


def results(data: Path, golden: Path) -> list[Result]:
    """Score the files that are in the folder."""
    printed = {
        name: json.loads((golden / f"output_format_{name}.json").read_text(encoding="utf-8"))
        for name in ("tables", "bias")
    }
    present = [outputs for outputs in FILES if find_file(outputs, data) is not None]
    return [score_file(outputs, data, printed) for outputs in present]


def find_file(outputs: Outputs, data: Path) -> Path | None:
    """The file in the folder; None if it is not there."""
    return next(data.glob(f"{FOLDER}/{outputs.file}"), None)


def page(scored: Sequence[Result]) -> str:
    """The whole page as Markdown."""
    missing = {outputs.file for outputs in FILES} - {result.outputs.file for result in scored}
    return PAGE.format(
        summary=table(("file", "cells", "version 0.17", "now"), summary(scored)),
        missing=fill(", ".join(f"`{name}`" for name in sorted(missing)), 100),
        differing=table(("outputs", "format", "metric", "why"), differing(scored)),
        rules=table(("in the answer", "corrected", "published"), RULES),
        sections="\n\n".join(map(section, scored)),
    )


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def summary(scored: Sequence[Result]) -> list[tuple[object, ...]]:
    """How many printed cells come out, by file and in all."""
    rows: list[tuple[object, ...]] = [
        (f"`{r.outputs.file}`", len(r.cells), r.outputs.before or "", r.count()) for r in scored
    ]
    before = sum(result.outputs.before or 0 for result in scored)
    totals = sum(len(result.cells) for result in scored), before, sum(r.count() for r in scored)
    return [*rows, ("all", *totals)]


def differing(scored: Sequence[Result]) -> Iterator[tuple[object, ...]]:
    """The cells that do not come out, and why."""
    for result in scored:
        for cell in result.cells:
            if cell.differs():
                figure = METRICS[cell.metric]
                why = result.outputs.differs.get(cell.format, {}).get(figure, "**not explained**")
                title = (
                    f"{result.outputs.task}, {result.outputs.model}, `{result.outputs.prompting}`"
                )
                yield (title, cell.format, figure, why)


def printed_value(outputs: Outputs, printed: Mapping[str, Any], name: str, figure: str) -> float:
    """The printed cell of a format."""
    if outputs.table_18 is not None:
        rows = printed["bias"]["mitigation_mmlu_chatgpt"]
        row = rows[outputs.table_18]["est_true" if figure == "EstTrue" else figure.lower()]
        return float(row[rows["formats"].index(name)])
    [value] = [
        row["value"]
        for row in printed["tables"][outputs.category]
        if row["task"] == outputs.task
        and row["model"].startswith(outputs.model)
        and row["prompting"] == outputs.prompting
        and row["metric"] == figure
        and row["format"] == outputs.printed_name(name)
    ]
    return float(value)


def score_file(outputs: Outputs, data: Path, printed: Mapping[str, Any]) -> Result:
    """Every printed cell of a file, with ours under both protocols; why they differ, by format."""
    answers = recorded(outputs, data)
    cards = {
        protocol: compute_format_metrics(
            [a.outcome(protocol) for a in answers], MetricOptions(protocol=protocol)
        )
        for protocol in PROTOCOLS
    }
    names = outputs.columns.outputs
    cells = [
        Cell(
            metric,
            name,
            printed_value(outputs, printed, name, figure),
            {p: 100 * metrics[f"{metric}/{name}"].value for p, metrics in cards.items()},
        )
        for name in names
        for metric, figure in METRICS.items()
    ]
    why = {name: reasons([a for a in answers if a.format == name]) for name in names}
    filled = [
        FORMATS[a.format].parse(a.text, replace(a.item, answer_type="text"), "published").follows
        for a in answers
        if a.format == "placeholder"
    ]
    return Result(outputs, cells, why, sum(filled))


@dataclass(frozen=True, slots=True)
class Answer:
    """An output as both protocols read it."""

    item: FormatItem
    format: str
    prompting: Prompting
    text: str
    readings: Mapping[PaperProtocol, ParsedFormat]

    def outcome(self, protocol: PaperProtocol) -> FormatOutcome:
        """What became of the item in the format."""
        reading = self.readings[protocol]
        params = FormatParams(prompting=self.prompting, protocol=protocol)
        data = FormatQuestion(self.item, self.format, params).scoring_data()
        score = score_parsed(data, reading)
        follows = float(reading.follows)
        return FormatOutcome(self.item.id, self.item.cluster, self.format, follows, score)


def recorded(outputs: Outputs, data: Path) -> list[Answer]:
    """Every output of a file."""
    [path] = data.glob(f"{FOLDER}/{outputs.file}")
    rows, answers = read_wide(path, outputs.columns, outputs.answer_type)
    items = {row["id"]: parse_row(row) for row in rows}
    found = []
    for answer in answers:
        identifier, name = answer["id"].rsplit("/", 1)
        item, text = items[identifier], answer["output"]
        readings = {p: FORMATS[name].parse(text, item, p, outputs.prompting) for p in PROTOCOLS}
        found.append(Answer(item, name, outputs.prompting, text, readings))
    return found


def reasons(answers: Sequence[Answer]) -> str:
    """Why one format's metrics differ between the protocols: counts of answers."""
    lost: Counter[str] = Counter()
    gained: Counter[str] = Counter()
    scored = 0
    for answer in answers:
        published, corrected = (answer.readings[protocol] for protocol in WHICH[1:])
        if published.follows and not corrected.follows:
            lost[_generalize(corrected.explanation)] += 1
        if corrected.follows and not published.follows:
            gained[_generalize(published.explanation)] += 1
        scored += not published.follows and answer.outcome("published").score > 0
    parts = [
        f"{title}: {', '.join(f'{count} {detail}' for detail, count in details.most_common())}"
        for title, details in (
            ("published only", lost),
            ("corrected only", gained),
        )
        if details
    ]
    if scored:
        parts.append(f"published scores {scored} that do not follow")
    return "; ".join(parts).replace("|", "\\|").replace("*", "\\*").replace("<", "\\<")


def _generalize(explanation: str) -> str:
    """Return an explanation without its numbers and the name of the format."""
    text = re.sub(r"the pattern of \w+ does not match exactly once", "not one match", explanation)
    return re.sub(r"\d+", "N", text)


def section(result: Result) -> str:
    """The table of one file as Markdown."""
    outputs = result.outputs
    rows = [
        [name, *(_summarize(c) for c in result.cells if c.format == name), why]
        for name, why in result.why.items()
    ]
    title = f"## {outputs.task}, {outputs.model}, `{outputs.prompting}`"
    if outputs.table_18 is not None:
        title += f", table 18 ({outputs.table_18})"
    count = f"{result.count()} of {len(result.cells)} printed cells are reproduced."
    remark = outputs.remark
    if outputs.answer_type == "option_letter":
        remark += f"{result.n_phrases} answers fill the placeholder by its phrase, without braces."
    text = fill(f"{count} {remark}", 100)
    return f"{title}\n\n{table(('format', 'FI', 'Sys', 'EstTrue', 'why'), rows)}\n\n{text}"


def _summarize(cell: Cell) -> str:
    """Return a cell: published → corrected; the printed value before them if it differs."""
    published, corrected = (
        "-" if math.isnan(cell.ours[p]) else f"{cell.ours[p]:.2f}" for p in WHICH[1:]
    )
    text = published if published == corrected else f"{published} → {corrected}"
    return f"**{cell.printed:.2f}**; {text}" if cell.differs() else text


RULES = (
    ("punctuation of other scripts around a letter, `（B）`", "the letter", "nothing"),
    ("emphasis or typographic quotation marks around an option's text", "the option", "nothing"),
    ("the same around a wrapped answer", "excluded", "part of it"),
    (
        "bold headings and a bold answer",
        "the answer",
        "does not follow; the first heading is scored",
    ),
    ("a product without spaces, and italics, `9*2=18, so *18*`", "18", "`2=18, so`"),
    (r"brackets escaped as in Markdown, `\[[18\]]`", "18", "`18\\`"),
    ("full-width brackets or colon, typographic triple quotation marks", "the answer", "nothing"),
    ("the tags or the phrase mentioned, and then used", "the use", "the first occurrence"),
    ("lines after the filled placeholder", "excluded", "part of it, up to the first `}`"),
    ("an opening tag alone, before a list or mapping", "nothing", "all text after it"),
    ("a slot that is not filled in, `[[answer]]`, `Task: [...]`", "nothing", "its name or dots"),
    ("a denied or struck-out value, `~~A~~ B`", "nothing; B", "the match of the pattern"),
    ("bullets `*`", "bullets", "nothing: no YAML"),
    ("bullets `–`, `·`, `•`", "bullets", "a YAML string, as the set of its characters"),
    ("an introduction before bullets, `Here: ⏎ - a`", "excluded", "the only element"),
    ("an introduction or name before Python or JSON", "excluded", "nothing"),
    ("an introduction before `<SEP>` or newline lists", "excluded", "an element, or part of one"),
    ("a refusal or sentences instead of lines or `<SEP>`", "nothing", "a list"),
    ("elements in bold or straight quotation marks", "without them", "with them"),
    ("a string instead of a list, `Task: a`", "nothing", "the set of its characters"),
)
"""What the protocols make of an answer."""
PAGE = """# Published outputs and printed cells

Written by `python -m benchmarks.studies.published_cells`; do not edit.

FormatEval's authors published the outputs behind some cells of their tables 6, 10, 14 and 18. Both
protocols score these outputs (percent). `published` parses and scores as the authors' public code
does, including its errors; `corrected` is the default. A cell is reproduced if `published` gives it
to 0.06 points.

{summary}

These files were missing when this page was written; the same command scores them if they exist:

{missing}

Printed cells of Gemma and Llama, of MCQ and of BBH have no public outputs.

These cells are not reproduced:

{differing}

## Differences between the protocols

Each rule has a worked answer in [the reference](output_format.md#how-answers-are-read).

{rules}

In the tables below, a cell is `published` → `corrected`, or one number if both are the same. A
printed value that `published` does not reproduce is **bold** before them, and "-" is undefined,
because no answer follows the format. The last column counts the answers that follow the format
under one protocol only, with the reason of the other (N is a number).

{sections}

`benchmarks/studies/published_cells.yaml` lists the files.
"""


if __name__ == "__main__":
    main()
