"""Probes of what is said around the prompt: examples, a hint, a format, a rewriting, a doubt.

After the Instruction Boundary paper: `suggest` is of section 2.1, `polish` of 3.4, `few_shot` of
3.3 and appendix F, `reflect` of appendix J. The formats are FormatEval's."""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

from bias_tasks.probing.formats import FINAL_FORMATS
from bias_tasks.probing.items import Asked, ProbedItem
from bias_tasks.probing.options import LETTERS, folded
from bias_tasks.probing.probes.base import DoesNotApplyError, ProbeInput, need_choices, need_text
from bias_tasks.prompts.templates import fill, template

SHOTS = 3
NOW = "Now, please answer the following question:"
"""Parts the examples from the prompt, as the paper's prompt does (appendix I)."""
_LONGEST = 4_000
"""Characters of an example at most."""
_TRIED, _ANSWERS = 200, 20
"""Items that are looked at for one draw at most, and answers that are tried."""


def suggest(item: ProbedItem, rng: random.Random, given: ProbeInput) -> Asked:
    """The prompt ends by naming a wrong choice (conformity)."""
    need_choices(item, different=True)
    wrong = [place for place in range(len(item.choices)) if place not in item.right]
    if not wrong or not item.right:
        raise DoesNotApplyError("it has no choice that is known to be wrong")
    label = (item.labels or LETTERS)[rng.choice(wrong)]
    suggestion = template("instruction_boundary/choice/suggestion.txt")
    return Asked(ending=fill(suggestion, answer=label))


def polish(item: ProbedItem, rng: random.Random, given: ProbeInput) -> Asked:
    """The prompt as a model has rewritten it, the one in the role `polisher` or else the very model
    that is evaluated."""
    need_text(item)
    return Asked(polish=True)


def reflect(item: ProbedItem, rng: random.Random, given: ProbeInput) -> Asked:
    """The model is asked to reconsider its answer, and the second one counts."""
    return Asked(again=template("instruction_boundary/reflection.txt"))


def format(item: ProbedItem, rng: random.Random, given: ProbeInput) -> Asked:
    """The final answer asked for in one of thirteen formats, or of those that `formats` names (one
    for each item)."""
    chooses = 1 < len(item.choices) <= len(LETTERS)
    names = [name for name in given.formats if chooses or not FINAL_FORMATS[name].choices]
    if not names:
        raise DoesNotApplyError("it has no choices, which these formats name")
    name = rng.choice(sorted(names))
    return Asked(ending=FINAL_FORMATS[name].instruction, format=name)


def few_shot(item: ProbedItem, rng: random.Random, given: ProbeInput) -> Asked:
    """3 other items of the task with their right answers in front: all the same one where the task
    has so many, and never the item's own.

    The paper's examples have labels of one kind. Ours are items that are not asked themselves where
    there are enough, and have as many choices as the item."""
    need_text(item)
    drawn = (_fitting(members, item, rng) for members in _drawn_of(item, rng, given))
    examples = next((each for each in drawn if len(each) == SHOTS), None)
    if examples is None:
        raise DoesNotApplyError(f"the task has no {SHOTS} other items with another answer")
    blocks = [f"Example {number}:\n{worked}" for number, worked in enumerate(examples, 1)]
    return Asked(beginning="\n\n".join([*blocks, NOW]))


def _drawn_of(
    item: ProbedItem, rng: random.Random, given: ProbeInput
) -> Iterator[Sequence[ProbedItem]]:
    """Items of which the examples may be drawn, the best first: those that share an answer, of
    items that are not asked themselves."""
    pools = [pool[len(item.choices)] for pool in _pools_of(given)]
    for alike, _ in pools:
        yield from rng.sample(alike, min(len(alike), _ANSWERS))
    for _, every in pools:
        yield every


_Pools = dict[int, tuple[list[list[ProbedItem]], list[ProbedItem]]]
"""By the number of choices: items of each answer that enough share, and all that can be shown."""


@lru_cache(maxsize=1)
def _pools_of(given: ProbeInput) -> list[_Pools]:
    """The pools of the items that are not asked, and of all, in the order of their ids."""
    return [_by_size(items) for items in (given.others, [*given.others, *given.asked])]


def _by_size(items: Sequence[ProbedItem]) -> _Pools:
    pools: _Pools = defaultdict(lambda: ([], []))
    by_answer: dict[tuple[int, str], list[ProbedItem]] = defaultdict(list)
    for item in sorted(items, key=lambda each: each.id):
        if item.worked and len(item.worked) <= _LONGEST:
            pools[len(item.choices)][1].append(item)
            by_answer[len(item.choices), _answer(item)].append(item)
    for (size, _), members in sorted(by_answer.items()):
        if len(members) >= SHOTS:
            pools[size][0].append(members)
    return pools


def _fitting(members: Sequence[ProbedItem], item: ProbedItem, rng: random.Random) -> list[str]:
    """Up to three examples for an item, each with another text."""
    found: dict[str, str] = {}
    own = folded(item.text)
    for each in rng.sample(members, min(len(members), _TRIED)):
        shares = each.id == item.id or (item.cluster and each.cluster == item.cluster)
        if not (shares or _answer(each) == _answer(item) or folded(each.text) == own):
            found.setdefault(folded(each.text), each.worked)
        if len(found) == SHOTS:
            break
    return list(found.values())


def _answer(item: ProbedItem) -> str:
    """The same for two items with one answer: the places of the right choices, or the words."""
    places = " ".join(map(str, sorted(item.right)))
    return places if item.choices and places else folded(item.target)
