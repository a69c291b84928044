"""The items of `bias-core 3` for judges, each with its attacks, and copies for simulations."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from operator import eq
from typing import Any, NamedTuple

from bias_tasks.complex_eval.data.converters import ROLE_PLAYING, build_role_playing_criteria
from bias_tasks.complex_eval.items import (
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
from bias_tasks.data.loading import SYNTHETIC_ITEMS, Loaded, interleave
from bias_tasks.protocols import CORE, SYNTHETIC

Fields = dict[str, Any]
"""Fields of an item by name."""


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
    part = _PARTS.get(kind, kind)
    return [_build_item(kind, row) for row in core_rows(part)]


def load_simulated_items(kind: JudgedKind, n: int | None = None) -> list[JudgedItem]:
    """Return `n` items for simulations: the core's items, repeated under new ids."""
    items = [replace(item, source=SYNTHETIC) for item in load_core_items(kind)]
    return repeat_items(items, n or SYNTHETIC_ITEMS, _copy_item)


def load_flawed_dialogues(data: str, n: int, seed: int = 0) -> Loaded[FlawedDialogue]:
    """Return the dialogues of the attention limit in seeded order, and their provenance.

    Args:
        data: `core`, or `synthetic` for exactly `n` dialogues.
        n: Maximum number of dialogues. The first ones are the same for every n.
        seed: Seed of the order.
    """
    dialogues = map(_build_dialogue, core_rows("attention"))
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


def _build_item(kind: JudgedKind, row: RawRecord) -> JudgedItem:
    """Return the item of a row; `attack_<name>` and `attacks` are its attacks."""
    attacks = {
        name.removeprefix("attack_"): text
        for name, text in row.items()
        if name.startswith("attack_")
    }
    shared = ("query", "reference", "rubric", "background", "attacked_criterion")
    fields: Fields = {name: row.get(name) for name in shared}
    fields["attacked"] = row.get("attacks", attacks)
    fields |= _CONVERTERS[kind]({**row, **fields})
    return JudgedItem(
        id=row["id"],
        family=kind,
        domain=row.get("domain", kind),
        source=CORE,
        cluster=row["id"],
        columns=row["columns"],
        attackers=dict.fromkeys(fields["attacked"], NAME),
        **fields,
    )


def _convert_pair(row: RawRecord) -> Fields:
    return {"responses": {CHOSEN: row["chosen"], REJECTED: row["rejected"]}}


def _convert_solution(row: RawRecord) -> Fields:
    return {
        "query": row["problem"],
        "responses": {ORIGINAL: format_steps(row["steps"])},
        "reference": row["reference_solution"],
        "first_error": row["label"],
        "attacked": {name: format_steps(steps) for name, steps in row["attacked"].items()},
    }


def _convert_scene(row: RawRecord) -> Fields:
    turns = _convert_turns(row["dialogue"])
    attacked = {}
    for name, edits in row["attacked"].items():
        contents = {int(turn): text for turn, text in edits.items()}
        attacked[name] = format_dialogue(_replace_contents(turns, contents))
    return {
        "responses": {ORIGINAL: format_dialogue(turns)},
        "reference": format_dialogue(_convert_turns(row["reference"])),
        "criteria": build_role_playing_criteria(row["profiles"]),
        "background": f"{row['background']}\n\n{format_profiles(row['profiles'])}",
        "attacked": attacked,
        "attacked_criterion": ROLE_PLAYING[-1],
    }


def _convert_text(row: RawRecord) -> Fields:
    criteria = tuple(Criterion(part["name"], part["description"]) for part in row["criteria"])
    return {"responses": {ORIGINAL: row["response"]}, "criteria": criteria}


def _build_dialogue(row: RawRecord) -> FlawedDialogue:
    turns = _convert_turns(row["dialogue"])
    flaws = []
    for flaw in row["flaws"]:
        turn, content = flaw["turn"], flaw["content"]
        words = find_changed_words(turns[turn].content, content)
        flaws.append(Flaw(flaw["dimension"], turn, content, words))
    return FlawedDialogue(_build_item("role_playing", row), turns, tuple(flaws))


def _convert_turns(rows: Sequence[Sequence[str]]) -> tuple[Turn, ...]:
    return tuple(Turn(role, content) for role, content in rows)


def _replace_contents(turns: Sequence[Turn], contents: Mapping[int, str]) -> list[Turn]:
    return [
        turn._replace(content=contents.get(index, turn.content)) for index, turn in enumerate(turns)
    ]


_PARTS = {"basic": "pairs", "creative_writing": "writing"}
"""Parts of the core by kind, if the part has another name."""
_CONVERTERS: Mapping[JudgedKind, Callable[[RawRecord], Fields]] = {
    "basic": _convert_pair,
    "math": _convert_solution,
    "role_playing": _convert_scene,
    "creative_writing": _convert_text,
}
"""What returns the fields of an item that differ from the row's, by kind."""
