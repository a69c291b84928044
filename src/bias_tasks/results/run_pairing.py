"""Compares two runs: how they differ, which answers belong together, and whether the runs can be
compared at all."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, TypeAlias

from bias_tasks.results.answers import RunAnswers
from bias_tasks.results.frameworks.record import RunRecord
from bias_tasks.results.run import PROFILE, Run, ScoredAnswer, UnusableRunError
from bias_tasks.results.text import escape_unprintable, format_value, join_texts, shorten

Kind = Literal["task", "model", "framework", "parameter", "setting", "source", "version", "digest"]
_TASK_VERSION = "version of the task"
_SOURCE_IDENTITY = ("path", "repository", "revision", "sha256", "files", "digest", "by", "round")
"""Parts of a source's provenance that identify it; the rest counts what is used of it."""
_Key: TypeAlias = tuple[str, str]
"""Item and variant of an answer."""
_Pairs: TypeAlias = Mapping[_Key, tuple[ScoredAnswer, ScoredAnswer]]
"""The answers of two runs to the same questions."""


class Difference(NamedTuple):
    """One property that is not the same in two runs."""

    name: str
    kind: Kind
    first: object
    """Value in the first run, as a plain JSON value; `-` if it has none."""
    second: object

    def __str__(self) -> str:
        return f"{shorten(self.name)} {format_value(self.first)} / {format_value(self.second)}"


def find_differences(first: Run, second: Run) -> tuple[Difference, ...]:
    """Return all properties in which two runs differ, except answers and dates.

    The digest is last. If only the digest differs, a template or an item was changed.
    """
    first_values, second_values = _list_properties(first), _list_properties(second)
    return tuple(
        Difference(name, kind, values.get(name, "-"), second_values[kind].get(name, "-"))
        for kind, values in first_values.items()
        for name in values | second_values[kind]
        if values.get(name, "-") != second_values[kind].get(name, "-")
    )


def list_sources(record: RunRecord) -> dict[str, dict[str, object]]:
    """Return the identity of each source of items by its name; equal names are numbered."""
    sources: dict[str, dict[str, object]] = {}
    seen: Counter[str] = Counter()
    for source in record.provenance:
        if "source" in source:
            name = str(source["source"])
            seen[name] += 1
            name += f" {seen[name]}" if seen[name] > 1 else ""
            sources[name] = {part: source[part] for part in _SOURCE_IDENTITY if part in source}
    return sources


def _list_properties(run: Run) -> dict[Kind, dict[str, object]]:
    """Return what identifies a run, by kind and name."""
    record = run.record
    return {
        "task": {"family": record.family, "task": record.task},
        "model": {"model": run.model},
        "framework": {"framework": run.framework},
        "parameter": dict(record.parameters),
        "setting": dict(run.settings),
        "source": dict(list_sources(record)),
        "version": {_TASK_VERSION: record.version, **run.versions},
        "digest": {"digest": record.digest},
    }


class Attempt(NamedTuple):
    """What became of a question that two runs ask."""

    item: str
    variant: str
    cluster: str
    status: str
    """`parsed`, `unparsed` or `unscored`."""


class PairedRuns(NamedTuple):
    """Two runs of one task, with their answers to the same questions."""

    first: RunAnswers
    """The baseline run."""
    second: RunAnswers
    first_only: int
    """Number of items with answers that are left out, because the second run lacks the question."""
    second_only: int
    differences: tuple[Difference, ...]
    """Properties in which the runs differ."""
    first_attempts: tuple[Attempt, ...]
    """The first run's attempts, with and without a score, at the questions that both runs ask."""
    second_attempts: tuple[Attempt, ...]

    @property
    def items(self) -> int:
        """Number of items that both runs have."""
        return len({answer.outcome.item for answer in self.first.answers})


