"""What a run of ComplexEval asks: every response under each condition, once.

Both hosts build their samples from here, so a sample's id, prompt and schema are the same in
either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, Unpack

from bias_tasks.complex_eval.data.load import Chosen, LoadedJudged, load_judged
from bias_tasks.complex_eval.items import (
    ATTACKS,
    AUX,
    BIASES,
    CHOSEN,
    ORIGINAL,
    REJECTED,
    JudgedItem,
    JudgedKind,
)
from bias_tasks.complex_eval.judge_question import (
    JudgeQuestion,
    asked_once,
    by_dimension,
    check_judgeable,
)
from bias_tasks.complex_eval.judged_attacks import (
    AttackedResponses,
    attacked_responses,
    check_attackable,
)
from bias_tasks.complex_eval.metrics.outcome import FULL, NONE, ORIGINAL_2
from bias_tasks.complex_eval.parameters import PARAMETERS
from bias_tasks.complex_eval.prompts.judge import Caution, rubric_text
from bias_tasks.complex_eval.references import check_references, check_references_come
from bias_tasks.family import Plan
from bias_tasks.names import PaperProtocol
from bias_tasks.parameters import Names, chosen_names

Dimensions = Literal["one", "joint"]
"""How many of a dialogue's dimensions a question asks for."""


def plan_basic(
    data: str = "paper",
    *,
    aux: Names = None,
    attack: Names = None,
    attacks: str | None = None,
    caution: Caution = "none",
    protocol: PaperProtocol = "corrected",
    seed: int = 0,
    **chosen: Unpack[Chosen],
) -> Plan:
    """The questions of pairs: both responses under each auxiliary condition.

    A pair that has no reference (or rubric) is not judged under that condition, and an attacked
    response is judged without auxiliary information and with what it is attacked toward.

    `attack` names rejected responses: none is the original one, reference and rubric are attacked.
    `attacks="rule"` allows the paper's data to be attacked by rule.
    `caution` is what the judge is warned of where a reference is shown.
    The protocol decides whether attacks that fail the check are left out; the seed is that of the
    attacks by rule too. Everything else is as `load_judged` takes it.

    Raises:
        ValueError: a parameter's value is unknown or does not fit the others.
        DataError: the items can't be had, or bring no attacks where `attacks` allows none by rule.
    """
    PARAMETERS["protocol"].check(protocol)
    conditions = chosen_names("aux", aux, AUX)
    against = chosen_names("attack", attack, AUX)
    for name in against:
        if name != NONE and not {NONE, name} & set(conditions):
            raise ValueError(f"attack={name!r} is judged under aux='none' or aux={name!r}")
    names = tuple(name for name in ATTACKS if name in against)
    check_attackable("basic", data, PARAMETERS["attacks"].check(attacks), names)
    loaded = load_judged("basic", data, seed=seed, **chosen)
    attacked = attacked_responses(loaded.items, names, seed, protocol)
    questions = [
        question
        for item in loaded.items
        for name in conditions
        if _has(item, name)
        for question in _pair(item, name, against, attacked)
    ]
    return _plan(questions, data, loaded, attacked, caution)


def plan_advanced(
    family: JudgedKind,
    data: str = "paper",
    *,
    bias: Names = None,
    attacks: str | None = None,
    caution: Caution = "none",
    dimensions: Dimensions = "one",
    protocol: PaperProtocol = "corrected",
    seed: int = 0,
    **chosen: Unpack[Chosen],
) -> Plan:
    """The questions of single responses: the original twice, and every attacked one.

    `bias` names some of the kind's targeted attacks; all by default. `dimensions` says
    whether those of role playing are asked for one in a question, as the paper does (appendix
    B.2), or together; other kinds are asked whole. Everything else is as for `plan_basic`.

    Raises:
        ValueError: a parameter's value is unknown, or an item has no criteria to be judged by.
        DataError: the items can't be had, are solutions of which none has a reference, or bring no
            attacks where `attacks` allows none by rule.
    """
    PARAMETERS["protocol"].check(protocol)
    biases = chosen_names("bias", bias, BIASES[family])
    check_references_come(family, data, chosen.get("responses"))
    check_attackable(family, data, PARAMETERS["attacks"].check(attacks), biases)
    loaded = load_judged(family, data, seed=seed, **chosen)
    for item in loaded.items:
        check_judgeable(item)
    notes = check_references(family, data, loaded.items)
    attacked = attacked_responses(loaded.items, biases, seed, protocol)
    whole = [question for item in loaded.items for question in _single(item, biases, attacked)]
    apart = family == "role_playing" and dimensions == "one"
    questions = [part for each in whole for part in by_dimension(each)] if apart else whole
    planned = _plan(questions, data, loaded, attacked, caution)
    return replace(planned, notes=(*notes, *planned.notes))


def _pair(
    item: JudgedItem, aux: str, against: Sequence[str], attacked: AttackedResponses
) -> list[JudgeQuestion]:
    """The chosen response and those that it is compared with, if there are any."""
    rejected = []
    if NONE in against:
        rejected.append(JudgeQuestion(item, aux, REJECTED, item.responses[REJECTED]))
    for name in against:
        text = attacked.texts.get((item.id, name))
        if text is not None and aux in (NONE, name):
            rejected.append(JudgeQuestion(item, aux, f"{REJECTED}~{name}", text))
    chosen = JudgeQuestion(item, aux, CHOSEN, item.responses[CHOSEN])
    return [chosen, *rejected] if rejected else []


def _single(
    item: JudgedItem, biases: Sequence[str], attacked: AttackedResponses
) -> Iterator[JudgeQuestion]:
    original = item.responses[ORIGINAL]
    yield JudgeQuestion(item, FULL, ORIGINAL, original)
    yield JudgeQuestion(item, FULL, ORIGINAL_2, original)
    for name in biases:
        text = attacked.texts.get((item.id, name))
        if text is not None:
            yield JudgeQuestion(item, FULL, name, text)


def _has(item: JudgedItem, aux: str) -> bool:
    """Whether the item has the auxiliary information."""
    told = {NONE: "", "reference": item.reference, "rubric": rubric_text(item)}
    return told[aux] is not None


def _plan(
    questions: Sequence[JudgeQuestion],
    data: str,
    loaded: LoadedJudged,
    attacked: AttackedResponses,
    caution: Caution,
) -> Plan:
    """The questions with those of one prompt made one; the attacks' record is the last."""
    cautious = [replace(question, caution=caution) for question in questions]
    if caution != "none" and not any(question.shows_reference for question in cautious):
        raise ValueError(f"caution={caution!r} warns of a reference, and no judge is shown one")
    by_query: dict[str, tuple[JudgedItem, ...]] = {}
    for item in loaded.items:
        by_query[item.query] = (*by_query.get(item.query, ()), item)
    asked = tuple(
        question.to_question(by_query[question.item.query]) for question in asked_once(cautious)
    )
    provenance = (*loaded.provenance, attacked.provenance)
    return Plan(asked, provenance, data, notes=attacked.notes)
