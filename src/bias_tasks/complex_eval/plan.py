"""The questions of a run of ComplexEval: every response under each condition, once."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import product

from bias_tasks.complex_eval.attack_checks import ValidAttacks, select_valid_attacks
from bias_tasks.complex_eval.data.core import FlawedDialogue, load_flawed_dialogues
from bias_tasks.complex_eval.data.load import JUDGED_SOURCES, load_judged
from bias_tasks.complex_eval.items import (
    ATTACK_SOURCES,
    ATTACKS,
    AUX,
    CHOSEN,
    FULL,
    MODES,
    NONE,
    ORIGINAL,
    ORIGINAL_2,
    REJECTED,
    SINGLE_AUX,
    Criterion,
    JudgedItem,
    JudgedKind,
    Mode,
)
from bias_tasks.complex_eval.layout import read_dialogue, read_steps
from bias_tasks.complex_eval.prompts.judge import (
    AUXILIARY,
    Caution,
    Wording,
    build_answer_schema,
    build_judge_prompt,
    format_rubric,
)
from bias_tasks.complex_eval.scoring_data import (
    FlawCount,
    JudgeData,
    JudgedResponse,
    JudgementForm,
    PlantedFlaw,
)
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.parameters import ParameterValues, select_names
from bias_tasks.contract.questions import Plan, Question
from bias_tasks.data.errors import DataError
from bias_tasks.data.loading import Loaded
from bias_tasks.protocols import PAPER, PaperProtocol, check_paper_only
from bias_tasks.user_names import Names, parse_names

MAX_FLAWS = 20
"""The largest number of flaws that can be planted into a dialogue."""
_SCORED_BY_CRITERION = ("role_playing", "creative_writing")
_ENVIRONMENT = "Environment"
_NON_WORD = re.compile(r"\W+")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeParameters:
    """Values of a task's parameters (`parameters.py`); None for one that the task does not have."""

    data: str
    n: int | None
    seed: int
    protocol: PaperProtocol
    judge_prompt: Wording
    caution: Caution | None
    aux: Names
    attacks: Names
    mode: Names
    k: int | str | Sequence[int | str] | None
    domains: Names
    sources: Names
    responses: str | None

    @classmethod
    def from_values(cls, values: ParameterValues, n: int | None) -> "JudgeParameters":
        """Return the parameters of a run.

        Args:
            values: The value of every parameter of the task, checked by `TaskSpec.values`.
            n: The maximum number of items; None for all items.
        """
        params: JsonObject = {field.name: values.get(field.name) for field in fields(cls)}
        return cls(**{**params, "n": n})


@dataclass(frozen=True, slots=True)
class _RequestedJudgement:
    """One response of an item, by its name, that is judged under one auxiliary condition."""

    item: JudgedItem
    aux: str
    response: str
    text: str
    dimension: Criterion | None = None
    """The requested criterion of the item, if each has its own question."""

    @property
    def variant(self) -> str:
        """The condition, the response and, if each has its own question, the dimension."""
        variant = f"{self.aux}/{self.response}"
        return variant if self.dimension is None else f"{variant}~{_to_slug(self.dimension)}"

    @property
    def judged_item(self) -> JudgedItem:
        """The item, restricted to the requested criteria."""
        if self.dimension is None:
            return self.item
        return replace(self.item, criteria=(self.dimension,))

    def to_judged_response(self) -> JudgedResponse:
        """Return what the log holds of the judgement."""
        return JudgedResponse(
            item=self.item.id,
            cluster=self.item.cluster,
            family=self.item.family,
            domain=self.item.domain,
            aux=self.aux,
            response=self.response,
            first_error=self.item.first_error,
            parts=1 if self.dimension is None else len(self.item.criteria),
            attacked_criterion=self.item.attacked_criterion,
        )


