"""How well `parse_answer` does on recorded answers, and which rule needs which of them.

    python -m benchmarks.studies.parsing_study [PATH ...] [--rules]

Writes the table by form in docs/parsing.md and the table by source in docs/reference/parsing.md.
PATH are further files of recorded answers with the same fields (`form`, `text`, `gold`, `source`,
...), which are measured and not stored. With `--rules` each pattern of the parser is disabled in
turn, which takes minutes: the table of rules in docs/reference/parsing.md has the number of answers
and sources that need each, and the table by source also has the share that is parsed right without
the rules that no other source needs.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, defaultdict
from importlib import import_module
from pathlib import Path
from textwrap import fill
from typing import Any

import click

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import bias_tasks.parsing.answer as answer_module  # noqa: E402
from tests.bias_tasks.parsing import recorded, test_written_sets  # noqa: E402

PAGES = {
    "forms": ROOT / "docs" / "parsing.md",
    "recorded": ROOT / "docs" / "reference" / "parsing.md",
    "rules": ROOT / "docs" / "reference" / "parsing.md",
}
"""The page of each block."""
MODULES = [
    "candidates",
    "grammar",
    "choice",
    "none_of_the_above",
    "judged_lines",
    "labels",
    "scores",
    "normalized_text",
    "parser",
    "reasoning",
]
NEVER = re.compile(r"(?!)")
Rows = list[dict[str, Any]]


def parsed_values(rows: Rows) -> list[Any]:
    """What each answer says; grammars are rebuilt."""
    answer_module._grammar.cache_clear()
    return [recorded.parsed(row) for row in rows]


def rules() -> dict[str, list[tuple[Any, str]]]:
    """Each pattern of the parser by its name, with the places that hold it."""
    modules = [import_module(f"bias_tasks.parsing.{name}") for name in MODULES]
    owners = [(module.__name__.rpartition(".")[2], module) for module in modules]
    owners += [
        (f"{name}.{key}", value)
        for name, module in list(owners)
        for key, value in vars(module).items()
        if isinstance(value, type) and value.__module__ == module.__name__
    ]
    places: dict[int, list[tuple[Any, str]]] = defaultdict(list)
    names: dict[int, str] = {}
    for owner_name, owner in owners:
        for key, value in vars(owner).items():
            if isinstance(value, re.Pattern) and value.pattern != NEVER.pattern:
                names.setdefault(id(value), f"{owner_name}.{key}")
                places[id(value)].append((owner, key))
    return {names[key]: places[key] for key in names}


def without(holders: list[tuple[Any, str]], rows: Rows) -> list[Any]:
    """What each answer says without one rule."""
    pattern = getattr(*holders[0])
    for owner, key in holders:
        setattr(owner, key, NEVER)
    try:
        return parsed_values(rows)
    finally:
        for owner, key in holders:
            setattr(owner, key, pattern)


def evidence(rows: Rows) -> dict[str, Counter[str]]:
    """For each rule how many answers of each source it alone makes right."""
    golds, values = [recorded.gold_of(row) for row in rows], parsed_values(rows)
    needed = {}
    for name, holders in rules().items():
        others = without(holders, rows)
        triples = zip(rows, golds, zip(values, others, strict=True), strict=True)
        needed[name] = Counter(row["source"] for row, gold, (a, b) in triples if a == gold != b)
    return needed


def left_out(rows: Rows, needed: dict[str, Counter[str]]) -> dict[tuple[str, str], str]:
    """For each form and source the share right without the rules whose only evidence it is."""
    table = rules()
    shares = {}
    for form, source in {(row["form"], row["source"]) for row in rows}:
        own = [table[name] for name, sources in needed.items() if set(sources) == {source}]
        answers = [row for row in rows if (row["form"], row["source"]) == (form, source)]
        patterns = [(holders, getattr(*holders[0])) for holders in own]
        for holders, _ in patterns:
            for owner, key in holders:
                setattr(owner, key, NEVER)
        values = parsed_values(answers)
        for holders, pattern in patterns:
            for owner, key in holders:
                setattr(owner, key, pattern)
        pairs = zip(values, answers, strict=True)
        right = sum(value == recorded.gold_of(row) for value, row in pairs)
        shares[form, source] = f"{100 * right / len(answers):.1f} %"
    answer_module._grammar.cache_clear()
    return shares


def table(head: str, lines: list[str]) -> str:
    """A Markdown table."""
    columns = head.count("|") + 1
    n_text = 2 if head.startswith("form | source") else 1
    rule = " | ".join(["---"] * n_text + ["---:"] * (columns - n_text))
    return "\n".join((f"| {head} |", f"| {rule} |", *lines))


def shares(counts: Counter[str]) -> str:
    """The cells of a row: answers, right, unparsed, wrong."""
    right, unparsed = (
        f"{100 * counts[name] / counts.total():.1f} %" for name in ("right", "unparsed")
    )
    return f"{counts.total():,} | {right} | {unparsed} | {counts['wrong']}"


def by_form(rows: Rows) -> str:
    """The table of recorded answers with one row per form."""
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for (form, _), counts in recorded.counts_by_source(rows).items():
        forms[form] += counts
    lines = [f"| `{form}` | {shares(counts)} |" for form, counts in sorted(forms.items())]
    lines.append(f"| `choice`: sets and denials | {shares(test_written_sets.counts())} |")
    return table("form | answers | right | unparsed | wrong", lines)


def by_source(rows: Rows, alone: dict[tuple[str, str], str]) -> str:
    """The table of recorded answers with one row per form and source."""
    head = "form | source | answers | right | unparsed | wrong"
    lines = [
        f"| {form} | {source} | {shares(counts)} |" + (f" {alone[form, source]} |" if alone else "")
        for (form, source), counts in sorted(recorded.counts_by_source(rows).items())
    ]
    lines.append(
        f"| choice | written sets and denials | {shares(test_written_sets.counts())} |"
        + (" |" if alone else "")
    )
    return table(head + (" | right without own rules" if alone else ""), lines)


def by_rule(needed: dict[str, Counter[str]]) -> str:
    """The table of rules with the number of answers and sources that need each, and the others."""
    lines = [
        f"| `{name}` | {sources.total()} | {len(sources)} |"
        for name, sources in sorted(needed.items(), key=lambda row: (-row[1].total(), row[0]))
        if sources
    ]
    others = [f"`{name}`" for name, sources in sorted(needed.items()) if not sources]
    text = f"{len(others)} other patterns are covered by texts of the tests: {', '.join(others)}."
    return f"{table('pattern | answers | sources', lines)}\n\n{fill(text, 130)}"


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--rules", "with_rules", is_flag=True, help="Disable each rule in turn.")
def main(paths: tuple[Path, ...], with_rules: bool) -> None:
    """Write the tables of docs/parsing.md and docs/reference/parsing.md."""
    rows = recorded.all_rows()
    for path in paths:
        lines = path.read_text(encoding="utf-8").splitlines()
        rows += [{"source": path.stem, **json.loads(line)} for line in lines]
    needed = evidence(rows) if with_rules else {}
    blocks = {
        "forms": by_form(rows),
        "recorded": by_source(rows, left_out(rows, needed) if needed else {}),
    }
    blocks |= {"rules": by_rule(needed)} if needed else {}
    for name, block in blocks.items():
        page = PAGES[name].read_text(encoding="utf-8")
        text = f"<!-- {name} -->\n{block}\n<!-- end -->"
        page = re.sub(rf"<!-- {name} -->\n.*?<!-- end -->", lambda _, t=text: t, page, flags=re.S)
        PAGES[name].write_text(page, encoding="utf-8")
        print(block)


if __name__ == "__main__":
    main()
