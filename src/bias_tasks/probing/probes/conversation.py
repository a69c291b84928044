"""Probes of the conversation around the prompt: examples, a hint, a format, a rewriting, a doubt.

They follow the Instruction Boundary paper: `suggest` section 2.1, `polish` section 3.4, `few_shot`
section 3.3 and appendix F, `reflect` appendix J. The formats are FormatEval's.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

from bias_tasks.probing.displayed_options import LETTERS, fold
from bias_tasks.probing.formats import FINAL_FORMATS
from bias_tasks.probing.items import Perturbation, ProbedItem
from bias_tasks.probing.probes.base import ProbeInput, probe, require_choices, require_text
from bias_tasks.probing.skip_reasons import ProbeNotApplicableError, SkipReason
from bias_tasks.prompts.edits import (
    render_examples,
    render_pushback,
    render_reflection,
    render_suggestion,
)

SHOTS = 3
_MAX_EXAMPLE = 4_000
"""Characters of an example."""
_MAX_ITEMS_TRIED, _MAX_ANSWERS_TRIED = 200, 20
"""Items that are examined for one draw, and answers that are tried."""


@probe(place="last")
def suggest(item: ProbedItem, rng: random.Random, run: ProbeInput) -> Perturbation:
    """A wrong choice suggested at the end of the prompt."""
    return Perturbation(suffix=render_suggestion(_draw_wrong_label(item, rng)))


@probe(needs_second_call=True, place="last")
def pushback(item: ProbedItem, rng: random.Random, run: ProbeInput) -> Perturbation:
    """The user says that a wrong choice is right, or doubts an open answer; the second answer
    counts.
    """
    kind, label = ("wrong", _draw_wrong_label(item, rng)) if item.choices else ("doubt", "")
    return Perturbation(follow_up=render_pushback(kind, 0, rng.getrandbits(32), item.id, label))


def _draw_wrong_label(item: ProbedItem, rng: random.Random) -> str:
    """Return the label of a wrong choice; raise if the item has none."""
    require_choices(item, different=True)
    wrong = [index for index in range(len(item.choices)) if index not in item.correct]
    if not wrong or not item.correct:
        raise ProbeNotApplicableError(SkipReason.NO_WRONG_CHOICE)
    return (item.labels or LETTERS)[rng.choice(wrong)]


@probe(needs_second_call=True, place="alone")
def polish(item: ProbedItem, rng: random.Random, run: ProbeInput) -> Perturbation:
    """The prompt rewritten by the model role `polisher`, by default the evaluated model."""
    require_text(item)
    return Perturbation(polish=True)


@probe(needs_second_call=True, place="last")
def reflect(item: ProbedItem, rng: random.Random, run: ProbeInput) -> Perturbation:
    """The model must reconsider its answer, and the second answer counts."""
    return Perturbation(follow_up=render_reflection())


@probe(needs_written_answer=True)
def format(item: ProbedItem, rng: random.Random, run: ProbeInput) -> Perturbation:
    """The final answer in one of thirteen output formats (or one of `formats`)."""
    can_choose = 1 < len(item.choices) <= len(LETTERS)
    names = [name for name in run.formats if can_choose or not FINAL_FORMATS[name].needs_choices]
    if not names:
        raise ProbeNotApplicableError(SkipReason.NO_CHOICE_FORMATS)
    name = rng.choice(sorted(names))
    return Perturbation(suffix=FINAL_FORMATS[name].instruction, format=name)


@probe(place="examples")
def few_shot(item: ProbedItem, rng: random.Random, run: ProbeInput) -> Perturbation:
    """Three other items with their correct answers before the prompt. If possible, these answers
    have the same position (without choices: the same text), but not the item's own.

    The paper's examples have labels of one kind. Here they are items that are not in the run if
    there are enough, and they have as many choices as the item.
    """
    require_text(item)
    for candidates in _example_candidates(item, rng, run):
        examples = _select_examples(candidates, item, rng)
        if len(examples) == SHOTS:
            return Perturbation(prefix=render_examples(examples))
    raise ProbeNotApplicableError(SkipReason.NO_EXAMPLES)


def _example_candidates(
    item: ProbedItem, rng: random.Random, run: ProbeInput
) -> Iterator[Sequence[ProbedItem]]:
    """Yield lists of items from which examples may be drawn, the best list first.

    The best are items outside the run that share an answer.
    """
    pools = [pool[len(item.choices)] for pool in _build_pools(run)]
    for same_answer, _ in pools:
        yield from rng.sample(same_answer, min(len(same_answer), _MAX_ANSWERS_TRIED))
    for _, usable in pools:
        yield usable


_Pools = dict[int, tuple[list[list[ProbedItem]], list[ProbedItem]]]
"""By number of choices: items of each answer that enough items share, and all usable items."""


@lru_cache(maxsize=1)
def _build_pools(run: ProbeInput) -> list[_Pools]:
    """Return the pools of the items outside the run, and of all, in the order of their ids."""
    return [_group_by_size(items) for items in (run.other_items, [*run.other_items, *run.items])]


def _group_by_size(items: Sequence[ProbedItem]) -> _Pools:
    pools: _Pools = defaultdict(lambda: ([], []))
    by_answer: dict[tuple[int, str], list[ProbedItem]] = defaultdict(list)
    for item in sorted(items, key=lambda item: item.id):
        if item.worked_example and len(item.worked_example) <= _MAX_EXAMPLE:
            pools[len(item.choices)][1].append(item)
            by_answer[len(item.choices), _answer_key(item)].append(item)
    for (size, _), members in sorted(by_answer.items()):
        if len(members) >= SHOTS:
            pools[size][0].append(members)
    return pools


def _select_examples(
    candidates: Sequence[ProbedItem], item: ProbedItem, rng: random.Random
) -> list[str]:
    """Return up to three examples for an item, each with another text."""
    examples: dict[str, str] = {}
    text = fold(item.text)
    for other in rng.sample(candidates, min(len(candidates), _MAX_ITEMS_TRIED)):
        related = other.id == item.id or (item.cluster and other.cluster == item.cluster)
        if not (related or _answer_key(other) == _answer_key(item) or fold(other.text) == text):
            examples.setdefault(fold(other.text), other.worked_example)
        if len(examples) == SHOTS:
            break
    return list(examples.values())


def _answer_key(item: ProbedItem) -> str:
    """Return a text that is equal for items with one answer: indices of choices, or the words."""
    indices = " ".join(map(str, sorted(item.correct)))
    return indices if item.choices and indices else fold(item.target)