def plan_pairs(params: JudgeParameters) -> Plan:
    """Return the questions about pairs: both responses under each auxiliary condition.

    A pair without a reference (or rubric) is not judged under that condition. An attacked response
    is judged without auxiliary information and with what it is attacked toward.

    Raises:
        ValueError: The values contradict each other.
        DataError: The items are not available, or they are the paper's, which are not attacked.
    """
    conditions = select_names("aux", params.aux, AUX)
    rivals = _select_attacks("basic", params)
    for name in rivals:
        if name != NONE and not {NONE, name} & set(conditions):
            raise ValueError(f"attacks={name!r} needs aux='none' or aux={name!r}")
    attack_names = [name for name in rivals if name != NONE]
    loaded, attacks = _load("basic", params, attack_names)
    requested = [
        judgement
        for item in loaded.items
        for aux in conditions
        if _has_auxiliary(item, aux)
        for judgement in _request_pair(item, aux, rivals, attacks)
    ]
    return _build_plan(requested, params, loaded, attacks)


def plan_single(family: JudgedKind, params: JudgeParameters) -> Plan:
    """Return the questions about single responses: the original twice, each attacked one once.

    With `mode="per_dimension"` a question requests one criterion, as in the paper's role playing
    (appendix B.2) and as its section 5.3.2 proposes against criteria entanglement.

    Raises:
        ValueError: An attack is unknown, or an item has no criteria to be judged by.
        DataError: The items are not available, or they are the paper's, which are not attacked.
    """
    conditions = select_names("aux", params.aux, SINGLE_AUX)
    attack_names = _select_attacks(family, params)
    loaded, attacks = _load(family, params, attack_names)
    for item in loaded.items:
        _check_criteria(item)
    requested = [
        judgement
        for item in loaded.items
        for aux in conditions
        for judgement in _request_single(item, aux, attack_names, attacks)
    ]
    if params.mode == "per_dimension":
        requested = [
            replace(judgement, dimension=criterion)
            for judgement in requested
            for criterion in judgement.item.criteria
        ]
    return _build_plan(requested, params, loaded, attacks)


def plan_attention(params: JudgeParameters) -> Plan:
    """Return the questions of the attention limit (section 5.4): dialogues with 0 to 20 flaws.

    k = 0 is a good dialogue, the others are copies of it. The flaws of k are among those of k + 1,
    so that only their number changes. The first n dialogues are the same for every n.

    Raises:
        ValueError: A number of flaws is not 0 to `MAX_FLAWS`.
    """
    counts = parse_flaw_counts(params.k)
    assert params.n is not None  # the task has a default
    loaded = load_flawed_dialogues(params.data, params.n, params.seed)
    modes = select_names("mode", params.mode, MODES)
    questions = []
    for dialogue, mode, k in product(loaded.items, modes, counts):
        criteria = (None,) if mode == "joint" else dialogue.item.criteria
        questions += [
            _build_attention_question(dialogue, k, criterion, params.judge_prompt)
            for criterion in criteria
        ]
    return Plan(tuple(questions), loaded.provenance, params.data)


def parse_flaw_counts(k: int | str | Sequence[int | str] | None) -> tuple[int, ...]:
    """Return the numbers of flaws that a parameter lists, sorted and without duplicates.

    Args:
        k: A number, a text with numbers separated by commas, a list, or None for all numbers.

    Raises:
        ValueError: A number is not 0 to `MAX_FLAWS`, or there is none.
    """
    if k is None:
        return tuple(range(MAX_FLAWS + 1))
    texts = parse_names(str(k) if isinstance(k, int | str) else [*map(str, k)])
    allowed = {str(count) for count in range(MAX_FLAWS + 1)}
    if not texts or not allowed.issuperset(texts):
        raise ValueError(f"k={k!r}: expected whole numbers from 0 to {MAX_FLAWS}")
    return tuple(sorted({int(text) for text in texts}))


def _has_auxiliary(item: JudgedItem, aux: str) -> bool:
    if aux == "reference":
        return item.reference is not None
    return aux == NONE or format_rubric(item) is not None


