"""What a run of binary question answering asks: every question under each variant it needs.

Both hosts build their samples from here, so a sample's id, prompt and gold are the same in either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bias_tasks.binary_qa.data.load import load_binary, needed
from bias_tasks.binary_qa.items import PAPER_DOMAINS, VARIANTS, BinaryItem, Order, Variant
from bias_tasks.binary_qa.prompts.ask import ask_binary
from bias_tasks.data.further import noted
from bias_tasks.family import Plan, Question
from bias_tasks.prompts.cued import STOPS

REPEATS: frozenset[str] = frozenset({"repeat_2", "repeat_3"})
"""Variants whose prompt is the original's: only these may be asked of a model twice."""


def plan_binary(
    task: str,
    *,
    order: Order = "yes_no",
    data: str = "paper",
    domains: str | Sequence[str] | None = None,
    sources: str | Sequence[str] | None = None,
    reformulate: str | None = None,
    likelihoods: bool = False,
    base: bool = False,
    seed: int = 0,
    n: int | None = None,
) -> Plan:
    """The questions of a run of `task`, an item's variants side by side.

    The parameters are those of `tasks.yaml`. With `likelihoods` those of Yes and No are compared:
    prompts end where the answer is to follow, and there are no repeats, as nothing is drawn that
    could differ. With `base` they end so, too, and answers end before the model goes on.

    Raises:
        ValueError: a parameter's value is unknown or does not fit the others.
        DataError: the questions, or rewordings that the task needs, can't be had.
    """
    variants = [v for v in ASKED[task] if not (likelihoods and v in REPEATS)]
    loaded = load_binary(
        data,
        variants=variants,
        domains=domains,
        sources=sources,
        reformulate=reformulate,
        seed=seed,
        n=n,
    )
    questions = tuple(
        binary_question(item, variant, order, cue=likelihoods or base)
        for item in loaded.items
        for variant in variants
        if item.has(variant)
    )
    asked = tuple(dict.fromkeys(item.domain for item in loaded.items))
    # Nobody takes figures on questions of their own for the paper's.
    notes = domain_notes(asked) if data in ("paper", "synthetic") else ()
    notes += rewording_notes(loaded.items, variants)
    stops = STOPS if base and not likelihoods else ()
    return Plan(questions, loaded.provenance, data, notes=notes, stops=stops)


def binary_question(
    item: BinaryItem, variant: Variant, order: Order = "yes_no", *, cue: bool = False
) -> Question:
    """One item under one variant; with `cue` its prompt ends where the answer is to follow."""
    return Question(
        id=f"{item.id}/{variant}",
        item=item.id,
        cluster=item.cluster,
        variant=variant,
        prompt=ask_binary(item, variant, order, cue=cue),
        gold=item.gold(variant),
        facts={
            "item": item.id,
            "cluster": item.cluster,
            "variant": variant,
            "gold": item.gold(variant),
            "answer_to_original": item.answer,
            "domain": item.domain,
            "question": item.wording(variant),
            **noted(item.further),
        },
        repeats=variant in REPEATS,
        known=(item,),
    )


def domain_notes(asked: Sequence[str]) -> tuple[str, ...]:
    """What to say beside a result that is not over the paper's five domains."""
    left_out = [domain for domain in PAPER_DOMAINS if domain not in asked]
    if not left_out:
        return ()
    return (
        f"over the domains {', '.join(asked)} and without {', '.join(left_out)}: "
        "figures over fewer than the paper's five don't compare with the paper's",
    )


def rewording_notes(items: Sequence[BinaryItem], variants: Sequence[str]) -> tuple[str, ...]:
    """What to say beside a result where some questions lack a rewording that the task asks."""
    kinds = needed(variants)
    counts = {kind: sum(item.has(kind) for item in items) for kind in kinds}
    if all(count == len(items) for count in counts.values()):
        return ()
    told = ", ".join(f"{kind} {count}" for kind, count in counts.items())
    return (
        f"of {len(items)} questions so many have each rewording: {told}; each figure is over the "
        "questions that have what it compares, and coverage/... says which share these are",
    )


ASKED: Mapping[str, tuple[Variant, ...]] = {
    "binaryqa": VARIANTS,
    "binaryqa_prc": ("original", "synonym", "polite"),
    "binaryqa_nrc": ("original", "contradictory", "false"),
    "binaryqa_arc": ("original", "reversed"),
    "binaryqa_sc": ("original", "repeat_2", "repeat_3"),
    "binaryqa_qa": ("original",),
}
"""The variants that each task asks of every question."""
