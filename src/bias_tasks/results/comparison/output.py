"""Writes a comparison as tables, JSON or CSV."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from rich.console import Console

from bias_tasks.results import tables
from bias_tasks.results.comparison.compare import MetricComparison, PairComparison, RunComparison
from bias_tasks.results.run import Run, none_if_not_finite
from bias_tasks.results.text import escape_unprintable, shorten

_STYLES = {"BETTER": "green", "WORSE": "red", "HIGHER": "bold", "LOWER": "bold"}
_COLUMNS = ("metric", "first", "second", "difference", "adjusted p", "verdict", "MDE")


def write_comparison(
    comparison: RunComparison,
    form: str,
    out: Path | None,
    lines: Sequence[str] = (),
    mitigations: Sequence[Mapping[str, object]] = (),
) -> None:
    """Write a comparison to a file, or to standard output.

    Args:
        comparison: The comparison.
        form: `table`, `json` or `csv`.
        out: The file; None for standard output.
        lines: What a table says about mitigations.
        mitigations: The same as plain JSON values.
    """
    metrics = [(pair, metric) for pair in comparison.pairs for metric in pair.metrics]
    if form == "json":
        values = {**_to_dict(comparison), "mitigations": list(mitigations)}
        tables.write_text(json.dumps(values, indent=2), out)
    elif form == "csv":
        tables.write_csv([_build_row(pair, metric) for pair, metric in metrics], out)
    else:
        with tables.open_console(out) as console:
            _print(console, [row for row in metrics if row[1].headline])
            secondary = [row for row in metrics if not row[1].headline]
            if secondary:
                tables.print_paragraph(console, "Other metrics, adjusted separately:")
            _print(console, secondary)
            for line in (*lines, _build_legend(comparison)):
                tables.print_paragraph(console, escape_unprintable(line))


def _to_dict(comparison: RunComparison) -> dict[str, object]:
    """Return the comparison as plain JSON values; a number that does not exist is None."""
    return {
        "tests": comparison.tests(headline=True),
        "comparisons": [
            {
                "task": pair.second.record.task,
                "first": _run_to_dict(pair.first),
                "second": _run_to_dict(pair.second),
                "items": pair.paired.items,
                "first_only": pair.paired.first_only,
                "second_only": pair.paired.second_only,
                "differences": [difference._asdict() for difference in pair.paired.differences],
                "metrics": [_metric_to_dict(metric) for metric in pair.metrics],
            }
            for pair in comparison.pairs
        ],
        "not_compared": [
            {"log": str(left.run.path), "model": left.run.model, "reason": left.reason}
            for left in comparison.not_compared
        ],
    }


def _run_to_dict(run: Run) -> dict[str, str]:
    log = str(run.path)
    return {"log": log, "model": run.model, "framework": run.framework, "task": run.task}


def _build_row(pair: PairComparison, metric: MetricComparison) -> dict[str, object]:
    return {
        "task": pair.second.record.task,
        "first_model": pair.first.model,
        "second_model": pair.second.model,
        **_metric_to_dict(metric),
        "items": pair.paired.items,
        "first_log": str(pair.first.path),
        "second_log": str(pair.second.path),
    }


def _metric_to_dict(metric: MetricComparison) -> dict[str, object]:
    result, change = metric.result, metric.result.difference
    values = {
        "metric": metric.name,
        "headline": metric.headline,
        "unit": metric.spec.unit,
        "better": metric.spec.better,
        "first": result.first.value,
        "second": result.second.value,
        "difference": change.value,
        "ci_low": change.ci_low,
        "ci_high": change.ci_high,
        "p_adjusted": metric.p_adjusted,
        "p_value": change.p,
        "n": change.n,
        "margin": metric.margin,
        "verdict": metric.verdict,
        "mde": result.mde,
        "correlation": result.correlation,
    }
    return {name: none_if_not_finite(value) for name, value in values.items()}


def _print(console: Console, metrics: Iterable[tuple[PairComparison, MetricComparison]]) -> None:
    """Print metrics pair by pair, with the interval below each difference."""
    groups: dict[str, list[list[str]]] = {}
    for pair, metric in metrics:
        result, change = metric.result, metric.result.difference
        value = tables.format_numbers(change.value, change.ci_low, change.ci_high, sign="+")[0]
        row = [
            tables.format_metric_name(pair.second, metric.name),
            *tables.format_numbers(result.first.value, result.second.value),
            f"{value}\n{tables.format_interval(change, sign='+')}",
            tables.format_p_value(metric.p_adjusted),
            metric.verdict,
            tables.format_number(result.mde),
        ]
        groups.setdefault("\n".join(_build_heading(pair)), []).append(row)
    numbers = set(_COLUMNS) - {"metric", "verdict"}
    tables.print_table(console, _COLUMNS, groups, numbers=numbers, styles=_STYLES)


def _build_heading(pair: PairComparison) -> Iterator[str]:
    second, paired = pair.second, pair.paired
    models = f"{shorten(second.model)} against {shorten(pair.first.model)}"
    yield f"{shorten(second.record.task)}: {models}, {paired.items:,} items that both have"
    if paired.first_only or paired.second_only:
        counts = f"{paired.first_only:,} answers of the first run and {paired.second_only:,}"
        yield f"  excluded: {counts} of the second, to questions that only one run has"
    listed = [str(d) for d in paired.differences if d.kind not in ("model", "framework")]
    if listed:
        yield f"  differences (first / second): {'; '.join(listed)}"


def _build_legend(comparison: RunComparison) -> str:
    margins = sorted({metric.margin for metric in comparison.metrics if metric.margin})
    if margins:
        bounds = ", ±".join(f"{margin:g}" for margin in margins)
        equivalent = f"EQUIVALENT: the whole interval is within ±{bounds}"
    else:
        equivalent = "Without --margin nothing is EQUIVALENT"
    if any(metric.verdict == "UNPARSED" for metric in comparison.metrics):
        equivalent += ". UNPARSED: neither run has a parsed answer"
    headlines, others = (comparison.tests(headline=headline) for headline in (True, False))
    return (
        f"difference: second minus first. adjusted p: Holm-adjusted over the headlines "
        f"({headlines:,}) and, separately, over the other metrics ({others:,}); verdicts at 5 %. "
        f"MDE: minimum detectable effect with this n and 80 % power. {equivalent}."
    )
