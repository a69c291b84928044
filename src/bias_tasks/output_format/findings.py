"""Says which formats a model does not write, and which `bias_f` excludes."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress

from bias_tasks.contract.outcomes import Outcome
from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.metrics import MIN_FOLLOWING, build_table, find_comparable
from bias_tasks.output_format.metrics_groups import group_outcomes
from bias_tasks.output_format.scoring_data import FormatExtra

RARE = 0.05
"""A format that a smaller share of the answers follows is named."""


def describe_formats(
    outcomes: Sequence[Outcome[FormatExtra]], protocol: PaperProtocol
) -> Iterator[str]:
    """Yield a sentence on the formats that the model never writes, rarely, and not often enough.

    Args:
        outcomes: The outcomes of a run.
        protocol: `corrected` or `published`, which excludes other formats.
    """
    follows: dict[str, list[bool]] = {}
    for outcome in outcomes:
        follows.setdefault(outcome.extra.format, []).append(outcome.extra.follows)
    never = {FORMATS[name].written: len(v) for name, v in follows.items() if not any(v)}
    if never:
        yield (
            f"the model never writes {_join(list(never))}: none of the {sum(never.values()):,} "
            "answers to prompts that request this does"
        )
    rare = [
        f"{FORMATS[name].written} ({sum(values)} of {len(values):,} answers)"
        for name, values in follows.items()
        if 0 < sum(values) < RARE * len(values)
    ]
    if rare:
        yield f"the model rarely writes {_join(rare)}"
    excluded = list(_find_excluded(outcomes, protocol))
    if excluded and protocol == "corrected":
        yield (
            f"bias_f and format_std exclude formats that fewer than {MIN_FOLLOWING} answers, or "
            f"less than a tenth of them, follow: {'; '.join(excluded)}"
        )


def _join(texts: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(texts[:-1]), texts[-1])))


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
