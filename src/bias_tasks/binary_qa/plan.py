"""What a run of binary question answering asks: every question under each variant it needs.

Both hosts build their samples from here, so a sample's id, prompt and gold are the same in either.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from bias_tasks.binary_qa.data.load import (
    CORE,
    PAPER,
    SYNTHETIC,
    how_to_reword,
    load_binary,
    needed,
)
from bias_tasks.binary_qa.items import (
    PAPER_DOMAINS,
    VARIANTS,
    BinaryItem,
    Order,
    Reformulation,
    Variant,
    weighed_rewordings,
    why_no_score,
)
from bias_tasks.binary_qa.prompts.ask import ask_binary, reformulation_request
from bias_tasks.binary_qa.rewording import unusable_rewording
from bias_tasks.contract.family import Plan, Question, Request
from bias_tasks.data.loading import Loaded
from bias_tasks.prompts.templates import STOPS

REFORMULATOR = "reformulator"
"""The model role that rewords questions."""
REPEATS: frozenset[str] = frozenset({"repeat_2", "repeat_3"})
"""Variants whose prompt is the original's: only these may be asked of a model twice."""
ASKED: Mapping[str, tuple[Variant, ...]] = {
    "binaryqa": VARIANTS,
    "binaryqa_prc": ("original", "synonym", "polite"),
    "binaryqa_nrc": ("original", "contradictory", "false"),
    "binaryqa_arc": ("original", "reversed"),
    "binaryqa_sc": ("original", "repeat_2", "repeat_3"),
    "binaryqa_qa": ("original",),
}
"""The variants that each task asks of every question."""


def plan_binary(
    task: str, values: Mapping[str, Any], n: int | None, *, likelihoods: bool = False
) -> Plan:
    """The questions of a run of `task`, an item's variants side by side, by the parameters of
    `tasks.yaml` that the task has. A DataError where questions, or rewordings that the task needs,
    can't be had.

    With `likelihoods` those of Yes and No are compared: prompts end where the answer is to follow,
    and there are no repeats, as nothing is drawn that could differ."""
    variants = [v for v in ASKED[task] if not (likelihoods and v in REPEATS)]
    data, base = values["data"], values["base"]
    given = {name: values[name] for name in ("domains", "sources", "seed")}
    how = values.get("reformulate", "given")
    loaded = load_binary(data, variants=variants, reformulate=how, n=n, **given)
    live = how == "live"
    questions = (
        binary_question(item, variant, values["order"], cue=likelihoods or base)
        for item in loaded.items
        for variant in variants
        if item.has(variant) or live
    )
    notes = [*_notes(data, loaded, variants, live=live)]
    if "weights" in values and not likelihoods and not live:
        kinds = weighed_rewordings(values["weights"])
        reworded: dict[str, list[bool]] = defaultdict(list)
        for item in loaded.items:
            reworded[item.domain].append(all(map(item.has, kinds)))
        why = why_no_score(reworded)
        notes += [] if why is None else [f"mbs is not given: {why}"]
    stops = STOPS if base and not likelihoods else ()
    later = (reformulation_request("", kind) for kind in needed(variants) if live)
    marked, told = tuple(_marked(questions)), tuple(notes)
    return Plan(marked, loaded.provenance, data, notes=told, later=tuple(later), stops=stops)


def binary_question(
    item: BinaryItem, variant: Variant, order: Order = "yes_no", *, cue: bool = False
) -> Question:
    """One item under one variant; with `cue` its prompt ends where the answer is to follow.

    A question without that rewording stands there as it is, and has to be reworded first.
    """
    lacks = not item.has(variant)
    wording = item.question if lacks else item.wording(variant)
    prompt = ask_binary(item, variant, order, cue=cue, wording=wording)
    facts = {
        "gold": item.gold(variant),
        "answer_to_original": item.answer,
        "domain": item.domain,
        "question": wording,
    }
    source = _rewording(item, variant, order, cue) if lacks else None
    return Question.about(item, variant, prompt, facts, source=source)


def _rewording(item: BinaryItem, variant: Variant, order: Order, cue: bool) -> Request:
    """What the model in the role `reformulator` is asked, which makes the prompt."""
    kind = cast(Reformulation, variant)

    def prompt(reply: str) -> str:
        text = " ".join(reply.split()).strip('"“”')
        why = unusable_rewording(item.question, kind, text)
        if why is not None:
            raise ValueError(f"that it is a {kind} rewording: {why}")
        return ask_binary(item, variant, order, cue=cue, wording=text)

    request = reformulation_request(item.question, kind)
    return Request(request, REFORMULATOR, item.question, prompt)


def _marked(questions: Iterable[Question]) -> Iterator[Question]:
    """The questions; one whose prompt was asked before (a repeat, or a copy of an item in a
    simulation) is marked, so that no cache answers it."""
    asked: set[str] = set()
    for question in questions:
        yield replace(question, repeats=True) if question.prompt in asked else question
        asked.add(question.prompt)


def _notes(
    data: str, loaded: Loaded[BinaryItem], variants: Sequence[str], *, live: bool
) -> Iterator[str]:
    """Notes on a result that is not over the paper's five domains, or whose questions lack a
    rewording that the task asks."""
    items = loaded.items
    asked = dict.fromkeys(item.domain for item in items)
    left_out = [domain for domain in PAPER_DOMAINS if domain not in asked]
    if left_out and data in (CORE, PAPER, SYNTHETIC):
        yield (
            f"over the domains {', '.join(asked)} and without {', '.join(left_out)}: "
            "figures over fewer than the paper's five don't compare with the paper's"
        )
    yield from (origin["left_out"] for origin in loaded.provenance if "left_out" in origin)
    counts = {kind: sum(item.has(kind) for item in items) for kind in needed(variants)}
    if live and any(count < len(items) for count in counts.values()):
        yield f"nobody reviewed the rewordings that the model in the role {REFORMULATOR} made"
    elif counts and not any(counts.values()):
        yield (
            "no question has a rewording: they are asked in the variants that need none; "
            f"{how_to_reword(data)}"
        )
    elif any(count < len(items) for count in counts.values()):
        told = ", ".join(f"{kind} {count}" for kind, count in counts.items())
        yield (
            f"of {len(items)} questions so many have each rewording: {told}; each figure is over "
            "the questions that have what it compares, and coverage/... says which share these are"
        )