def pair_runs(first: RunAnswers, second: RunAnswers) -> PairedRuns:
    """Select the answers of two runs to the same questions.

    Args:
        first: The baseline run.
        second: The other run.

    Raises:
        UnusableRunError: The runs prompt, parse or score differently, or share no question.
    """
    differences = find_differences(first.run, second.run)
    first_answers, second_answers = (
        {_answer_key(answer): answer for answer in run.answers} for run in (first, second)
    )
    pairs = {
        key: (answer, second_answers[key])
        for key, answer in first_answers.items()
        if key in second_answers
    }
    obstacle = next(_find_obstacles(first.run, second.run, differences, pairs), None)
    if obstacle is not None:
        paths = f"{first.run.path} and {second.run.path}"
        raise UnusableRunError(escape_unprintable(f"{paths} cannot be compared: {obstacle}"))
    kept_first, kept_second = (
        replace(run, answers=tuple(a for a in run.answers if _answer_key(a) in pairs))
        for run in (first, second)
    )
    first_only, second_only = (
        len({item for item, _ in answers.keys() - pairs.keys()})
        for answers in (first_answers, second_answers)
    )
    reported = tuple(d for d in differences if d.kind != "digest")
    attempts = [list(_list_attempts(run)) for run in (first, second)]
    asked = set.intersection(*({(a.item, a.variant) for a in listed} for listed in attempts))
    shared = (tuple(a for a in listed if (a.item, a.variant) in asked) for listed in attempts)
    return PairedRuns(kept_first, kept_second, first_only, second_only, reported, *shared)


def _list_attempts(run: RunAnswers) -> Iterator[Attempt]:
    """Yield the attempts of a run at its questions, with and without a score."""
    for outcome in run.outcomes():
        status = "unparsed" if outcome.answer is None else "parsed"
        yield Attempt(outcome.item, outcome.variant, outcome.cluster, status)
    for sample in run.unscored:
        if sample.is_attempt:
            yield Attempt(sample.item, sample.variant, sample.cluster, "unscored")


def _answer_key(answer: ScoredAnswer) -> _Key:
    return answer.outcome.item, answer.outcome.variant


def _find_obstacles(
    first: Run, second: Run, differences: Sequence[Difference], pairs: _Pairs
) -> Iterator[str]:
    """Yield the reasons why two runs cannot be compared.

    Args:
        first: The baseline run.
        second: The other run.
        differences: Properties in which they differ.
        pairs: Their answers to the same questions.
    """
    profiles = next((d for d in differences if d.name == PROFILE), None)
    if profiles is not None and "-" not in (profiles.first, profiles.second):
        yield (
            f"they are of two versions of the bias profile ({profiles.first} / {profiles.second}), "
            "with other tasks and items; run both with one version of bias-tasks"
        )
    parameters = {d.name: d for d in differences if d.kind == "parameter"}
    # The same answers have other metrics if one of these differs.
    metric_parameters = {p.name for p in second.spec.parameters if p.affects_metrics} | {"protocol"}
    for difference in differences:
        is_parameter = difference.kind == "parameter" and difference.name in metric_parameters
        if is_parameter or difference.name == _TASK_VERSION:
            yield f"{difference.name} is not the same ({difference}); run both with one value"
    # Logs have the prompts, but not those of later rounds or of graders: only the digest has them.
    kinds = {difference.kind for difference in differences}
    if "digest" in kinds and not kinds & {"parameter", "source"}:
        yield (
            f"their digests differ ({first.record.digest} / {second.record.digest}): a template or "
            "an item was changed, or the versions of bias-tasks record questions differently; run "
            "both with one version"
        )
    mitigations = first.family.mitigations & parameters.keys()
    selecting = parameters.keys() - mitigations | {"limit"}
    causes = [str(d) for d in differences if d.kind == "source" or d.name in selecting]
    cause = f" ({'; '.join(causes)})" if causes else ""
    if not pairs:
        yield f"they have no item in common{cause}"
    changed = _find_changed_questions(pairs, mitigations)
    if changed:
        listed = join_texts(changed, max_texts=5)
        yield f"they have other questions or prompts under the same ids{cause}: {listed}"


def _find_changed_questions(pairs: _Pairs, mitigations: Collection[str]) -> list[str]:
    """Return the ids of the questions that differ between the runs.

    A mitigation changes prompts and scoring data by design.
    """

    def question(answer: ScoredAnswer) -> tuple[object, str]:
        if mitigations:
            return _without_names(answer.scoring_data.to_dict(), mitigations), ""
        planned = answer.planned_prompt
        return answer.scoring_data, answer.prompt if planned is None else planned

    return ["/".join(key) for key, (one, two) in pairs.items() if question(one) != question(two)]


def _without_names(value: object, names: Collection[str]) -> object:
    """Return plain JSON values without these names in objects at any depth."""
    if isinstance(value, Mapping):
        return {n: _without_names(part, names) for n, part in value.items() if n not in names}
    return value
