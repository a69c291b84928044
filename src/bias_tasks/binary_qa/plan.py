"""Build the questions of a run: each item under every variant that its task needs.

Both frameworks build their samples from this plan, so ids, prompts and gold labels are the same.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

from bias_tasks.binary_qa.data.load import (
    ReformulateMode,
    load_binary,
    rewording_hint,
    select_reformulations,
)
from bias_tasks.binary_qa.items import (
    COMPARED_VARIANTS,
    PAPER_DOMAINS,
    REFORMULATION_SOURCES,
    VARIANTS,
    AnswerOrder,
    BinaryItem,
    BinaryLabel,
    Reformulation,
    Variant,
    explain_missing_mbs,
    select_weighted_reformulations,
)
from bias_tasks.binary_qa.prompts.render import reformulation_request, render_question
from bias_tasks.binary_qa.rewording_checks import find_rewording_problem
from bias_tasks.contract.json_data import JsonData
from bias_tasks.contract.questions import Plan, Question, Request, ScoringData
from bias_tasks.data.loading import Loaded
from bias_tasks.prompts.templates import STOP_SEQUENCES
from bias_tasks.protocols import CORE, PAPER, SYNTHETIC, PaperProtocol
from bias_tasks.user_names import Names

REFORMULATOR = "reformulator"
"""The model role that rewords questions."""
TASK_VARIANTS: Mapping[str, tuple[Variant, ...]] = {
    "binaryqa": VARIANTS,
    "binaryqa_qa": ("original",),
    **{f"binaryqa_{name}": ("original", *others) for name, others in COMPARED_VARIANTS.items()},
}
"""The variants that each task uses for every question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BinaryParameters(JsonData):
    """Values of the parameters of a task, as `parameters.py` explains them."""

    domains: Names
    data: str
    sources: Names
    answer_order: AnswerOrder
    base_model: bool
    protocol: PaperProtocol
    seed: int
    reformulate: ReformulateMode | None = None
    """None for tasks that use no rewording."""
    weights: Mapping[str, float] | None = None
    """None for the paper's weights."""
    affirmative_first: bool = False
    full_share: float = 0.0
    """Share of the questions that are asked under every variant, from 0 to 1."""
    level: int | None = None
    """Level of generated questions; None for the default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BinaryData(ScoringData):
    """What scoring needs of a yes/no question under a variant."""

    domain: str
    answer_to_original: BinaryLabel
    """The correct answer to the original question; negative reformulations reverse it."""
    question: str
    """The text of the question under this variant."""


def build_plan(
    task: str, parameters: BinaryParameters, n: int | None, *, likelihoods: bool = False
) -> Plan:
    """Return the plan of a run.

    Args:
        task: Name of the task.
        parameters: The values of its parameters.
        n: Maximum number of items; None for all.
        likelihoods: Whether the likelihoods of Yes and No are compared. Prompts then end in an
            answer cue, and there are no repeats, because likelihoods do not vary.

    Raises:
        ValueError: The values contradict each other.
        DataError: Questions, or rewordings that the task needs, are not available, or are excluded
            from runs under `protocol=published`.
    """
    published = parameters.protocol == "published"
    cue = likelihoods or parameters.base_model
    if parameters.affirmative_first and (cue or published):
        raise ValueError(
            "affirmative_first=true needs an answer of several lines and is not the paper's: omit "
            "it with base_model=true, in `_ll` tasks and with protocol=published"
        )
    excluded: set[str] = set(COMPARED_VARIANTS["sc"] if likelihoods else ())
    if published:
        excluded |= {kind for kind, source in REFORMULATION_SOURCES.items() if source != "paper"}
    asked = VARIANTS if parameters.full_share else TASK_VARIANTS[task]
    variants = [variant for variant in asked if variant not in excluded]
    data, live = parameters.data, parameters.reformulate == "live"
    loaded = load_binary(
        data,
        variants=variants,
        domains=parameters.domains,
        sources=parameters.sources,
        reformulate=parameters.reformulate,
        protocol=parameters.protocol,
        seed=parameters.seed,
        n=n,
        level=parameters.level,
    )
    n_full = int(parameters.full_share * len(loaded.items) + 1e-9)
    questions = (
        build_question(item, variant, parameters, cue=cue)
        for number, item in enumerate(loaded.items)
        for variant in variants
        if number < n_full or variant in TASK_VARIANTS[task]
        if item.has_wording(variant) or live
    )
    kinds = select_reformulations(variants)
    notes = [*_build_notes(data, loaded, kinds, live=live)]
    if published and data != PAPER:
        notes.append("answers are compared as in the paper, but the questions are not the paper's")
    if len(variants) == len(VARIANTS) and not live:
        weighted = select_weighted_reformulations(parameters.weights)
        reworded = [all(map(item.has_wording, weighted)) for item in loaded.items]
        reason = explain_missing_mbs([item.domain for item in loaded.items], reworded)
        notes += [] if reason is None else [f"mbs is not computed: {reason}"]
    return Plan(
        tuple(_mark_repeats(questions)),
        loaded.provenance,
        data,
        notes=tuple(notes),
        later_templates=tuple(reformulation_request("", kind) for kind in kinds if live),
        stop_sequences=STOP_SEQUENCES if parameters.base_model and not likelihoods else (),
    )


def build_question(
    item: BinaryItem, variant: Variant, parameters: BinaryParameters, *, cue: bool
) -> Question:
    """Return the question of an item under a variant.

    Args:
        item: The yes/no question.
        variant: A variant. If the item lacks this rewording, the prompt has the original question,
            and `source` is the request that replaces it.
        parameters: The values of the task's parameters.
        cue: Whether the prompt ends in an answer cue.
    """
    order, restate = parameters.answer_order, parameters.affirmative_first
    render = partial(render_question, item, variant, order, cue=cue, affirmative_first=restate)
    wording = item.reformulations.get(variant, item.question)
    scoring_data = BinaryData(
        item=item.id,
        cluster=item.cluster,
        variant=variant,
        gold=item.gold(variant),
        columns=dict(item.columns),
        domain=item.domain,
        answer_to_original=item.answer,
        question=wording,
    )
    source = None
    if not item.has_wording(variant):
        source = _request_rewording(item.question, cast(Reformulation, variant), render)
    return Question.from_scoring_data(scoring_data, render(wording=wording), source=source)


def _request_rewording(question: str, kind: Reformulation, render: Callable[..., str]) -> Request:
    """Return the request to the model in the role `reformulator`, whose reply makes the prompt."""

    def parse_rewording(reply: str) -> str:
        text = " ".join(reply.split()).strip('"“”')
        problem = find_rewording_problem(question, kind, text)
        if problem is not None:
            raise ValueError(f"that it is a {kind} rewording: {problem}")
        return render(wording=text)

    return Request(reformulation_request(question, kind), REFORMULATOR, question, parse_rewording)


def _mark_repeats(questions: Iterable[Question]) -> Iterator[Question]:
    """Yield the questions, those with an earlier question's prompt marked so that no cache answers.

    These are the repeats, and copies of an item in a simulation.
    """
    prompts: set[str] = set()
    for question in questions:
        yield replace(question, repeats=True) if question.prompt in prompts else question
        prompts.add(question.prompt)


def _build_notes(
    data: str, loaded: Loaded[BinaryItem], kinds: Sequence[Reformulation], *, live: bool
) -> Iterator[str]:
    """Yield notes about domains that are missing, and about missing or unreviewed rewordings."""
    items = loaded.items
    domains = dict.fromkeys(item.domain for item in items)
    excluded = [domain for domain in PAPER_DOMAINS if domain not in domains]
    if excluded and data in (CORE, PAPER, SYNTHETIC):
        yield (
            f"the domains are {', '.join(domains)}, without {', '.join(excluded)}: metrics over "
            "fewer than the paper's five domains are not comparable with the paper's"
        )
    yield from (origin["excluded"] for origin in loaded.provenance if "excluded" in origin)
    counts = {kind: sum(item.has_wording(kind) for item in items) for kind in kinds}
    if min(counts.values(), default=len(items)) == len(items):
        return
    if live:
        yield f"no one reviewed the rewordings of the model in the role {REFORMULATOR}"
    elif not any(counts.values()):
        yield (
            "no question has a rewording: the run has only the variants that need none; "
            f"{rewording_hint(data)}"
        )
    else:
        numbers = ", ".join(f"{kind} {count}" for kind, count in counts.items())
        yield (
            f"not all {len(items)} questions have every rewording ({numbers}); each metric covers "
            "the questions that have what it compares; coverage/... is the share with all parsed"
        )
