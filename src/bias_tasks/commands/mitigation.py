"""The paper's criteria of a mitigation (section 3.2), for `compare` with runs of format tasks.

A mitigated run is compared with its baseline run in each data set, prompting and category that both
have.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from bias_tasks.contract.json_data import JsonObject
from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.metrics import FormatOutcome
from bias_tasks.output_format.metrics_groups import Group, group_outcomes
from bias_tasks.output_format.mitigation import MitigationComparison, compare_mitigation
from bias_tasks.results.answers import RunAnswers
from bias_tasks.results.comparison import SHARES, RunComparison
from bias_tasks.results.run import none_if_not_finite

FAMILY = "output_format"
"""The family whose tasks have mitigations."""
_DEFAULT_MARGIN = 0.05
"""How far `fi` of a format may fall in a significant mitigation, unless the user sets a margin."""
_CRITERION_TEXTS = {True: "yes", False: "no", None: "unknown"}
_TITLE = "mitigation (FormatEval, section 3.2)"


@dataclass(frozen=True, slots=True)
class GroupComparison:
    """A mitigation in one data set, prompting and category."""

    dataset: str
    prompting: str
    category: str
    n_paired: int
    """Answers of each run to questions that both runs answered."""
    n_baseline_only: int
    n_mitigated_only: int
    excluded_formats: tuple[str, ...]
    """As in `MitigationComparison`."""
    metrics: tuple[JsonObject, ...]
    """Metrics of the baseline run and the mitigated run, and the changes with their intervals, as
    plain JSON values."""
    criteria: Mapping[str, bool | None]
    """Whether each of the paper's criteria is met; None if that cannot be computed."""
    holds: bool
    """As in `MitigationComparison`."""
    significant: bool
    """As in `MitigationComparison`."""
    verdict: str
    """One sentence."""


@dataclass(frozen=True, slots=True)
class MitigationReport:
    """The criteria for two files of runs."""

    baseline: str
    """Path of the baseline run."""
    mitigated: str
    """Path of the mitigated run."""
    margin: float
    comparisons: tuple[GroupComparison, ...] = ()
    unpaired_groups: tuple[Group, ...] = ()
    """Groups that only one of the runs has."""
    not_compared: str | None = None
    """Why the runs cannot be compared; None if they are."""

    def to_dict(self) -> JsonObject:
        """Return the report as plain JSON values."""
        return asdict(self)

    def lines(self) -> Iterator[str]:
        """Yield the lines to print: the criteria and the verdict of each group."""
        if self.not_compared is not None:
            yield f"{_TITLE}: {self.not_compared}"
            return
        if self.unpaired_groups:
            groups = _list_groups(self.unpaired_groups)
            yield f"not compared, because only one of the runs has it: {groups}"
        for group in self.comparisons:
            name = _list_groups([(group.dataset, group.prompting, group.category)])
            answers = f"{group.n_paired:,} answers of each run"
            if group.n_baseline_only or group.n_mitigated_only:
                yield (
                    f"{_TITLE}, {name}: {answers}, to the questions that both answered; excluded "
                    f"are {group.n_baseline_only:,} of the baseline run and "
                    f"{group.n_mitigated_only:,} of the mitigated run"
                )
            else:
                yield f"{_TITLE}, {name}: all {answers}"
            if group.excluded_formats:
                names = ", ".join(group.excluded_formats)
                yield f"  bias_f excludes formats that too few answers of a run follow: {names}"
            for criterion, met in group.criteria.items():
                yield f"  {criterion}: {_CRITERION_TEXTS[met]}"
            yield f"  {group.verdict}"


def compare_mitigations(
    comparison: RunComparison,
    runs: Sequence[RunAnswers],
    margins: Mapping[str, float],
    *,
    every: bool = False,
) -> list[MitigationReport]:
    """Return the criteria for each two files of format runs that differ in a mitigation.

    Args:
        comparison: The comparison of the runs.
        runs: All runs with their answers.
        margins: The user's margins by metric or unit.
        every: Whether to compare any two files of format runs.
    """
    margin = margins.get(SHARES, _DEFAULT_MARGIN)
    pairs = [pair for pair in comparison.pairs if pair.first.record.family == FAMILY]
    used = {id(run) for pair in pairs for run in (pair.first, pair.second)}
    files = dict.fromkeys(
        (pair.first.path, pair.second.path)
        for pair in pairs
        if every or any(d.name in pair.first.family.mitigations for d in pair.paired.differences)
    )
    reports = []
    for paths in files:
        baseline, mitigated = (
            [answers for answers in runs if id(answers.run) in used and answers.run.path == path]
            for path in paths
        )
        try:
            reports.append(compare_runs(baseline, mitigated, margin))
        except ValueError as error:
            first, second = map(str, paths)
            reports.append(MitigationReport(first, second, margin, not_compared=str(error)))
    return reports


