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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import fill
from typing import Any

from benchmarks.studies.outputs_from_csv import Columns, read_wide
from bias_tasks.names import PROTOCOLS, PaperProtocol
from bias_tasks.output_format.data.files import parse_row
from bias_tasks.output_format.formats import FORMATS, ParsedFormat
from bias_tasks.output_format.items import AnswerType, FormatItem, Prompting
from bias_tasks.output_format.metrics import (
    FormatOutcome,
    MetricOptions,
    compute_format_metrics,
)
from bias_tasks.output_format.scores import (
    score_payload,
)

OUT = Path(__file__).parents[2] / "docs" / "reference" / "published.md"
FOLDER = "WING-NUS/FormatEval/*/src/output"
WHICH: tuple[str, PaperProtocol, PaperProtocol] = ("printed", "published", "corrected")
METRICS = {"fi": "FI", "sys": "Systematic", "est_true": "EstTrue"}
WRAPPING = (
    "special_character",
    "bolding",
    "italicizing",
    "brackets",
    "parentheses",
    "placeholder",
    "quoting",
)


@dataclass(frozen=True, slots=True)
class Outputs:
    """One file of published outputs, and the printed cells that belong to it."""

    file: str
    task: str
    model: str
    """What its name in the printed table begins with."""
    prompting: Prompting
    category: str
    answer_type: AnswerType
    columns: Columns
    tolerance: float
    """In points, of the cells that are expected to come out."""
    printed_as: Mapping[str, str] = field(default_factory=dict)
    """The name of a format in the printed table, where it is another one."""
    remark: str = ""
    """What all of its formats have in common."""


def _wrapped(first: int) -> Columns:
    """Outputs in every other column, from this one; gold in the third."""
    names = enumerate(WRAPPING)
    return Columns(outputs={name: f"#{first + 2 * i}" for i, name in names}, answer="#3")


