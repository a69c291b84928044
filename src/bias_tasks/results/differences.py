"""What two runs differ in beside their answers, which answers belong together, and whether the runs
can be compared at all: the one place that compares records."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from bias_tasks.results.answers import RunAnswers
from bias_tasks.results.run import Answered, Run, UnusableRunError
from bias_tasks.results.text import brief, listed, printable, value_text

Kind = Literal["task", "model", "host", "parameter", "setting", "source", "version", "asked"]
_IDENTITY = ("path", "repository", "revision", "sha256", "files", "digest", "by", "round")
"""What of a source's provenance says which one it is; the rest counts what was used of it."""


class Difference(NamedTuple):
    """One thing that is not the same in two runs."""

    name: str
    kind: Kind
    one: Any
    """What the first run has, as a plain JSON value."""
    other: Any

    def __str__(self) -> str:
        return f"{brief(self.name)} {value_text(self.one)} / {value_text(self.other)}"


def differences(one: Run, other: Run) -> tuple[Difference, ...]:
    """Everything in which two runs differ, beside what was answered and when; `asked` stands last,
    and means by itself that a template or an item was changed."""
    here, there = _facts(one), _facts(other)
    every = (
        Difference(name, kind, here[kind].get(name, "-"), there[kind].get(name, "-"))
        for kind in here
        for name in here[kind] | there[kind]
    )
    return tuple(each for each in every if each.one != each.other)


def sources(record: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Which state of which source items come from, by the source's name; of several, numbered."""
    found: dict[str, dict[str, Any]] = {}
    seen: Counter[str] = Counter()
    for source in record["provenance"]:
        if "source" in source:
            name = str(source["source"])
            seen[name] += 1
            name += f" {seen[name]}" if seen[name] > 1 else ""
            found[name] = {part: source[part] for part in _IDENTITY if part in source}
    return found


def _facts(run: Run) -> dict[Kind, dict[str, Any]]:
    """What identifies a run; its task by the family's own name, which is the same in each host."""
    record = run.record
    return {
        "task": {name: record[name] for name in ("family", "task")},
        "model": {"model": run.model},
        "host": {"host": run.host},
        "parameter": dict(record["parameters"]),
        "setting": dict(run.settings),
        "source": sources(record),
        "version": {"version of the task": record.get("version"), **run.versions},
        "asked": {"digest of what is asked": record["digest"]},
    }


class Paired(NamedTuple):
    """Two runs of one task with the answers to what both were asked."""

    first: RunAnswers
    """The baseline."""
    second: RunAnswers
    first_only: int
    """Answers, an item under a variant each, that were left out."""
    second_only: int
    differing: tuple[Difference, ...]
    """What the runs differ in beside their answers."""

    @property
    def items(self) -> int:
        """Items that both have."""
        return len({answer.outcome.item for answer in self.first.answers})


def paired(first: RunAnswers, second: RunAnswers, *, overlap: bool = False) -> Paired:
    """The runs' answers to what both were asked; an UnusableRunError where they read, score or ask
    in different ways, or one asks what the other does not, and no `overlap` leaves that out."""
    found = differences(first.run, second.run)
    here, there = ({_key(each): each for each in run.answers} for run in (first, second))
    both = {key: (here[key], there[key]) for key in here if key in there}
    lacking = len(here) - len(both), len(there) - len(both)
    reason = next(_reasons(first.run, second.run, found, both, () if overlap else lacking), None)
    if reason is not None:
        paths = f"{first.run.path} and {second.run.path}"
        raise UnusableRunError(printable(f"{paths} can't be compared: {reason}"))
    one, other = (
        replace(run, answers=tuple(each for each in run.answers if _key(each) in both))
        for run in (first, second)
    )
    return Paired(one, other, *lacking, tuple(each for each in found if each.kind != "asked"))


def _key(each: Answered) -> tuple[str, str]:
    return each.outcome.item, each.outcome.variant


def _reasons(
    one: Run,
    other: Run,
    found: Sequence[Difference],
    both: Mapping[tuple[str, str], tuple[Answered, Answered]],
    lacking: Sequence[int],
) -> Iterator[str]:
    """Why two runs can't be compared, if they can't: `both` is what both were asked by item and
    variant, `lacking` how many answers each has alone, where these may not be left out."""
    parameters = {each.name: each for each in found if each.kind == "parameter"}
    # What makes the same answers come to other figures.
    counted = {each.name for each in other.spec.parameters if each.for_figures} | {"protocol"}
    for each in found:
        if each.name == "version of the task" or each.name in parameters.keys() & counted:
            yield f"their {each.name} differs ({each}); run both alike"
    # Prompts stand in the logs, but not those of further rounds or of judges.
    kinds = {each.kind for each in found}
    if "asked" in kinds and not kinds & {"parameter", "source"}:
        yield (
            f"what is asked differs (digest {one.record['digest']} / {other.record['digest']}): a "
            "template or an item was changed between them; run both with one version of bias-tasks"
        )
    mitigations = one.family.mitigations & parameters.keys()
    asked_by = parameters.keys() - mitigations | {"limit"}
    causes = [str(each) for each in found if each.kind == "source" or each.name in asked_by]
    why = f" ({'; '.join(causes)})" if causes else ""
    if any(lacking):
        alone = " and ".join(
            f"{count:,} answers of the {which} run are not in the other"
            for which, count in zip(("first", "second"), lacking, strict=True)
            if count
        )
        items = len({item for item, _ in both})
        shared = f"{len(both):,} answers to {items:,} items"
        yield f"they asked other items: {alone}{why}; --overlap compares the {shared} both have"
    if not both:
        yield "they have no item in common"
    # The prompts of a further round hold the model's own answers.
    sources = (*one.record["provenance"], *other.record["provenance"])
    by_prompt = all(source.get("source") != "first_round" for source in sources)

    def asked(each: Answered) -> tuple[Any, str]:
        # How a mitigation asks stands in the facts, too.
        facts = _without(each.facts, one.family.mitigations if mitigations else ())
        return facts, each.prompt if by_prompt and not mitigations else ""

    changed = ["/".join(key) for key, (here, there) in both.items() if asked(here) != asked(there)]
    if changed:
        told = listed(changed, most=5)
        yield f"they ask other questions, or by other prompts, under the same ids{why}: {told}"


def _without(facts: Any, names: Collection[str]) -> Any:
    if names and isinstance(facts, Mapping):
        return {name: _without(value, names) for name, value in facts.items() if name not in names}
    return facts
