"""A comparison as tables for people, and in the formats of other tools."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from bias_tasks.results import tables
from bias_tasks.results.comparison.compare import Comparison, FigureCompared, PairCompared
from bias_tasks.results.run import finite
from bias_tasks.results.text import brief, printable

_STYLES = {"BETTER": "green", "WORSE": "red", "HIGHER": "bold", "LOWER": "bold"}
_COLUMNS = ("figure", "first", "second", "difference", "p", "verdict", "shows")


def write_comparison(
    comparison: Comparison,
    form: str,
    out: Path | None,
    lines: Sequence[str] = (),
    mitigations: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Write what was found as `table`, `json` or `csv` to a file, or to standard output, with what
    is said of mitigations, as `lines` and as plain JSON values."""
    every = [(pair, figure) for pair in comparison.pairs for figure in pair.figures]
    if form == "json":
        told = {**_to_dict(comparison), "mitigations": list(mitigations)}
        tables.write_text(json.dumps(told, indent=2), out)
    elif form == "csv":
        tables.write_csv([_row(pair, figure) for pair, figure in every], out)
    else:
        with tables.printing(out) as console:
            _print(console, [each for each in every if each[1].headline])
            further = [each for each in every if not each[1].headline]
            tables.paragraph(console, "Further figures, adjusted apart:" if further else "")
            _print(console, further)
            for line in (*lines, _legend(comparison)):
                tables.paragraph(console, printable(line))


def _to_dict(comparison: Comparison) -> dict[str, Any]:
    """The comparison as plain JSON values, null where there is nothing to say."""
    return {
        "tests": comparison.tests(headline=True),
        "comparisons": [
            {
                "task": pair.second.record["task"],
                **{
                    which: {"log": str(run.path)}
                    | {name: getattr(run, name) for name in ("model", "host", "task")}
                    for which, run in (("first", pair.first), ("second", pair.second))
                },
                **{n: getattr(pair.paired, n) for n in ("items", "first_only", "second_only")},
                "differing": [each._asdict() for each in pair.paired.differing],
                "figures": [_figure(each) for each in pair.figures],
            }
            for pair in comparison.pairs
        ],
        "not_compared": [
            {"log": str(each.run.path), "model": each.run.model, "why": each.why}
            for each in comparison.not_compared
        ],
    }


def _row(pair: PairCompared, figure: FigureCompared) -> dict[str, Any]:
    return {
        "task": pair.second.record["task"],
        "first_model": pair.first.model,
        "second_model": pair.second.model,
        **_figure(figure),
        "items": pair.paired.items,
        "first_log": str(pair.first.path),
        "second_log": str(pair.second.path),
    }


def _figure(figure: FigureCompared) -> dict[str, Any]:
    found, change, declared = figure.found, figure.found.difference, figure.declared
    told = {
        "figure": figure.name,
        "headline": figure.headline,
        **{name: getattr(declared, name) for name in ("unit", "better")},
        "first": found.first.value,
        "second": found.second.value,
        "difference": change.value,
        **{name: getattr(change, name) for name in ("ci_low", "ci_high")},
        "p": figure.p,
        "p_unadjusted": change.p,
        "n": change.n,
        **{name: getattr(figure, name) for name in ("margin", "verdict")},
        **{name: getattr(found, name) for name in ("smallest", "correlation")},
    }
    return finite(told)


def _print(console: Console, figures: Iterable[tuple[PairCompared, FigureCompared]]) -> None:
    """Print figures pair by pair, with the interval of a difference below it."""
    groups: dict[str, list[list[str]]] = {}
    for pair, figure in figures:
        found, change = figure.found, figure.found.difference
        value = tables.numbers_alike(change.value, change.ci_low, change.ci_high, sign="+")[0]
        row = [
            tables.named(pair.second, figure.name),
            *tables.numbers_alike(found.first.value, found.second.value),
            f"{value}\n{tables.interval(change, sign='+')}",
            tables.probability(figure.p),
            figure.verdict,
            tables.number(found.smallest),
        ]
        groups.setdefault("\n".join(_heading(pair)), []).append(row)
    numbers = set(_COLUMNS) - {"figure", "verdict"}
    tables.print_table(console, _COLUMNS, groups, numbers=numbers, styles=_STYLES)


def _heading(pair: PairCompared) -> Iterator[str]:
    second, beside = pair.second, pair.paired
    models = f"{brief(second.model)} against {brief(pair.first.model)}"
    yield f"{brief(second.record['task'])}: {models}, {beside.items:,} items that both have"
    if beside.first_only or beside.second_only:
        alone = f"{beside.first_only:,} answers of the first run and {beside.second_only:,}"
        yield f"  left out: {alone} of the second, to what the other was not asked"
    told = [str(each) for each in beside.differing if each.kind not in ("model", "host")]
    if told:
        yield f"  they differ in (first / second): {'; '.join(told)}"


def _legend(comparison: Comparison) -> str:
    margins = sorted({each.margin for each in comparison.figures if each.margin})
    within = "no --margin was given, so that nothing is EQUIVALENT"
    if margins:
        ends = ", ±".join(f"{each:g}" for each in margins)
        within = f"EQUIVALENT: the whole interval within ±{ends}"
    if any(each.verdict == "UNREAD" for each in comparison.figures):
        within += ". UNREAD: no answer was read in either run"
    headlines, others = (comparison.tests(headline=each) for each in (True, False))
    return (
        f"difference: second less first. p: Holm-adjusted over the headlines ({headlines:,}) and, "
        f"apart, over other figures ({others:,}); verdicts at 5 %. shows: what this n shows in "
        f"80 % of cases. {within}."
    )
