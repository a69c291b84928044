"""Summarizes what each model of a report does, and what its runs cannot say."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from bias_tasks.results.answer_distribution import describe_constant_answers
from bias_tasks.results.findings import Finding, build_finding, rank_strength
from bias_tasks.results.run import Run
from bias_tasks.results.verdicts import RunVerdict

_MAX_BEHAVIOURS = 4
"""Behaviours that a summary names; the findings below it have all."""
_OPEN: Mapping[RunVerdict, str] = {
    "INCONCLUSIVE": "too few items to show or exclude a bias",
    "AT CHANCE": "no better than chance, so that changes mean nothing",
    "UNPARSED": "too many unparsed answers",
    "NO VALUE": "nothing to measure",
}
"""Why a finding says nothing, by its verdict."""
EntryT = TypeVar("EntryT")


class ModelSummary(NamedTuple):
    """What a model does, and what cannot be said about it."""

    behaviours: list[tuple[str, str]]
    """Task and sentence of its clearest behaviours, the most important one first."""
    small: list[str]
    """Tasks whose bias is small or a gain."""
    unsaid: dict[str, list[str]]
    """Tasks without an answer, by reason."""


def rank_findings(entries: Sequence[tuple[Run, EntryT]]) -> dict[str, list[EntryT]]:
    """Return the entries of each model, the one with the strongest bias first.

    Args:
        entries: Each run with what is shown of it.
    """
    by_model: dict[str, list[tuple[Run, EntryT]]] = {}
    for run, entry in entries:
        by_model.setdefault(run.model, []).append((run, entry))
    return {
        model: [entry for _, entry in sorted(pairs, key=lambda pair: _importance(pair[0]))]
        for model, pairs in by_model.items()
    }


def _importance(run: Run) -> tuple[int, int, float]:
    """Return a key that is smallest for the most important finding: constant answers."""
    rank, bias = rank_strength(run, build_finding(run))
    is_constant = describe_constant_answers(run.distributions) is not None
    is_same_everywhere = len({group.constant_label for group in run.distributions}) == 1
    return -is_constant - (is_constant and is_same_everywhere), -rank, -bias


def summarize_models(findings: Sequence[tuple[str, Run, Finding]]) -> dict[str, ModelSummary]:
    """Return the summary of each model.

    Args:
        findings: Each run with its finding, behind the name of its task, which has the parameters
            if several runs of the task differ in them.
    """
    ranked = rank_findings([(entry[1], entry) for entry in findings])
    return {model: _summarize(entries) for model, entries in ranked.items()}


def _summarize(findings: Sequence[tuple[str, Run, Finding]]) -> ModelSummary:
    summary = ModelSummary([], [], {})
    for task, run, finding in findings:
        constant = describe_constant_answers(run.distributions)
        if constant:
            summary.behaviours.append((task, constant))
        if finding.word in ("FOUND", "MEASURED"):
            summary.behaviours.append((task, _shorten_sentence(finding)))
        elif finding.word in ("SMALL", "GAIN"):
            summary.small.append(task)
        elif not constant or finding.word != "NO VALUE":
            summary.unsaid.setdefault(_OPEN[finding.word], []).append(task)
    del summary.behaviours[_MAX_BEHAVIOURS:]
    return summary


def _shorten_sentence(finding: Finding) -> str:
    """Return the part of a sentence that says what the model does, without an interval."""
    first, *others = finding.sentence.split("; ")
    if finding.word == "MEASURED":
        return "; ".join([first, *others[:1]])
    return re.sub(r" \([^()]*\)$", "", first)