def _request_pair(
    item: JudgedItem, aux: str, rivals: Sequence[str], attacks: ValidAttacks
) -> Iterator[_RequestedJudgement]:
    """Yield the chosen response and its rivals: the rejected response and attacked ones, if any."""
    texts = {REJECTED: item.responses[REJECTED]} if NONE in rivals else {}
    for name in rivals:
        if aux in (NONE, name) and (item.id, name) in attacks.texts:
            texts[f"{REJECTED}~{name}"] = attacks.texts[item.id, name]
    if texts:
        yield _RequestedJudgement(item, aux, CHOSEN, item.responses[CHOSEN])
    for response, text in texts.items():
        yield _RequestedJudgement(item, aux, response, text)


def _request_single(
    item: JudgedItem, aux: str, attack_names: Sequence[str], attacks: ValidAttacks
) -> Iterator[_RequestedJudgement]:
    yield _RequestedJudgement(item, aux, ORIGINAL, item.responses[ORIGINAL])
    yield _RequestedJudgement(item, aux, ORIGINAL_2, item.responses[ORIGINAL])
    for name in attack_names:
        if (item.id, name) in attacks.texts:
            yield _RequestedJudgement(item, aux, name, attacks.texts[item.id, name])


def _select_attacks(kind: JudgedKind, params: JudgeParameters) -> Sequence[str]:
    """Return the attacks of a run; a published one has only the paper's."""
    allowed = AUX if kind == "basic" else ATTACKS[kind]
    if params.protocol == "published":
        allowed = tuple(name for name in allowed if ATTACK_SOURCES[kind].get(name) != "ours")
    return select_names("attacks", params.attacks, allowed)


def _check_attackable(
    family: JudgedKind, params: JudgeParameters, attack_names: Sequence[str]
) -> None:
    """Raise a DataError for attacks on the paper's data before anything is downloaded."""
    if params.data != PAPER or not attack_names:
        return
    alternative = ", or set attacks=none to judge unattacked pairs" if family == "basic" else ""
    first = "after make_auxiliary, which writes references, " if family == "math" else ""
    raise DataError(
        f"data='paper' has no attacked responses: {first}run `inspect eval bias_tasks/make_attacks "
        f"-T family={family} --model MODEL`, then `bias-tasks collect LOG --to FILE`, and set "
        f"data=FILE{alternative}"
    )


def _check_criteria(item: JudgedItem) -> None:
    if item.family not in _SCORED_BY_CRITERION:
        return
    names = [_to_slug(criterion) for criterion in item.criteria]
    if not names or len(set(names)) < len(names):
        problem = "two criteria of one name" if names else "no criteria"
        raise ValueError(f"item {item.id} has {problem}: {item.family} is judged by each criterion")


def _load(
    family: JudgedKind, params: JudgeParameters, attack_names: Sequence[str]
) -> tuple[Loaded[JudgedItem], ValidAttacks]:
    """Return the items of a run and their valid attacks."""
    _check_attackable(family, params, attack_names)
    loaded = load_judged(
        family,
        params.data,
        domains=params.domains,
        sources=params.sources,
        responses=params.responses,
        seed=params.seed,
        n=params.n,
    )
    sources = [str(origin["source"]) for origin in loaded.provenance]
    ours = [name for name, source in JUDGED_SOURCES.items() if source.source == "ours"]
    check_paper_only(params.protocol, [name for name in sources if name in ours])
    return loaded, select_valid_attacks(loaded.items, attack_names, params.protocol)


def _build_plan(
    requested: Sequence[_RequestedJudgement],
    params: JudgeParameters,
    loaded: Loaded[JudgedItem],
    attacks: ValidAttacks,
) -> Plan:
    """Return the plan with one question per prompt; the record of the attacks is the last one."""
    references = {
        judgement.item.reference
        for judgement in requested
        if "reference" in AUXILIARY[judgement.aux]
    }
    if params.caution != "none" and not references - {None}:
        raise ValueError(
            f"caution={params.caution!r} warns of a reference, but no judge is shown one: omit it"
        )
    notes = attacks.notes
    n_missing = sum(item.family == "math" and item.reference is None for item in loaded.items)
    if n_missing:
        note = (
            f"{n_missing} of {len(loaded.items)} solutions have no reference solution to show to "
            "the judge, and are attacked only if the data have the attacked solution"
        )
        notes = (note, *notes)
    return Plan(
        questions=tuple(_build_questions(requested, params)),
        provenance=(*loaded.provenance, attacks.provenance),
        data=params.data,
        notes=notes,
    )


