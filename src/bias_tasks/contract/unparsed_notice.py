"""The notice at the end of a run with many unparsed answers: what they are, and what helps."""

from collections import Counter
from collections.abc import Iterable, Mapping

from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.outcomes import Extra, Outcome
from bias_tasks.data.files import RawRecord, read_yaml

MAX_UNPARSED_SHARE = 0.1
"""A run reports its unparsed answers if a variant has a larger share of them."""
PARSED = "parsed"
"""Stands for no cause, where answers are counted by cause."""
OWN_SCORER = "own_scorer"
"""The cause of an answer in which a probed task's own scorer found nothing."""
DEFECT = "defect"
"""The cause of an answer on which a parser of this package raised an exception."""
_EXPLAINED_CAUSES = (OWN_SCORER, DEFECT)
"""Causes of which a notice has an example: how one such answer was parsed."""
_FORM = "form"
"""The cause of an answer in another form, for a family that measures the form of answers."""


def unparsed_cause(outcome: Outcome[Extra]) -> str:
    """Return the cause of an unparsed answer, the first of `unparsed.yaml` with its reason."""
    causes: Mapping[str, RawRecord] = read_yaml(__package__, "unparsed")
    reasons = {outcome.unparsed_reason, outcome.reason}
    return next((name for name, row in causes.items() if reasons & {*row["reasons"]}), "other")


def find_unparsed_variants(
    family: AnyFamily, counts: Mapping[str, Counter[str]]
) -> dict[str, float]:
    """Return the variants with a larger share of unparsed answers than `MAX_UNPARSED_SHARE`.

    For a family that measures the form of answers, an answer in another form is not counted.

    Args:
        family: The family that scored the answers.
        counts: Number of answers by variant, then by cause or `PARSED`.

    Returns:
        The shares, from 0 to 1, by variant.
    """
    shares = {
        variant: sum(n for cause, n in causes.items() if _is_problem(family, cause))
        / causes.total()
        for variant, causes in counts.items()
    }
    return {variant: share for variant, share in shares.items() if share > MAX_UNPARSED_SHARE}


def _is_problem(family: AnyFamily, cause: str) -> bool:
    """Return whether answers of a cause are unparsed, and not what the family measures."""
    is_finding = read_yaml(__package__, "unparsed").get(cause, {}).get("finding")
    return cause != PARSED and not (family.measures_form and is_finding)


def unparsed_notice(family: AnyFamily, outcomes: Iterable[Outcome[Extra]]) -> str | None:
    """Return the notice of a run that has a variant with many unparsed answers, or any defect.

    Args:
        family: The family that scored the answers.
        outcomes: The outcomes of the run.

    Returns:
        Number, causes, variants and advice if a variant has a share of unparsed answers above
        `MAX_UNPARSED_SHARE`, and the number of defects if there are any. Otherwise None.
    """
    counts: dict[str, Counter[str]] = {}
    examples: dict[str, str] = {}
    for outcome in outcomes:
        cause = PARSED if outcome.answer is not None else unparsed_cause(outcome)
        counts.setdefault(outcome.variant, Counter())[cause] += 1
        if cause in _EXPLAINED_CAUSES:
            examples.setdefault(cause, outcome.explanation)
    notice = _describe_many(family, counts, examples)
    answers, advice = sum(counts.values(), Counter[str]()), _advice(DEFECT, examples)
    if answers[DEFECT] and advice not in notice:
        count = f"{answers[DEFECT]:,} of {answers.total():,} answers"
        defects = f"a parser of bias-tasks fails on {count}, which are unparsed{advice}"
        notice = f"{notice} In addition, {defects}" if notice else defects
    return notice or None


def _describe_many(
    family: AnyFamily, counts: Mapping[str, Counter[str]], examples: Mapping[str, str]
) -> str:
    """Return the part of the notice about variants with many unparsed answers, if there are any."""
    declared = read_yaml(__package__, "unparsed")
    shares = find_unparsed_variants(family, counts)
    if not shares:
        return ""
    unparsed: Counter[str] = Counter()
    problems: dict[str, Counter[str]] = {}
    for variant, causes in counts.items():
        for cause, count in causes.items():
            is_problem = _is_problem(family, cause)
            unparsed[cause if is_problem or cause == PARSED else _FORM] += count
            if is_problem:
                problems.setdefault(variant, Counter())[cause] += count
    total = unparsed.total()
    del unparsed[PARSED]
    listed_causes = _list_causes(unparsed, declared)
    text = f"{unparsed.total():,} of {total:,} answers are unparsed: {listed_causes}"
    if len(shares) < len(counts):
        by_variant = (
            f"{name} {problems[name].total():,} of {counts[name].total():,} "
            f"({_list_causes(problems[name], declared)})"
            for name in sorted(shares, key=shares.__getitem__, reverse=True)
        )
        text += f"; by variant: {'; '.join(by_variant)}"
    [(main_cause, _)] = sum(problems.values(), Counter()).most_common(1)
    return text + _advice(main_cause, examples)


def _advice(cause: str, examples: Mapping[str, str]) -> str:
    """Return the end of the notice: an example of an answer if it has one, and what to do."""
    example = f". An example: {examples[cause]}" if cause in examples else ""
    advice = read_yaml(__package__, "unparsed")[cause]["advice"]
    return f"{example}. What probably helps most: {advice}."


def _list_causes(causes: Counter[str], declared: RawRecord) -> str:
    """Return causes with their counts, such as `12 refusals`."""
    return ", ".join(
        f"{count:,} {declared[name]['description']}" for name, count in causes.most_common()
    )
