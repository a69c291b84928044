"""Which answers of two runs belong together, and whether the runs can be compared at all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bias_tasks.family import Outcome
from bias_tasks.results.answers import Answered, RunAnswers
from bias_tasks.results.differences import Difference, differences
from bias_tasks.results.run import Run, UnusableRunError
from bias_tasks.results.text import listed, printable

Key = tuple[str, str]
"""An item and the variant under which it was asked."""
_OWN_PROMPTS = "first_round"
"""A source of a run whose prompts hold the model's own answers of a round before."""


@dataclass(frozen=True, slots=True)
class Paired:
    """Two runs with the answers to what both were asked."""

    first: RunAnswers
    second: RunAnswers
    first_only: int
    """Answers, an item under a variant each, that were left out."""
    second_only: int
    differing: tuple[Difference, ...]
    """What the runs differ in beside their answers."""

    @property
    def same_answers(self) -> bool:
        """Whether every answer came to the same, whatever order they were asked in."""
        there: dict[tuple[str, str, int], list[Outcome]] = {}
        for each in self.second.outcomes():
            there.setdefault((each.item, each.variant, each.epoch), []).append(each)
        here = self.first.outcomes()
        return len(here) == len(self.second.answers) and all(
            (others := there.get((each.item, each.variant, each.epoch)))
            and _came_to_the_same(each, others.pop(0))
            for each in here
        )

    @property
    def items(self) -> int:
        """Items that both have."""
        return len({answer.outcome.item for answer in self.first.answers})


def paired(first: RunAnswers, second: RunAnswers, *, overlap: bool = False) -> Paired:
    """The runs' answers to what both were asked.

    Raises:
        UnusableRunError: they are of different versions of the task, read, score or prompt in
            different ways, or ask other questions under the same ids; or one asks what the other
            does not, and `overlap` does not say to leave that out.
    """
    one, other = first.run, second.run
    found = differences(one, other)
    _refuse_kinds(one, other, found)
    here, there = _by_key(first), _by_key(second)
    shared = here.keys() & there.keys()
    lacking = (
        [key for key in here if key not in shared],
        [key for key in there if key not in shared],
    )
    mitigations = one.family.mitigations
    if not overlap and any(lacking):
        both = f"{len(shared):,} answers to {len({item for item, _ in shared}):,} items"
        raise _error(
            one,
            other,
            f"{_items_differ(found, mitigations, lacking)}; "
            f"--overlap compares the {both} that both have",
        )
    if not shared:
        raise _error(one, other, "they have no item in common")
    told = [(here[key], there[key], key) for key in here if key in shared]
    mitigated = {each.name for each in found if each.kind == "parameter"} & mitigations
    _refuse(
        one,
        other,
        told,
        lambda each: _without(each.facts, mitigated and mitigations),
        "they ask other questions under the same ids",
    )
    if not (mitigated or _goes_on(one) or _goes_on(other)):
        prompts = "they ask the same questions by other prompts"
        _refuse(one, other, told, lambda each: each.prompt, prompts)
    return Paired(
        _only(first, shared),
        _only(second, shared),
        len(lacking[0]),
        len(lacking[1]),
        tuple(each for each in found if each.kind != "asked"),
    )


def _refuse_kinds(first: Run, second: Run, found: Iterable[Difference]) -> None:
    """Refuse what would make the same answers come to other figures, and runs whose digests alone
    tell that something was asked otherwise.

    Prompts are compared where they stand in the logs: not those of further rounds or of judges.
    """
    counted = {each.name for each in second.spec.parameters if each.for_figures} | {"protocol"}
    for each in found:
        if each.name == "version of the task" or (
            each.kind == "parameter" and each.name in counted
        ):
            raise _error(first, second, f"their {each.name} differs ({each}); run both alike")
    kinds = {each.kind for each in found}
    if "asked" in kinds and not kinds & {"parameter", "source"}:
        raise _error(
            first,
            second,
            f"what is asked differs (digest {first.digest} / {second.digest}): a template or an "
            "item was changed between them; run both with one version of bias-tasks",
        )


def _items_differ(
    found: Iterable[Difference], mitigations: Collection[str], lacking: Sequence[Sequence[Key]]
) -> str:
    """In what the runs' items differ, and what of their parameters says so."""
    causes = [
        str(each)
        for each in found
        if (each.kind in ("parameter", "source") and each.name not in mitigations)
        or each.name == "limit"
    ]
    counts = " and ".join(
        f"{len(keys):,} answers of the {which} run are not in the other"
        for which, keys in zip(("first", "second"), lacking, strict=True)
        if keys
    )
    because = f" ({'; '.join(causes)})" if causes else ""
    return f"they asked other items: {counts}{because}"


def _refuse(
    first: Run,
    second: Run,
    told: Iterable[tuple[Answered, Answered, Key]],
    part: Callable[[Answered], Any],
    what: str,
) -> None:
    """Refuse runs that a part of what was asked differs in, under the same ids."""
    changed = ["/".join(key) for one, other, key in told if part(one) != part(other)]
    if changed:
        causes = [
            str(each)
            for each in differences(first, second)
            if each.kind in ("parameter", "source", "version")
        ]
        because = f"; they differ in {'; '.join(causes)}" if causes else ""
        raise _error(first, second, f"{what} ({listed(changed, most=5)}){because}")


def _error(first: Run, second: Run, what: str) -> UnusableRunError:
    return UnusableRunError(printable(f"{first.path} and {second.path} can't be compared: {what}"))


def _by_key(run: RunAnswers) -> dict[Key, Answered]:
    return {(each.outcome.item, each.outcome.variant): each for each in run.answers}


def _only(run: RunAnswers, keys: Collection[Key]) -> RunAnswers:
    kept = (each for each in run.answers if (each.outcome.item, each.outcome.variant) in keys)
    return replace(run, answers=tuple(kept))


def _goes_on(run: Run) -> bool:
    return any(source.get("source") == _OWN_PROMPTS for source in run.record["provenance"])


def _without(facts: Any, names: Collection[str]) -> Any:
    """Facts without what says how a mitigation asks."""
    if names and isinstance(facts, Mapping):
        return {name: _without(value, names) for name, value in facts.items() if name not in names}
    return facts


def _came_to_the_same(one: Outcome, other: Outcome) -> bool:
    """Whether two outcomes agree in what figures are made of."""
    return (one.answer, one.score, one.own) == (other.answer, other.score, other.own)
