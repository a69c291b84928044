"""Says which formats few answers follow, and which `bias_f` excludes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress

from bias_tasks.contract.outcomes import Outcome
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.metrics import MIN_FOLLOWING, build_table, find_comparable
from bias_tasks.output_format.metrics_groups import group_outcomes
from bias_tasks.output_format.scoring_data import FormatExtra
from bias_tasks.protocols import PaperProtocol
from bias_tasks.statistics.estimate import Estimate

RARE = 0.05
"""A format that a smaller share of the answers follows is named."""
_FAULTS = {
    False: "wrapper missing",
    True: "value of another kind",
}
"""What an answer does that follows no wrapping, by `FormatExtra.encloses_other`."""


def describe_formats(
    outcomes: Sequence[Outcome[FormatExtra]], protocol: PaperProtocol
) -> Iterator[str]:
    """Yield which formats few answers follow, and why, and which formats the metrics exclude.

    Args:
        outcomes: The outcomes of a run.
        protocol: `corrected` or `published`, which excludes other formats.
    """
    by_format: dict[str, list[FormatExtra]] = {}
    for outcome in outcomes:
        by_format.setdefault(outcome.extra.format, []).append(outcome.extra)
    rare = [
        _describe_following(FORMATS[name].written, extras)
        for name, extras in by_format.items()
        if sum(extra.follows for extra in extras) < RARE * len(extras)
    ]
    if rare:
        yield f"fewer than {RARE:.0%} of the answers follow {'; '.join(rare)}"
    excluded = list(_find_excluded(outcomes, protocol))
    if excluded and protocol == "corrected":
        yield (
            f"bias_f and format_std exclude formats that fewer than {MIN_FOLLOWING} answers, or "
            f"less than a tenth of them, follow: {'; '.join(excluded)}"
        )


def count_following(
    outcomes: Sequence[Outcome[FormatExtra]],
    metrics: Mapping[str, Estimate],
    protocol: PaperProtocol,
) -> dict[str, dict[str, object]]:
    """Return the numbers in the sentence `counts` of `format_std`, for a run of one group.

    Args:
        outcomes: The outcomes of a run.
        metrics: All metrics of the run.
        protocol: As in `describe_formats`.
    """
    groups = list(group_outcomes(outcomes).values())
    if len(groups) != 1 or "format_std" not in metrics:
        return {}
    table = build_table(groups[0])
    comparable = compress(table.formats, find_comparable(table, protocol))
    scores = sorted(metrics[f"est_true/{name}"].value for name in comparable)
    shares = [metrics[f"fi/{name}"].value for name in table.formats]
    listed = ", ".join(f"{100 * score:.0f}" for score in scores)
    values: dict[str, object] = {
        "following": sum(outcome.extra.follows for outcome in outcomes),
        "answers": len(outcomes),
        **{"low": 100 * min(shares), "high": 100 * max(shares)},
        "scores": f"; scores in the {len(scores)} comparable formats: {listed} %" if scores else "",
    }
    return {"format_std": values}


def _describe_following(written: str, extras: Sequence[FormatExtra]) -> str:
    """Return how many answers follow a format, and what the parser found in the others.

    Formats that are no wrapping have no reason to report.
    """
    reasons = Counter(extra.encloses_other for extra in extras if not extra.follows)
    text = f"{sum(extra.follows for extra in extras):,} of {len(extras):,}"
    if not reasons[None]:
        faults = [f"{name} in {reasons[key]:,}" for key, name in _FAULTS.items() if reasons[key]]
        text += f": {', '.join(faults)}"
    return f"{written} ({text})"


def _find_excluded(
    outcomes: Sequence[Outcome[FormatExtra]], protocol: PaperProtocol
) -> Iterable[str]:
    """Yield the excluded formats of each group that has some, and the number that remains."""
    groups = group_outcomes(outcomes)
    for group, rows in groups.items():
        run = build_table(rows)
        included = find_comparable(run, protocol)
        if len(run.formats) > 1 and not included.all():
            names = ", ".join(compress(run.formats, ~included))
            title = f"{' '.join(group)}: " if len(groups) > 1 else ""
            yield f"{title}{names} ({included.sum()} of {included.size} formats remain)"