def _build_questions(
    requested: Iterable[_RequestedJudgement], params: JudgeParameters
) -> Iterator[Question]:
    """Yield one question per prompt: items that share a query may share a response, too.

    The second judgement of a response repeats the prompt of the first as a question of its own.
    """
    by_prompt: dict[tuple[str, bool], list[_RequestedJudgement]] = {}
    for judgement in requested:
        prompt = build_judge_prompt(
            judgement.judged_item,
            judgement.aux,
            judgement.text,
            params.caution or "none",
            params.judge_prompt,
        )
        key = (prompt, judgement.response == ORIGINAL_2)
        by_prompt.setdefault(key, []).append(judgement)
    for (prompt, repeats), judgements in by_prompt.items():
        first = judgements[0]
        item = first.judged_item
        data = JudgeData(
            item=item.id,
            cluster=item.cluster or item.id,
            variant=first.variant,
            gold=None if item.first_error is None else str(item.first_error),
            columns=dict(item.columns),
            form=_build_form(item, first.text, first.aux),
            judgements=tuple(judgement.to_judged_response() for judgement in judgements),
        )
        yield Question.from_scoring_data(
            data, prompt, schema=build_answer_schema(item), repeats=repeats, source=first.item
        )


def _build_attention_question(
    dialogue: FlawedDialogue, k: int, criterion: Criterion | None, wording: Wording
) -> Question:
    """Return the question about a dialogue with `k` flaws in one dimension; None for all."""
    item, response = dialogue.item, dialogue.response(k)
    mode: Mode = "joint"
    variant = f"{mode}/{k}"
    if criterion is not None:
        mode = "per_dimension"
        variant = f"{mode}~{_to_slug(criterion)}/{k}"
    judged_item = item if criterion is None else replace(item, criteria=(criterion,))
    names = {criterion.name for criterion in judged_item.criteria}
    flaws = [
        PlantedFlaw(dimension=flaw.dimension, turn=flaw.turn, words=flaw.words)
        for flaw in sorted(dialogue.flaws[:k], key=lambda flaw: flaw.turn)
        if flaw.dimension in names
    ]
    data = JudgeData(
        item=item.id,
        cluster=item.cluster or item.id,
        variant=variant,
        gold=str(len(flaws)),
        form=_build_form(judged_item, response, FULL),
        flaw_count=FlawCount(mode=mode, planted=k),
        parts=1 if criterion is None else len(item.criteria),
        flaws=tuple(flaws),
        turns=tuple(f"{turn.role}: {turn.content}" for turn in read_dialogue(response)),
    )
    prompt = build_judge_prompt(judged_item, FULL, response, wording=wording)
    schema = build_answer_schema(judged_item)
    return Question.from_scoring_data(data, prompt, schema=schema, source=item)


def _build_form(item: JudgedItem, text: str, aux: str) -> JudgementForm:
    """Return what the prompt about a response of the item requests under a condition."""
    criteria: tuple[str, ...] = ()
    steps = turns = 0
    if item.family in _SCORED_BY_CRITERION:
        criteria = tuple(criterion.name for criterion in item.criteria)
    if item.family == "math":
        steps = len(read_steps(text))
    if item.family == "role_playing":
        turns = sum(turn.role != _ENVIRONMENT for turn in read_dialogue(text))
    lacks_reference = "reference" in AUXILIARY[aux] and item.reference is None
    return JudgementForm(
        family=item.family,
        criteria=criteria,
        steps=steps,
        turns=turns,
        lacks_reference=lacks_reference or None,
    )


def _to_slug(criterion: Criterion) -> str:
    """Return the name of a criterion in ids."""
    return _NON_WORD.sub("_", criterion.name.casefold()).strip("_")
