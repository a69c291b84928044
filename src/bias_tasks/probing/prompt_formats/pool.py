"""Which items and which parts of the grammar a search is over, and which formats it compares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.options_block import find_options
from bias_tasks.probing.probes.base import DoesNotApplyError, need_choices
from bias_tasks.probing.prompt_formats.grammar import LABELS, Format, every_format
from bias_tasks.probing.refers import holds_any, refer_to_others, words_alone
from bias_tasks.prompts.seeded import seeded

MOST = 0.8
"""Share of the items with choices to which a part of the grammar applies at least: another is left
out, rather than most of the items."""
_FEWEST = 4
"""Items at least: two to search with and two to hold out."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Items that every format of some parts of the grammar applies to."""

    items: tuple[ProbedItem, ...]
    labels: bool
    """Whether options may be numbered otherwise."""
    capitals: bool
    notes: tuple[str, ...]
    """What is left out, and why."""


def pool_of(items: Sequence[ProbedItem]) -> Pool:
    """The items that can be asked in any format.

    All formats are asked the same items, so that none is better by its items.

    Raises:
        ValueError: fewer than four items print choices.
    """
    chosen = [item for item in items if _has_choices(item)]
    if len(chosen) < _FEWEST:
        raise ValueError(
            f"a search for formats needs {_FEWEST} items or more whose prompt prints choices: of "
            f"{len(items):,} items {len(chosen):,} have 2 to 26 of them"
        )
    notes = _left_out(len(items), len(chosen), "print no choices, or too many")
    kept = {}
    for part, applies in (("labels", _takes_labels), ("capitals", _takes_capitals)):
        taking = [item for item in chosen if applies(item)]
        kept[part] = len(taking) >= max(MOST * len(chosen), _FEWEST)
        if kept[part]:
            notes += _left_out(len(chosen), len(taking), f"can't take other {part}")
            chosen = taking
        else:
            notes.append(
                f"no format changes {part}: it can be done in {len(taking):,} of "
                f"{len(chosen):,} items"
            )
    return Pool(tuple(chosen), **kept, notes=tuple(notes))


def sampled_formats(
    pool: Pool, count: int, seed: int, prompts: Sequence[tuple[str, int]]
) -> list[Format]:
    """Formats of the grammar, drawn by the seed without one twice, the plain one first.

    Those that leave a prompt as it is are passed over, and so are those that look in every prompt
    as an earlier one does.

    Args:
        pool: says which parts of the grammar may vary.
        count: how many at most, the plain one among them.
        seed: of the draw.
        prompts: some of the task's own, as a model is sent them, each with the number of its
            choices.

    Raises:
        ValueError: no prompt prints options that can be found.
    """
    taking = [each for each in prompts if find_options(*each) is not None]
    if not taking:
        raise ValueError(
            "no format can be put into the task's prompts: they do not print the choices behind "
            "labels on lines of their own"
        )
    every = every_format(pool.labels, pool.capitals)
    drawn = seeded(seed, "formats").sample(every, len(every))
    found, plain = [every[0]], [prompt for prompt, _ in taking]
    seen = {tuple(plain)}
    for each in drawn:
        if len(found) == count:
            break
        looks = _dressed(each, taking)
        if looks not in seen and set(looks).isdisjoint(plain):
            seen.add(looks)
            found.append(each)
    return found


def _dressed(each: Format, prompts: Sequence[tuple[str, int]]) -> tuple[str, ...]:
    """The prompts in a format."""
    dress = each.dress
    return tuple(p if dress is None else dress.prompt(p, count) for p, count in prompts)


def _has_choices(item: ProbedItem) -> bool:
    try:
        need_choices(item)
    except DoesNotApplyError:
        return False
    return True


def _takes_labels(item: ProbedItem) -> bool:
    """Whether no choice speaks of another, or holds what could be a label.

    Small letters are those that the task's own labels are, and no more often a word of a choice.
    """
    count = len(item.choices)
    schemes = [each[:count] for name, each in LABELS.items() if name != "small-letters"]
    return (
        count <= min(map(len, LABELS.values()))
        and not refer_to_others(item.choices)
        and not any(holds_any(item.choices, scheme) for scheme in schemes)
    )


def _takes_capitals(item: ProbedItem) -> bool:
    """Whether the choices mean the same in capitals and without, and are set in neither."""
    words = "".join(item.choices)
    return words_alone(item.choices) and words not in (words.upper(), words.lower())


def _left_out(before: int, behind: int, why: str) -> list[str]:
    return [f"{before - behind:,} of {before:,} items {why}"] if behind < before else []
