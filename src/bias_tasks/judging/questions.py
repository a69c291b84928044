"""The questions of a run: each pair plain, again, and under every probe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bias_tasks.data.errors import DataError
from bias_tasks.data.further import noted
from bias_tasks.family import Plan, Question
from bias_tasks.judging.data.load import load_items
from bias_tasks.judging.pairs import Pair, pair_of
from bias_tasks.judging.probes.choice import POSITION, chosen_probes, control_of, dressing_of
from bias_tasks.judging.prompts.ask import PAIR, SINGLE, Template, house_template, own_template
from bias_tasks.parameters import ALL
from bias_tasks.probing.items import PLAIN, REPEAT, is_repeat
from bias_tasks.prompts.marks import unused_mark
from bias_tasks.prompts.seeded import seeded

PAIRWISE = "judge_pairwise"
"""The task that compares two responses; the other scores each alone."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What a run asks in which way."""

    pairwise: bool
    template: Template
    ways: tuple[str, ...]
    """Plain, its repeats, and the probes."""
    seed: int


def plan_judging(task: str, values: Mapping[str, Any]) -> Plan:
    """The questions of a run; an item that can't be judged is left out, and a note says so.

    Raises:
        ValueError: a probe is unknown, or not one of the task's.
        DataError: the items or the template can't be had, or none of the items can be judged.
    """
    pairwise = task == PAIRWISE
    probes = chosen_probes(values["probes"], pairs=pairwise)
    again = (f"{REPEAT}{number}" for number in range(1, values["repeats"] + 1))
    slots = PAIR if pairwise else SINGLE
    own = values["template"]
    asking = Asking(
        pairwise=pairwise,
        template=house_template(slots) if own is None else own_template(own, slots),
        ways=(PLAIN, *again, *probes),
        seed=values["seed"],
    )
    n = None if values["n"] == ALL else values["n"]
    loaded = load_items(values["data"], values["seed"], n)
    made = [pair_of(item, values["seed"]) for item in loaded.items]
    pairs = [each for each in made if each is not None and (len(each.shown) == 2 or not pairwise)]
    if not pairs:
        what = "two responses that differ" if pairwise else "responses that differ"
        raise DataError(f"data={values['data']!r}: no item has {what}, so that there is no pair")
    origin = asking.template.origin
    return Plan(
        questions=tuple(each for pair in pairs for each in _questions(pair, asking)),
        provenance=(*loaded.provenance, *(({"source": "template", **origin},) if origin else ())),
        data=values["data"],
        notes=(*loaded.notes, *_notes(pairs, left_out=len(made) - len(pairs))),
    )


def _notes(pairs: Sequence[Pair], *, left_out: int) -> Iterator[str]:
    if left_out:
        yield f"left out, for want of two responses that differ: {left_out} of the items"
    unknown = sum(pair.right is None for pair in pairs)
    if unknown:
        yield (
            f"nobody says which response is better in {unknown} of {len(pairs)} items: these count "
            "where no such label is needed, and of their two responses a drawn one is dressed"
        )


def _questions(pair: Pair, asking: Asking) -> Iterator[Question]:
    for way in asking.ways:
        texts = _texts(pair, way, asking.seed)
        if asking.pairwise:
            shown = pair.shown[::-1] if way == POSITION else pair.shown
            yield _compared(pair, way, shown, texts, asking.template)
            continue
        wearer = _wearer(pair, way)
        for number in sorted(pair.shown):
            if dressing_of(way) is not None and number != wearer:
                continue  # its score is the plain one
            yield _scored(pair, way, number, texts[number], asking.template)


def _wearer(pair: Pair, way: str) -> int | None:
    """The response that a dressing is put on."""
    return pair.dressed if control_of(way) is None else pair.other


def _texts(pair: Pair, way: str, seed: int) -> dict[int, str]:
    """The pair's responses by their numbers, as they are shown."""
    texts = {number: pair.text(number) for number in pair.shown}
    dressing, wearer = dressing_of(way), _wearer(pair, way)
    if dressing is not None and wearer is not None:
        rng = seeded(seed, pair.item.id, dressing.name)
        texts[wearer] = dressing.dressed(texts[wearer], rng)
    return texts


def _compared(
    pair: Pair, way: str, shown: tuple[int, ...], texts: Mapping[int, str], template: Template
) -> Question:
    filled = {"response_a": texts[shown[0]], "response_b": texts[shown[1]]}
    facts = {"shown": list(shown), "gold": "" if pair.right is None else str(pair.right)}
    return _question(pair, way, way, filled, facts, template)


def _scored(pair: Pair, way: str, number: int, text: str, template: Template) -> Question:
    facts = {"shown": list(pair.shown), "response": number, "right": pair.right, "gold": ""}
    variant = f"{way}/{pair.role(number)}"
    return _question(pair, way, variant, {"response": text}, facts, template)


def _question(
    pair: Pair,
    way: str,
    variant: str,
    texts: Mapping[str, str],
    facts: Mapping[str, Any],
    template: Template,
) -> Question:
    item = pair.item
    cluster = item.cluster or item.id
    return Question(
        id=f"{item.id}/{variant}",
        item=item.id,
        cluster=cluster,
        variant=variant,
        # One mark for all of an item's questions: nothing but what is probed differs between them.
        prompt=template.filled(
            {"prompt": item.prompt, **texts}, unused_mark((item.prompt, *item.responses))
        ),
        gold=facts["gold"],
        facts={
            **{"item": item.id, "cluster": cluster, "variant": variant, "way": way},
            **{"dressed": pair.dressed, **facts},
            **({"human": list(item.human)} if item.human else {}),
            **noted(item.further),
        },
        repeats=is_repeat(way),
        known=(item,),
    )
