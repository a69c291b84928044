"""The items of `bias-core 1` that judges judge, each with its attacks, and for simulations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from bias_tasks.complex_eval.data.converters import role_playing_criteria
from bias_tasks.complex_eval.items import (
    BIASES,
    CHOSEN,
    ORIGINAL,
    REJECTED,
    Criterion,
    JudgedItem,
    JudgedKind,
)
from bias_tasks.complex_eval.layout import Turn, dialogue_text, profiles_text, steps_text
from bias_tasks.data.core import NAME, core_origin, core_rows, renamed, repeated
from bias_tasks.data.loading import Loaded, in_turns

CORE, SYNTHETIC = "core", "synthetic"
Row = Mapping[str, Any]


class Flaw(NamedTuple):
    """One flaw that can be planted into a dialogue: its turn, from 0, with the flaw in it, and the
    words that are the flaw."""

    dimension: str
    turn: int
    content: str
    words: str


@dataclass(frozen=True, slots=True)
class FlawedDialogue:
    """A dialogue without a flaw, and what can be made wrong in it."""

    item: JudgedItem
    turns: tuple[Turn, ...]
    """Of its response `original`."""
    flaws: tuple[Flaw, ...]
    """In the order in which they are planted, each in a turn of its own."""

    @property
    def id(self) -> str:
        """Its item's."""
        return self.item.id

    def response(self, k: int) -> str:
        """The dialogue with the first `k` flaws, as JSON."""
        content = {flaw.turn: flaw.content for flaw in self.flaws[:k]}
        return dialogue_text(_edited(self.turns, content))


def core_items(kind: JudgedKind) -> list[JudgedItem]:
    """The items of one kind, in their frozen order."""
    part, make = {
        "basic": ("pairs", _pair),
        "math": ("math", _solution),
        "role_playing": ("role_playing", _scene),
        "creative_writing": ("writing", _piece),
    }[kind]
    return [make(row) for row in core_rows(part)]


def simulated_items(kind: JudgedKind, n: int) -> list[JudgedItem]:
    """`n` items for simulations: those of the core over and over, under ids of their own."""
    items = [replace(item, source=SYNTHETIC) for item in core_items(kind)]
    return repeated(items, n, _again)


def flawed_dialogues(data: str, n: int, seed: int = 0) -> Loaded[FlawedDialogue]:
    """The dialogues of the attention limit in seeded order, and where they come from.

    At most `n`, of which the first are the same for every n; with `data="synthetic"` just so many.
    """
    used = in_turns(map(_flawed, core_rows("attention")), seed, lambda _: 0, [0])[:n]
    if data == SYNTHETIC:
        used = repeated(used, n, lambda each, name: replace(each, item=_again(each.item, name)))
    return Loaded(tuple(used), ({**core_origin(data), "n": len(used)},))


def _again(item: JudgedItem, identifier: str) -> JudgedItem:
    """A copy that no judge takes for the same: another prompt asks for it."""
    query = f"{item.query}\n\n(Copy {identifier.rpartition('-')[2]}.)"
    return replace(renamed(item, identifier), query=query)


def _item(kind: JudgedKind, row: Row, **fields: Any) -> JudgedItem:
    return JudgedItem(
        id=row["id"],
        family=kind,
        domain=row.get("domain", kind),
        source=CORE,
        cluster=row["id"],
        **{"query": row.get("query"), "reference": row.get("reference"), **fields},
        attackers=dict.fromkeys(fields.get("attacked", ()), NAME),
    )


def _pair(row: Row) -> JudgedItem:
    return _item(
        "basic",
        row,
        responses={CHOSEN: row["chosen"], REJECTED: row["rejected"]},
        rubric=row["rubric"],
        background=row["background"],
        attacked={"reference": row["attack_reference"], "rubric": row["attack_rubric"]},
    )


def _solution(row: Row) -> JudgedItem:
    return _item(
        "math",
        row,
        query=row["problem"],
        responses={ORIGINAL: steps_text(row["steps"])},
        reference=row["reference_solution"],
        first_error=row["label"],
        attacked={name: steps_text(row[f"attack_{name}"]) for name in BIASES["math"]},
    )


def _scene(row: Row) -> JudgedItem:
    turns = _turns(row["dialogue"])
    attacked = {
        bias: dialogue_text(_edited(turns, {int(turn): text for turn, text in edits.items()}))
        for bias, edits in row.get("attacks", {}).items()
    }
    return _item(
        "role_playing",
        row,
        responses={ORIGINAL: dialogue_text(turns)},
        reference=dialogue_text(_turns(row["reference"])),
        criteria=role_playing_criteria(row["profiles"]),
        background=f"{row['background']}\n\n{profiles_text(row['profiles'])}",
        attacked=attacked,
    )


def _piece(row: Row) -> JudgedItem:
    return _item(
        "creative_writing",
        row,
        responses={ORIGINAL: row["response"]},
        criteria=tuple(Criterion(part["name"], part["description"]) for part in row["criteria"]),
        attacked=dict(row["attacks"]),
    )


def _flawed(row: Row) -> FlawedDialogue:
    turns = _turns(row["dialogue"])
    flaws = []
    for each in row["flaws"]:
        place, content = each["turn"], each["content"]
        words = brought(turns[place].content, content)
        flaws.append(Flaw(each["dimension"], place, content, words))
    return FlawedDialogue(_scene(row), turns, tuple(flaws))


def brought(before: str, after: str) -> str:
    """The words of `after` from the first to the last that `before` has not; all if it has them."""
    old, new = before.split(), after.split()
    start = _alike(old, new)
    end = _alike(old[start:][::-1], new[start:][::-1])
    return " ".join(new[start : len(new) - end]) or after


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words are the same from the first on."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _turns(rows: Sequence[Sequence[str]]) -> tuple[Turn, ...]:
    return tuple(Turn(role, content) for role, content in rows)


def _edited(turns: Sequence[Turn], contents: Mapping[int, str]) -> list[Turn]:
    return [
        turn._replace(content=contents.get(place, turn.content)) for place, turn in enumerate(turns)
    ]
