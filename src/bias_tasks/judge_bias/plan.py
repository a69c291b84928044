"""Plans the questions of `judge_pairwise` and `judge_single`."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from bias_tasks.contract.questions import Plan, Question
from bias_tasks.data.errors import DataError
from bias_tasks.judge_bias.cosmetic_edits import (
    COSMETIC_EDITS,
    POSITION,
    SAME_RESPONSES,
    NotEditedError,
    edit_response,
    find_control,
    find_cosmetic_edit,
    with_controls,
)
from bias_tasks.judge_bias.data.load import describe_exclusions, load_items
from bias_tasks.judge_bias.items import (
    JudgeBiasData,
    JudgeBiasParams,
    JudgedPrompt,
    ResponsePair,
    remove_role,
    select_pair,
)
from bias_tasks.judge_bias.prompts.judge_prompt import PAIR_SLOTS, SINGLE_SLOTS, load_template
from bias_tasks.messages import format_count
from bias_tasks.probing.items import BASELINE, REPEAT, is_repeat, variant_in_id
from bias_tasks.prompts.templates import fill
from bias_tasks.randomness import find_unused_mark, seeded_random


def plan_judge_bias(params: JudgeBiasParams, *, pairwise: bool) -> Plan:
    """Plan the baseline questions, their repeats, and the questions under each probe.

    Args:
        params: The parameters of the run.
        pairwise: Whether two responses are compared; if not, each response is scored alone.

    Returns:
        The plan. Its notes report the items that are excluded.

    Raises:
        DataError: The items or the template cannot be loaded, or no item is usable.
    """
    default_probes = (POSITION, *COSMETIC_EDITS) if pairwise else tuple(COSMETIC_EDITS)
    params = replace(params, probes=params.probes or default_probes)
    template, records = load_template(params.template, PAIR_SLOTS if pairwise else SINGLE_SLOTS)
    loaded = load_items(params.data, params.seed, params.n)
    items = list(_select_variants(loaded.items, params))
    selected = [(select_pair(item, params.seed), variants) for item, variants in items]
    pairs = [
        (pair, variants)
        for pair, variants in selected
        if pair is not None and (len(pair.order) == 2 or not pairwise)
    ]
    if not pairs:
        what = "two responses that differ" if pairwise else "responses that differ"
        raise DataError(f"data={params.data!r}: no item has {what}; set other data= or a larger n=")
    build = _build_pair_questions if pairwise else _build_single_questions
    questions: list[Question] = []
    not_edited: Counter[tuple[str, str]] = Counter()
    for pair, variants in pairs:
        for variant in variants:
            try:
                questions += build(pair, variant, params.seed, template)
            except NotEditedError as error:
                not_edited[variant, str(error)] += 1
    notes = [
        *_describe_pairs(
            [p for p, names in pairs if BASELINE in names], n_excluded=len(selected) - len(pairs)
        ),
        *_describe_not_edited(not_edited),
    ]
    return Plan(
        questions=tuple(questions),
        provenance=(*loaded.provenance, *records),
        data=params.data,
        notes=(*describe_exclusions(loaded.provenance), *notes),
    )


def _select_variants(
    items: Iterable[JudgedPrompt], params: JudgeBiasParams
) -> Iterator[tuple[JudgedPrompt, Sequence[str]]]:
    """Yield items, near ties among them, with the variants that are asked of each.

    No edit is sound for a judge to follow where no response is better, so both are edited. A near
    tie needs no baseline: the verdicts with one and with the other response edited are compared.

    Raises:
        ValueError: Near ties are selected, and there are none or no probe edits them.
    """
    repeats = (f"{REPEAT}{number}" for number in range(1, params.repeats + 1))
    variants = (BASELINE, *repeats, *params.probes)
    edits = with_controls([name for name in params.probes if name in COSMETIC_EDITS])
    is_near = params.pairs != "clear"
    if is_near and not edits:
        raise ValueError(f"pairs={params.pairs!r} needs a probe of {', '.join(COSMETIC_EDITS)}")
    for item in items:
        if is_near and not item.near_ties:
            raise ValueError(
                f"pairs={params.pairs!r} selects pairs of data='core': omit it for other data, "
                "whose pairs without a label count as near ties"
            )
        if not item.preferred:
            yield item, with_controls(variants)
            continue
        yield item, (BASELINE,) if params.pairs == "near" else variants
        for number, pair in enumerate(item.near_ties if is_near else (), start=1):
            yield replace(item, id=f"{item.id}-near{number}", responses=pair, preferred=()), edits


def _describe_not_edited(counts: Mapping[tuple[str, str], int]) -> Iterator[str]:
    by_edit = {
        edit: [f"{n} ({reason})" for (name, reason), n in counts.items() if name == edit]
        for edit in COSMETIC_EDITS
    }
    texts = [f"{edit} {', '.join(sorted(reasons))}" for edit, reasons in by_edit.items() if reasons]
    if texts:
        yield f"items without a probe: {'; '.join(texts)}"


def _describe_pairs(pairs: Sequence[ResponsePair], *, n_excluded: int) -> Iterator[str]:
    if n_excluded:
        yield f"excluded: {format_count(n_excluded, 'item')} without two responses that differ"
    unlabelled = sum(pair.better is None for pair in pairs)
    if unlabelled:
        yield (
            f"{unlabelled} of {len(pairs)} items have no label of the better response: only "
            "metrics that need no such label count them, and probes edit each response in turn"
        )


def _build_pair_questions(
    pair: ResponsePair, variant: str, seed: int, template: str
) -> Iterator[Question]:
    """Yield the question that compares the responses of a pair under a variant."""
    texts, _ = _edit_responses(pair, variant, seed)
    order = pair.order[::-1] if variant == POSITION else pair.order
    first, second = order
    slots = {"response_a": texts[first], "response_b": texts[second]}
    data = _build_scoring_data(pair, variant)
    gold = None if pair.better is None else str(pair.better)
    yield _build_question(pair, replace(data, response_order=order, gold=gold), slots, template)


def _build_single_questions(
    pair: ResponsePair, variant: str, seed: int, template: str
) -> Iterator[Question]:
    """Yield a question for each response that a variant changes.

    The baseline score of a response that a probe does not edit is its score under the probe.
    """
    texts, edited = _edit_responses(pair, variant, seed)
    for number in sorted(pair.order):
        if find_cosmetic_edit(variant) is None or number == edited:
            data = _build_scoring_data(pair, f"{variant}/{pair.role(number)}")
            data = replace(data, response=number, better_response=pair.better)
            yield _build_question(pair, data, {"response": texts[number]}, template)


def _edit_responses(
    pair: ResponsePair, variant: str, seed: int
) -> tuple[dict[int, str], int | None]:
    """Return the responses by number, and the number of the one that a cosmetic edit changes."""
    texts = {number: pair.item.responses[number - 1] for number in pair.order}
    edit = find_cosmetic_edit(variant)
    if edit is None:
        return texts, None
    edited = pair.edited if find_control(variant) is None else pair.unedited
    if edited is None:
        return texts, None
    # Responses without a better one are edited both, each in its turn, or none is.
    for number in pair.order if pair.better is None else (edited,):
        # A probe and its control draw the same phrases.
        rng = seeded_random(seed, pair.item.id, edit)
        text = edit_response(edit, pair.item.prompt, pair.item.responses[number - 1], rng)
        if any(text.strip() == other.strip() for other in texts.values()):
            raise NotEditedError(SAME_RESPONSES)
        if number == edited:
            texts[number] = text
    return texts, edited


def _build_scoring_data(pair: ResponsePair, variant: str) -> JudgeBiasData:
    item = pair.item
    return JudgeBiasData(
        item=item.id,
        cluster=item.cluster or item.id,
        variant=variant,
        columns=dict(item.extra_columns),
        response_order=pair.order,
        edited_response=pair.edited,
        human_labels=item.human_labels or None,
    )


def _build_question(
    pair: ResponsePair, data: JudgeBiasData, slots: Mapping[str, str], template: str
) -> Question:
    item = pair.item
    # One mark for all questions of an item: they differ in nothing but what is probed.
    mark = find_unused_mark((item.prompt, *item.responses))
    prompt = fill(template, prompt=item.prompt, mark=mark, **slots)
    repeats = is_repeat(remove_role(data.variant))
    question = Question.from_scoring_data(data, prompt, repeats=repeats)
    return replace(question, id=f"{item.id}/{variant_in_id(data.variant)}")
