"""The questions of a run: each pair plain, again, and under every probe."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bias_tasks.contract.family import Plan, Question
from bias_tasks.data.errors import DataError
from bias_tasks.judging.data.load import left_out, load_items
from bias_tasks.judging.dressings import DRESSINGS, POSITION, control_of, dressing_of
from bias_tasks.judging.items import Pair, pair_of
from bias_tasks.judging.prompts.ask import PAIR, SINGLE, template_of
from bias_tasks.names import names_in
from bias_tasks.probing.items import PLAIN, REPEAT, is_repeat
from bias_tasks.prompts.templates import fill, seeded, unused_mark


def plan_judging(values: Mapping[str, Any], *, pairwise: bool) -> Plan:
    """The questions of a run: pairs, or with `pairwise` false each response alone. An item that
    can't be judged is left out, and a note says so. A DataError where the items or the template
    can't be had, or none of the items can be judged."""
    data, seed = values["data"], values["seed"]
    repeats = (f"{REPEAT}{number}" for number in range(1, values["repeats"] + 1))
    probes = names_in(values["probes"]) or (*([POSITION] if pairwise else ()), *DRESSINGS)
    ways = (PLAIN, *repeats, *probes)
    template, records = template_of(values["template"], PAIR if pairwise else SINGLE)
    loaded = load_items(data, seed, values["n"])
    made = [pair_of(item, seed) for item in loaded.items]
    pairs = [each for each in made if each is not None and (len(each.shown) == 2 or not pairwise)]
    if not pairs:
        what = "two responses that differ" if pairwise else "responses that differ"
        raise DataError(f"data={data!r}: no item has {what}, so that there is no pair")
    return Plan(
        questions=tuple(
            question
            for pair in pairs
            for way in ways
            for question in _questions(pair, way, seed, template, pairwise)
        ),
        provenance=(*loaded.provenance, *records),
        data=data,
        notes=(*left_out(loaded.provenance), *_notes(pairs, without_pair=len(made) - len(pairs))),
    )


def _notes(pairs: Sequence[Pair], *, without_pair: int) -> Iterator[str]:
    if without_pair:
        yield f"left out, for want of two responses that differ: {without_pair} of the items"
    unknown = sum(pair.right is None for pair in pairs)
    if unknown:
        yield (
            f"nobody says which response is better in {unknown} of {len(pairs)} items: these count "
            "where no such label is needed, and of their two responses a drawn one is dressed"
        )


def _questions(
    pair: Pair, way: str, seed: int, template: str, pairwise: bool
) -> Iterator[Question]:
    """The question of a pair in one way, or one of each response that the way changes."""
    texts = {number: pair.item.responses[number - 1] for number in pair.shown}
    dressing = dressing_of(way)
    wearer = pair.dressed if control_of(way) is None else pair.other
    if dressing is not None and wearer is not None:
        rng = seeded(seed, pair.item.id, dressing)
        texts[wearer] = DRESSINGS[dressing](texts[wearer], rng)
    if pairwise:
        first, second = pair.shown[::-1] if way == POSITION else pair.shown
        filled = {"response_a": texts[first], "response_b": texts[second]}
        gold = "" if pair.right is None else str(pair.right)
        yield _question(pair, way, way, filled, {"shown": [first, second], "gold": gold}, template)
        return
    for number in sorted(pair.shown):
        if dressing is None or number == wearer:  # else its score is the plain one
            facts = {"shown": [*pair.shown], "response": number, "right": pair.right, "gold": ""}
            variant = f"{way}/{pair.role(number)}"
            yield _question(pair, way, variant, {"response": texts[number]}, facts, template)


def _question(
    pair: Pair,
    way: str,
    variant: str,
    texts: Mapping[str, str],
    facts: Mapping[str, Any],
    template: str,
) -> Question:
    item = pair.item
    # One mark for all of an item's questions: nothing but what is probed differs between them.
    mark = unused_mark((item.prompt, *item.responses))
    prompt = fill(template, prompt=item.prompt, mark=mark, **texts)
    human = {"human": list(item.human)} if item.human else {}
    told = {"way": way, "dressed": pair.dressed, **facts, **human}
    return Question.about(item, variant, prompt, told, repeats=is_repeat(way))
