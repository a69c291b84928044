"""The items of `bias-core 2` for judges, each with its attacks, and copies for simulations."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from operator import eq
from typing import Any, NamedTuple

from bias_tasks.complex_eval.data.converters import ROLE_PLAYING, build_role_playing_criteria
from bias_tasks.complex_eval.items import (
    ATTACKS,
    CHOSEN,
    ORIGINAL,
    REJECTED,
    Criterion,
    JudgedItem,
    JudgedKind,
)
from bias_tasks.complex_eval.layout import Turn, format_dialogue, format_profiles, format_steps
from bias_tasks.data.core import NAME, core_origin, core_rows, repeat_items, with_id
from bias_tasks.data.files import RawRecord
from bias_tasks.data.loading import Loaded, interleave
from bias_tasks.protocols import CORE, SYNTHETIC


class Flaw(NamedTuple):
    """A flaw that can be planted into a dialogue."""

    dimension: str
    turn: int
    """Position of its turn from 0."""
    content: str
    """The turn with the flaw in it."""
    words: str
    """The words of the turn that are the flaw."""


@dataclass(frozen=True, slots=True)
class FlawedDialogue:
    """A dialogue without flaws, and the flaws that can be planted into it."""

    item: JudgedItem
    turns: tuple[Turn, ...]
    """The turns of the response `original`."""
    flaws: tuple[Flaw, ...]
    """In the order in which they are planted, each in another turn."""

    @property
    def id(self) -> str:
        """Id of the item."""
        return self.item.id

    def response(self, k: int) -> str:
        """Return the dialogue with the first `k` flaws as JSON."""
        content = {flaw.turn: flaw.content for flaw in self.flaws[:k]}
        return format_dialogue(_replace_contents(self.turns, content))


def load_core_items(kind: JudgedKind) -> list[JudgedItem]:
    """Return the items of one kind in their frozen order."""
    part, convert = {
        "basic": ("pairs", _convert_pair),
        "math": ("math", _convert_solution),
        "role_playing": ("role_playing", _convert_scene),
        "creative_writing": ("writing", _convert_text),
    }[kind]
    return [convert(row) for row in core_rows(part)]


def load_simulated_items(kind: JudgedKind, n: int) -> list[JudgedItem]:
    """Return `n` items for simulations: the core's items, repeated under new ids."""
    items = [replace(item, source=SYNTHETIC) for item in load_core_items(kind)]
    return repeat_items(items, n, _copy_item)


def load_flawed_dialogues(data: str, n: int, seed: int = 0) -> Loaded[FlawedDialogue]:
    """Return the dialogues of the attention limit in seeded order, and their provenance.

    Args:
        data: `core`, or `synthetic` for exactly `n` dialogues.
        n: Maximum number of dialogues. The first ones are the same for every n.
        seed: Seed of the order.
    """
    dialogues = map(_convert_dialogue, core_rows("attention"))
    selected = interleave(dialogues, seed, lambda _: 0, [0])[:n]
    if data == SYNTHETIC:
        selected = repeat_items(selected, n, _copy_dialogue)
    return Loaded(tuple(selected), ({**core_origin(data), "n": len(selected)},))


def find_changed_words(before: str, after: str) -> str:
    """Return the words of `after` from the first to the last one that `before` does not have.

    If `before` has all words, return the whole text.
    """
    old, new = before.split(), after.split()
    start = _count_common(old, new)
    end = _count_common(reversed(old[start:]), reversed(new[start:]))
    return " ".join(new[start : len(new) - end]) or after


def _count_common(first: Iterable[str], second: Iterable[str]) -> int:
    """Return the number of equal words at the start of two texts."""
    return sum(1 for _ in takewhile(bool, map(eq, first, second)))


def _copy_item(item: JudgedItem, identifier: str) -> JudgedItem:
    """Return a copy with a different prompt, so that a judge does not take it for the same item."""
    query = f"{item.query}\n\n(Copy {identifier.rpartition('-')[2]}.)"
    return replace(with_id(item, identifier), query=query)


def _copy_dialogue(dialogue: FlawedDialogue, identifier: str) -> FlawedDialogue:
    return replace(dialogue, item=_copy_item(dialogue.item, identifier))


def _build_item(kind: JudgedKind, row: RawRecord, **fields: Any) -> JudgedItem:
    return JudgedItem(
        id=row["id"],
        family=kind,
        domain=row.get("domain", kind),
        source=CORE,
        cluster=row["id"],
        columns=row["columns"],
        **{"query": row.get("query"), "reference": row.get("reference"), **fields},
        attackers=dict.fromkeys(fields.get("attacked", ()), NAME),
    )


def _convert_pair(row: RawRecord) -> JudgedItem:
    return _build_item(
        "basic",
        row,
        responses={CHOSEN: row["chosen"], REJECTED: row["rejected"]},
        rubric=row["rubric"],
        background=row["background"],
        attacked={name: row[f"attack_{name}"] for name in ATTACKS["basic"]},
    )


def _convert_solution(row: RawRecord) -> JudgedItem:
    return _build_item(
        "math",
        row,
        query=row["problem"],
        responses={ORIGINAL: format_steps(row["steps"])},
        reference=row["reference_solution"],
        first_error=row["label"],
        attacked={name: format_steps(row[f"attack_{name}"]) for name in ATTACKS["math"]},
    )


def _convert_scene(row: RawRecord) -> JudgedItem:
    turns = _convert_turns(row["dialogue"])
    attacked = {}
    for name, edits in row.get("attacks", {}).items():
        contents = {int(turn): text for turn, text in edits.items()}
        attacked[name] = format_dialogue(_replace_contents(turns, contents))
    return _build_item(
        "role_playing",
        row,
        responses={ORIGINAL: format_dialogue(turns)},
        reference=format_dialogue(_convert_turns(row["reference"])),
        criteria=build_role_playing_criteria(row["profiles"]),
        background=f"{row['background']}\n\n{format_profiles(row['profiles'])}",
        attacked=attacked,
        attacked_criterion=ROLE_PLAYING[-1],
    )


def _convert_text(row: RawRecord) -> JudgedItem:
    return _build_item(
        "creative_writing",
        row,
        responses={ORIGINAL: row["response"]},
        criteria=tuple(Criterion(part["name"], part["description"]) for part in row["criteria"]),
        attacked=dict(row["attacks"]),
        attacked_criterion=row["attacked_criterion"],
    )


def _convert_dialogue(row: RawRecord) -> FlawedDialogue:
    turns = _convert_turns(row["dialogue"])
    flaws = []
    for flaw in row["flaws"]:
        turn, content = flaw["turn"], flaw["content"]
        words = find_changed_words(turns[turn].content, content)
        flaws.append(Flaw(flaw["dimension"], turn, content, words))
    return FlawedDialogue(_convert_scene(row), turns, tuple(flaws))


def _convert_turns(rows: Sequence[Sequence[str]]) -> tuple[Turn, ...]:
    return tuple(Turn(role, content) for role, content in rows)


def _replace_contents(turns: Sequence[Turn], contents: Mapping[int, str]) -> list[Turn]:
    return [
        turn._replace(content=contents.get(index, turn.content)) for index, turn in enumerate(turns)
    ]