LISTS = {
    "python": "zs_python_answer",
    "bullet": "zs_bullet_answer",
    "sep": "zs_special_answer",
    "newline": "zs_newline_answer",
}
MAPPINGS = Columns(outputs={"json": "python_output", "yaml": "yaml_output"}, answer="answer")
GPT, MISTRAL = "ChatGPT", "Mistral"
FRAMED = (
    'Only corrected counts a dictionary that stands in a fence or behind a lead ("the following '
    'entities can be identified:").'
)
FILES = (
    Outputs(
        "chatgpt_gsm8k_zs_Wrapping_200.csv", "GSM8K", GPT, "zs", "wrapping", "number",
        _wrapped(5), 0.06,
        remark=(
            "Corrected, text that is not one number does not follow where a number is asked "
            "for, and a number is right by its value: published counts a currency's cents and the "
            "words of a sentence against it, behind a chain of thought most of its score."
        ),
    ),
    Outputs(
        "chatgpt_gsm8k_cot_Wrapping_200.csv", "GSM8K", GPT, "zs_cot", "wrapping", "number",
        _wrapped(5), 0.06,
        remark=(
            "The printed EstTrue of brackets is not its Sys / FI: 67.62 / 0.985 = 68.65. Only "
            "corrected counts answers that head their steps in bold, or that multiply without "
            "blanks beside italics (`2*7`). Of "
            "`So the answer is: 'So the answer is: 145'` it takes the last filling, of `Wrap it "
            "by <ANSWER> and </ANSWER>. <ANSWER>145</ANSWER>` the last pair of tags, where "
            "published takes the rest of the line and \"and\"."
        ),
    ),
    Outputs(
        "chatgpt_fairytaleqa_zs_Wrapping_200.csv", "FairytaleQA", GPT, "zs", "wrapping", "text",
        _wrapped(12), 0.06,
        remark=(
            "The printed EstTrue of parentheses is not its Sys / FI: 45.91 / 0.995 = 46.14. "
            "Scores rise under corrected, where a word that stands several times in answer "
            "and gold counts as often. The rows of this file have seven cells more than its "
            "header has names."
        ),
    ),
    Outputs(
        "mistral_zs_scidocs_15Apr.csv", "SciDocsRR", MISTRAL, "zs", "list", "binary_list",
        Columns(outputs=LISTS, relevant="positive", others="negative"), 0.1,
        printed_as={"sep": "special_character"},
        remark=(
            "Published takes every 1 of a list for a relevant candidate and never looks at "
            "gold. Corrected asks for one entry a candidate, which hardly any answer has. "
            "EstTrue is printed as 0 where no answer follows; it is undefined."
        ),
    ),
    Outputs(
        "mistral_zs_semeval2017_15Apr.csv", "SemEval2017", MISTRAL, "zs", "list", "string_list",
        Columns(outputs=LISTS, answer="keyphrases"), 0.1,
        printed_as={"sep": "bullet", "bullet": "special_character"},
        remark=(
            "The printed columns of bullet and special character are swapped: under Bullet "
            "stand the outputs of `<SEP>`. Published reads no list of `* ` lines as a bullet "
            "list, and any text as a list of the two other kinds; it minds case, and the "
            "bullets of a newline list. Corrected reads two `<SEP>` lists behind a lead "
            "(\"Keyphrases:\"), and one list's elements without the quotation marks round each."
        ),
    ),
    Outputs(
        "mistral_dictionary_easy.csv", "SciREX Easy", MISTRAL, "zs", "mapping", "mapping",
        MAPPINGS, 0.1, remark=FRAMED,
    ),
    Outputs(
        "mistral_dictionary_medium.csv", "SciREX Medium", MISTRAL, "zs", "mapping", "mapping",
        MAPPINGS, 0.1, remark=FRAMED,
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Cell:
    """One metric of one format, in percent."""

    metric: str
    format: str
    printed: float
    ours: Mapping[PaperProtocol, float]

    def differs(self, outputs: Outputs) -> bool:
        """Whether the published protocol does not give what is printed."""
        mine = self.ours["published"]
        if math.isnan(mine):  # no answer follows: the tables print 0
            return self.printed != 0
        return abs(mine - self.printed) > outputs.tolerance


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    data, golden = (Path(os.environ[f"BIAS_TASKS_{name}"]) for name in ("DATA", "GOLDEN"))
    printed = printed_cells(golden)
    sections = [section(outputs, *cells(outputs, data, printed)) for outputs in FILES]
    args.out.write_text(page(sections), encoding="utf-8")


def page(sections: Sequence[str]) -> str:
    """The whole page as Markdown."""
    tolerances = sorted({outputs.tolerance for outputs in FILES})
    head, *rows = (f"| {' | '.join(rule)} |" for rule in RULES)
    return PAGE.format(
        wrapping=tolerances[0],
        others=tolerances[1],
        rules="\n".join([head, "| --- | --- | --- |", *rows]),
        sections="\n\n".join(sections),
    )


def printed_cells(golden: Path) -> Mapping[str, list[dict[str, Any]]]:
    """The printed tables, by category."""
    return json.loads((golden / "output_format_tables.json").read_text(encoding="utf-8"))


def cells(
    outputs: Outputs, data: Path, printed: Mapping[str, list[dict[str, Any]]]
) -> tuple[list[Cell], dict[str, str]]:
    """Every printed cell of a file, with ours under both protocols; why they differ, by format."""
    answers = recorded(outputs, data)
    cards = {
        protocol: compute_format_metrics(
            [a.outcome(protocol) for a in answers], MetricOptions(protocol=protocol)
        )
        for protocol in PROTOCOLS
    }
    found = []
    for name in outputs.columns.outputs:
        for metric, printed_metric in METRICS.items():
            [value] = [
                row["value"]
                for row in printed[outputs.category]
                if row["task"] == outputs.task
                and row["model"].startswith(outputs.model)
                and row["prompting"] == outputs.prompting
                and row["metric"] == printed_metric
                and row["format"] == outputs.printed_as.get(name, name)
            ]
            ours = {p: 100 * metrics[f"{metric}/{name}"].value for p, metrics in cards.items()}
            found.append(Cell(metric, name, value, ours))
    names = outputs.columns.outputs
    return found, {name: reasons([a for a in answers if a.format == name]) for name in names}


@dataclass(frozen=True, slots=True)
class Answer:
    """An output as both protocols read it."""

    item: FormatItem
    format: str
    readings: Mapping[PaperProtocol, ParsedFormat]

    def outcome(self, protocol: PaperProtocol) -> FormatOutcome:
        """What became of the item in the format."""
        reading = self.readings[protocol]
        taken = reading.payload is not None
        score = score_payload(reading.payload, self.item, protocol) if taken else 0.0
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
        found.append(Answer(item, name, readings))
    return found


def reasons(answers: Sequence[Answer]) -> str:
    """Why one format's metrics differ between the protocols: counts of answers."""
    lost: Counter[str] = Counter()
    gained: Counter[str] = Counter()
    scored = 0
    for answer in answers:
        published, corrected = (answer.readings[protocol] for protocol in WHICH[1:])
        if published.follows and not corrected.follows:
            lost[re.sub(r"\d+", "N", corrected.explanation)] += 1
        if corrected.follows and not published.follows:
            gained[re.sub(r"\d+", "N", published.explanation)] += 1
        scored += not published.follows and answer.outcome("published").score > 0
    parts = [
        f"{title}: {', '.join(f'{count} {detail}' for detail, count in details.most_common())}"
        for title, details in (
            ("corrected does not count", lost),
            ("only corrected counts", gained),
        )
        if details
    ]
    if scored:
        parts.append(f"published scores {scored} that do not follow")
    return "; ".join(parts).replace("|", "\\|").replace("*", "\\*").replace("<", "\\<")


def section(outputs: Outputs, found: Sequence[Cell], why: Mapping[str, str]) -> str:
    """The table of one file as Markdown."""
    heads = [f"{name} {which}" for name in ("FI", "Sys", "EstTrue") for which in WHICH]
    lines = [
        f"## {outputs.task}, {outputs.model}, `{outputs.prompting}`",
        "",
        f"| format | {' | '.join(heads)} | why |",
        "| --- |" + " ---: |" * len(heads) + " --- |",
    ]
    for name in outputs.columns.outputs:
        mine = [cell for cell in found if cell.format == name]
        numbers = [text for cell in mine for text in _numbers(cell, outputs)]
        lines.append(f"| {name} | {' | '.join(numbers)} | {why[name]} |")
    differing = [cell for cell in found if cell.differs(outputs)]
    right = len(found) - len(differing)
    count = f"{right} of {len(found)} printed cells come out to {outputs.tolerance} points."
    return "\n".join([*lines, "", fill(f"{count} {outputs.remark}", 100)])


def _numbers(cell: Cell, outputs: Outputs) -> list[str]:
    printed = f"{cell.printed:.2f}"
    ours = ["-" if math.isnan(cell.ours[p]) else f"{cell.ours[p]:.2f}" for p in WHICH[1:]]
    return [f"**{printed}**" if cell.differs(outputs) else printed, *ours]


RULES = (
    ("what stands in an answer", "corrected", "published"),
    ("punctuation of other scripts round a letter, `（B）`", "the letter", "nothing"),
    ("emphasis or typographic quotation marks round an option's text", "the option", "nothing"),
    ("the same round a wrapped answer", "no part of it", "part of it"),
    ("bold headings beside the bold answer", "the answer", "follows not; scores the first heading"),
    ("a product without blanks beside italics, `9*2=18, so *18*`", "18", "`2=18, so`"),
    (r"brackets escaped as in Markdown, `\[[18\]]`", "18", "`18\\`"),
    ("full-width brackets or colon, typographic triple quotation marks", "the answer", "nothing"),
    ("the tags or the phrase spoken of, and then used", "what is meant", "what stands first"),
    ("a place that is not filled in, `[[answer]]`, `Task: [...]`", "nothing", "its name, its dots"),
    ("what is denied or struck out, `~~A~~ B`", "nothing; B", "what the pattern finds"),
    ("bullets `–`, `·`, `•`, `*`", "bullets", "nothing: `-` alone"),
    ("a lead or name before bullets, Python or JSON; a fence", "left out", "nothing"),
    ("a lead before `<SEP>` or newline lists", "left out", "an element, or part of one"),
    ("a refusal or sentences where lines or `<SEP>` are asked for", "nothing", "a list"),
    ("elements in bold or straight quotation marks", "without them", "with them"),
)
"""What the protocols make of an answer."""
PAGE = """# Published outputs and printed cells

Written by `python -m benchmarks.studies.published_cells`; do not edit.

FormatEval's authors published the outputs behind some of the cells of their tables 6, 10 and 14.
Here both protocols score them (percent): `published` is the paper's instrument, with its quirks;
`corrected` is this project's default. **Bold**: a printed cell that `published` does not give, to
{wrapping} points in wrapping formats and {others} in the others (the printed EstTrue was divided
from rounded figures). "-": undefined, since no answer follows. The last column counts the answers
that the protocols read differently (N stands for a number), and why.

## What the protocols read

Each rule has a worked answer in [the reference](output_format.md#how-answers-are-read).

{rules}

{sections}

Nothing in the package knows these files. The columns are named at the top of the script, and any
other file of this layout is read by `benchmarks/studies/outputs_from_csv.py`.
"""


if __name__ == "__main__":
    main()