def compare_runs(
    baseline: Sequence[RunAnswers], mitigated: Sequence[RunAnswers], margin: float
) -> MitigationReport:
    """Compare the groups that both runs have.

    Args:
        baseline: The tasks of the baseline file.
        mitigated: The tasks of the mitigated file.
        margin: As in `compare_mitigation`.

    Raises:
        ValueError: There is no such group, or its runs have different formats or share no item.
    """
    before, after = (
        group_outcomes([outcome for run in runs for outcome in run.outcomes()])
        for runs in (baseline, mitigated)
    )
    shared = [group for group in before if group in after]
    if not shared:
        raise ValueError(
            f"the runs have nothing in common: the baseline run has {_list_groups(before)}, the "
            f"mitigated run {_list_groups(after)}. Compare runs of the same data and formats"
        )
    record = baseline[0].run.record
    protocol: PaperProtocol = "corrected" if record.protocol == "corrected" else "published"
    return MitigationReport(
        baseline=str(baseline[0].run.path),
        mitigated=str(mitigated[0].run.path),
        margin=margin,
        comparisons=tuple(_compare_group(g, before[g], after[g], margin, protocol) for g in shared),
        unpaired_groups=tuple(sorted(before.keys() ^ after.keys())),
    )


def _compare_group(
    group: Group,
    baseline: Sequence[FormatOutcome],
    mitigated: Sequence[FormatOutcome],
    margin: float,
    protocol: PaperProtocol,
) -> GroupComparison:
    """Compare one group on the questions that both runs answered."""
    try:
        result = compare_mitigation(baseline, mitigated, margin=margin, protocol=protocol)
    except ValueError as error:
        raise ValueError(f"{_list_groups([group])}: {error}") from error
    baseline_keys, mitigated_keys = (
        {(outcome.item, outcome.format) for outcome in run} for run in (baseline, mitigated)
    )
    delta = result.metrics["delta_bias_f"].value
    return GroupComparison(
        *group,
        n_paired=len(baseline_keys & mitigated_keys),
        n_baseline_only=len(baseline_keys - mitigated_keys),
        n_mitigated_only=len(mitigated_keys - baseline_keys),
        excluded_formats=result.excluded_formats,
        metrics=tuple(_describe_change(result, name) for name in result.baseline),
        criteria={
            "bias_f falls": None if math.isnan(delta) else delta < 0,
            "fi falls in no format": not result.lower_fi_formats,
        },
        holds=result.holds,
        significant=result.significant,
        verdict=_write_verdict(result),
    )


def _describe_change(result: MitigationComparison, name: str) -> JsonObject:
    """Return a metric of both runs and its change; undefined numbers are None."""
    change = result.metrics[f"delta_{name}"]
    numbers = {
        "baseline": result.baseline[name],
        "mitigated": result.mitigated[name],
        "difference": change.value,
        "ci_low": change.ci_low,
        "ci_high": change.ci_high,
        "n": change.n,
        "p": change.p,
    }
    return {"metric": name} | {part: none_if_not_finite(n) for part, n in numbers.items()}


def _write_verdict(result: MitigationComparison) -> str:
    """Return the verdict as one sentence."""
    delta = result.metrics["delta_bias_f"].value
    if math.isnan(delta):
        return "Unknown: bias_f needs two formats that answers of both runs follow."
    if result.significant:
        return "The mitigation holds: both criteria are met, and their intervals confirm it."
    if result.holds:
        return "Both criteria are met on these items, but their intervals do not confirm it."
    failures = []
    if delta >= 0:
        failures.append("bias_f does not fall")
    if result.lower_fi_formats:
        failures.append(f"fi falls in {', '.join(result.lower_fi_formats)}")
    return f"The mitigation does not hold: {', and '.join(failures)}."


def _list_groups(groups: Iterable[Sequence[str]]) -> str:
    """Return the names of groups as text."""
    return ", ".join(
        f"{dataset} in {category} formats under {prompting}"
        for dataset, prompting, category in groups
    )
