"""The paper's criteria of a mitigation (section 3.2), for compared runs that are of format tasks.

A mitigated run is compared with its base in each data set, prompting and category that both have.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from bias_tasks.contract.family import JsonObject
from bias_tasks.output_format.metrics import FormatOutcome
from bias_tasks.output_format.metrics_groups import Group, by_group
from bias_tasks.output_format.mitigation import Comparison, compare
from bias_tasks.results.answers import RunAnswers
from bias_tasks.results.comparison.compare import SHARES
from bias_tasks.results.comparison.compare import Comparison as RunsCompared
from bias_tasks.statistics.estimate import written

FAMILY = "output_format"
"""The family whose tasks mitigations are for."""
_MARGIN = 0.05
"""How far `fi` may fall in a format for a mitigation to be shown to hold, where nobody said."""
_ASKED = ("asked_in_both", "base_only", "mitigated_only")
_WORDS = {True: "yes", False: "no", None: "unknown"}
_SOURCE = "mitigation (FormatEval, section 3.2)"


def mitigations(
    comparison: RunsCompared,
    runs: Sequence[RunAnswers],
    margins: Mapping[str, float],
    *,
    every: bool = False,
) -> list[JsonObject]:
    """The criteria for each two files of format runs that differ in a mitigation, or of all of them
    (`every`), their tasks together: figures, criteria and verdicts of each group, or `why_not`."""
    margin = margins.get(SHARES, _MARGIN)
    pairs = [pair for pair in comparison.pairs if pair.first.record["family"] == FAMILY]
    used = {id(run) for pair in pairs for run in (pair.first, pair.second)}
    files = dict.fromkeys(
        (pair.first.path, pair.second.path)
        for pair in pairs
        if every or any(d.name in pair.first.family.mitigations for d in pair.paired.differing)
    )
    found = []
    for paths in files:
        base, mitigated = (
            [each for each in runs if id(each.run) in used and each.run.path == path]
            for path in paths
        )
        told: JsonObject = {"base": str(paths[0]), "mitigated": str(paths[1]), "margin": margin}
        try:
            found.append(told | compare_runs(base, mitigated, margin))
        except ValueError as error:
            found.append(told | {"why_not": str(error)})
    return found


def compare_runs(
    base: Iterable[RunAnswers], mitigated: Iterable[RunAnswers], margin: float
) -> JsonObject:
    """Compares the groups that both runs have; a ValueError where there is none, or in one of them
    the formats differ or no item is in both."""
    before, after = (
        by_group([outcome for run in runs for outcome in run.outcomes()])
        for runs in (base, mitigated)
    )
    both = [group for group in before if group in after]
    if not both:
        raise ValueError(
            f"the runs have nothing in common: the base run asked {_named(before)}, the mitigated "
            f"one {_named(after)}"
        )
    return {
        "in_one_run_alone": [list(group) for group in sorted(before.keys() ^ after.keys())],
        "comparisons": [_compared(g, before[g], after[g], margin) for g in both],
    }


def lines(mitigation: JsonObject) -> Iterator[str]:
    """What to print: for each group the criteria and the verdict."""
    if "why_not" in mitigation:
        yield f"{_SOURCE}: {mitigation['why_not']}"
        return
    if alone := mitigation["in_one_run_alone"]:
        yield f"left out of the criteria, as one run alone asked it: {_named(alone)}"
    for each in mitigation["comparisons"]:
        named = _named([(each["dataset"], each["prompting"], each["category"])])
        asked, *left = (each[name] for name in _ASKED)
        of = f"{asked:,} answers of each run, to what both asked"
        of += f"; left out are {left[0]:,} of the base run and {left[1]:,} of the mitigated"
        yield f"{_SOURCE}, {named}: {of if any(left) else f'all {asked:,} answers of each run'}"
        if each["left_out"]:
            names = ", ".join(each["left_out"])
            yield f"  bias_f leaves out, for want of answers that follow: {names}"
        yield from (f"  {name}: {_WORDS[met]}" for name, met in each["criteria"].items())
        yield f"  {each['verdict']}"


def _compared(
    group: Group, base: Sequence[FormatOutcome], mitigated: Sequence[FormatOutcome], margin: float
) -> JsonObject:
    """One data set, prompting and category in both runs, on what both were asked."""
    try:
        result = compare(base, mitigated, margin=margin)
    except ValueError as error:
        raise ValueError(f"{_named([group])}: {error}") from error
    keys, others = ({(each.item, each.format) for each in run} for run in (base, mitigated))
    sizes = (len(keys & others), len(keys - others), len(others - keys))
    change = result.figures["delta_bias_f"].value
    return {
        **dict(zip(("dataset", "prompting", "category"), group, strict=True)),
        **dict(zip(_ASKED, sizes, strict=True)),
        "left_out": list(result.left_out),
        "figures": [_figure(result, name) for name in result.base],
        "criteria": {
            "bias_f falls": None if math.isnan(change) else change < 0,
            "fi falls in no format": not result.falling,
        },
        "holds": result.holds,
        "shown": result.shown,
        "verdict": _verdict(result),
    }


def _figure(result: Comparison, name: str) -> JsonObject:
    [change] = written({"": result.figures[f"delta_{name}"]}).values()
    sides = {"base": result.base[name], "mitigated": result.mitigated[name]}
    told = {key: None if math.isnan(value) else value for key, value in sides.items()}
    return {"name": name, **told, "difference": change.pop("value"), **change}


def _verdict(result: Comparison) -> str:
    """A sentence."""
    if math.isnan(result.figures["delta_bias_f"].value):
        return "It can't be told: bias_f needs two formats that answers of both runs follow."
    if result.shown:
        return "The mitigation holds: both criteria are met, and their intervals bear it out."
    if result.holds:
        return "Both criteria are met on these items, but their intervals do not bear it out."
    failed = [] if result.figures["delta_bias_f"].value < 0 else ["bias_f does not fall"]
    failed += [f"fi falls in {', '.join(result.falling)}"] if result.falling else []
    return f"The mitigation does not hold: {', and '.join(failed)}."


def _named(groups: Iterable[Sequence[str]]) -> str:
    """The groups in words."""
    return ", ".join(f"{data} in {category} formats under {how}" for data, how, category in groups)
