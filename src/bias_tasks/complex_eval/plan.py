"""What a run of ComplexEval asks: every response under each condition, once."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bias_tasks.complex_eval.attack_checks import attack_notes, valid_attacks
from bias_tasks.complex_eval.data.core import FlawedDialogue, flawed_dialogues
from bias_tasks.complex_eval.data.load import PAPER, load_judged
from bias_tasks.complex_eval.items import (
    AUX,
    BIASES,
    CHOSEN,
    FULL,
    MODES,
    NONE,
    ORIGINAL,
    ORIGINAL_2,
    REJECTED,
    Criterion,
    JudgedItem,
    JudgedKind,
)
from bias_tasks.complex_eval.layout import read_dialogue, read_steps
from bias_tasks.complex_eval.prompts.judge import (
    AUXILIARY,
    Wording,
    answer_schema,
    judge_prompt,
    rubric_text,
)
from bias_tasks.contract.family import Plan, Question
from bias_tasks.contract.parameters import chosen_names
from bias_tasks.data.errors import DataError
from bias_tasks.data.loading import Loaded
from bias_tasks.names import names_in

MOST_FLAWS = 20
"""The most flaws that can be planted into a dialogue."""
_SCORED_BY_CRITERION = ("role_playing", "creative_writing")
_WORDS = re.compile(r"\W+")


def plan_pairs(values: Mapping[str, Any]) -> Plan:
    """The questions of pairs by the task's parameters (`tasks.yaml`): both responses under each
    auxiliary condition. A ValueError where the values do not fit each other; a DataError where the
    items can't be had, or are the paper's, which are not attacked.

    A pair that has no reference (or rubric) is not judged under that condition, and an attacked
    response is judged without auxiliary information and with what it is attacked toward."""
    conditions = chosen_names("aux", values["aux"], AUX)
    against = chosen_names("attack", values["attack"], AUX)
    for name in against:
        if name != NONE and not {NONE, name} & set(conditions):
            raise ValueError(f"attack={name!r} is judged under aux='none' or aux={name!r}")
    names = [name for name in against if name != NONE]
    _check_attackable("basic", values, names)
    loaded = _loaded("basic", values)
    attacked, account = valid_attacks(loaded.items, names, values)
    judged = [
        each
        for item in loaded.items
        for aux in conditions
        if {NONE: "", "reference": item.reference, "rubric": rubric_text(item)}[aux] is not None
        for each in _pair(item, aux, against, attacked)
    ]
    return _plan(judged, values, loaded, account)


def plan_single(family: JudgedKind, values: Mapping[str, Any]) -> Plan:
    """The questions of single responses: the original twice, and every attacked one.

    With `dimensions="one"` a question of role playing asks for one dimension, as the paper does
    (appendix B.2). Values and errors are those of `plan_pairs`; a ValueError, too, where an item
    has no criteria to be judged by.
    """
    biases = chosen_names("bias", values["bias"], BIASES[family])
    _check_attackable(family, values, biases)
    loaded = _loaded(family, values)
    for item in loaded.items:
        _check_criteria(item)
    attacked, account = valid_attacks(loaded.items, biases, values)
    judged = [each for item in loaded.items for each in _single(item, biases, attacked)]
    if values.get("dimensions") == "one":
        judged = [replace(e, dimension=part) for e in judged for part in e.item.criteria]
    return _plan(judged, values, loaded, account)


def plan_attention(values: Mapping[str, Any]) -> Plan:
    """Dialogues with ever more flaws, each judged with every number of them (section 5.4).

    k = 0 is a good dialogue, and the others are copies of it. The flaws of k are among those of k +
    1, so that only their number changes. The first n dialogues are the same for every n. A
    ValueError where a number of flaws is not 0 to 20."""
    counts = flaw_counts(values["k"])
    loaded = flawed_dialogues(values["data"], values["n"], values["seed"])
    questions = tuple(
        _attention_question(dialogue, k, part, values["judge"])
        for dialogue in loaded.items
        for mode in chosen_names("mode", values["mode"], MODES)
        for k in counts
        for part in ([None] if mode == "joint" else dialogue.item.criteria)
    )
    return Plan(questions, loaded.provenance, values["data"])


def flaw_counts(k: int | str | Sequence[int | str] | None) -> tuple[int, ...]:
    """The numbers of flaws that a parameter lists, in order, each once; all for None. Raises a
    ValueError where one is not 0 to 20, or there is none."""
    if k is None:
        return tuple(range(MOST_FLAWS + 1))
    texts = names_in(str(k) if isinstance(k, int | str) else [*map(str, k)])
    allowed = {str(count) for count in range(MOST_FLAWS + 1)}
    if not texts or not allowed.issuperset(texts):
        raise ValueError(f"k={k!r}: expected whole numbers from 0 to {MOST_FLAWS}")
    return tuple(sorted({int(text) for text in texts}))


@dataclass(frozen=True, slots=True)
class JudgedResponse:
    """One response of an item, by its name, under one auxiliary condition.

    `dimension` is the one of the item's criteria that is asked for, where each has a question.
    """

    item: JudgedItem
    aux: str
    response: str
    text: str
    dimension: Criterion | None = None

    @property
    def variant(self) -> str:
        """The condition and the response; and the dimension where that is asked for alone."""
        asked = f"{self.aux}/{self.response}"
        return asked if self.dimension is None else f"{asked}~{_slug(self.dimension)}"

    @property
    def asked(self) -> JudgedItem:
        """The item with the criteria that are asked for."""
        one = self.dimension
        return self.item if one is None else replace(self.item, criteria=(one,))

    def fact(self) -> dict[str, Any]:
        """The fields of `Judgement` without score and epoch; and `parts`, how many answers make it
        up."""
        return {
            "parts": 1 if self.dimension is None else len(self.item.criteria),
            "item": self.item.id,
            "cluster": self.item.cluster,
            "family": self.item.family,
            "domain": self.item.domain,
            "aux": self.aux,
            "response": self.response,
            "gold": self.item.first_error,
        }


def _pair(
    item: JudgedItem, aux: str, against: Sequence[str], attacked: Mapping[tuple[str, str], str]
) -> Iterator[JudgedResponse]:
    """The chosen response and those that it is compared with, if there are any."""
    rejected = {name: attacked.get((item.id, name)) for name in against if aux in (NONE, name)}
    rivals = [(f"{REJECTED}~{name}", text) for name, text in rejected.items() if text is not None]
    if NONE in against:
        rivals.insert(0, (REJECTED, item.responses[REJECTED]))
    if rivals:
        for name, text in [(CHOSEN, item.responses[CHOSEN]), *rivals]:
            yield JudgedResponse(item, aux, name, text)


def _single(
    item: JudgedItem, biases: Sequence[str], attacked: Mapping[tuple[str, str], str]
) -> Iterator[JudgedResponse]:
    yield JudgedResponse(item, FULL, ORIGINAL, item.responses[ORIGINAL])
    yield JudgedResponse(item, FULL, ORIGINAL_2, item.responses[ORIGINAL])
    for name in biases:
        if (item.id, name) in attacked:
            yield JudgedResponse(item, FULL, name, attacked[item.id, name])


def _check_attackable(family: JudgedKind, values: Mapping[str, Any], names: Sequence[str]) -> None:
    """Refuses the paper's data, which nobody has attacked yet, before anything is fetched."""
    if values["data"] != PAPER or not names:
        return
    without = ", or give attack=none for the pairs as they are" if family == "basic" else ""
    writer = "--reference-writer MODEL " if family == "math" else ""
    raise DataError(
        f"data='paper' brings no attacked responses: make them by `bias-tasks attack {family} "
        f"{writer}--attacker MODEL --out attacked.jsonl` and give data=attacked.jsonl{without}"
    )


def _check_criteria(item: JudgedItem) -> None:
    names = [_slug(part) for part in item.criteria]
    if item.family in _SCORED_BY_CRITERION and (not names or len(set(names)) < len(names)):
        what = "no criteria" if not names else "two criteria of one name"
        raise ValueError(f"item {item.id} has {what}: {item.family} is judged by each of them")


def _loaded(family: JudgedKind, values: Mapping[str, Any]) -> Loaded[JudgedItem]:
    chosen = {name: values.get(name) for name in ("domains", "sources", "responses", "n")}
    return load_judged(family, values["data"], seed=values["seed"], **chosen)


def _plan(
    judged: Sequence[JudgedResponse],
    values: Mapping[str, Any],
    loaded: Loaded[JudgedItem],
    account: Mapping[str, Any],
) -> Plan:
    """The questions, those of one prompt made one; the attacks' record is the last."""
    caution, items = values["caution"], loaded.items
    shown = {each.item.reference for each in judged if "reference" in AUXILIARY[each.aux]}
    if caution != "none" and not shown - {None}:
        raise ValueError(f"caution={caution!r} warns of a reference, and no judge is shown one")
    notes = attack_notes(account)
    without = sum(item.reference is None for item in items if item.family == "math")
    if without:
        told = (
            f"{without} of {len(items)} solutions have no reference solution to show to the judge"
        )
        notes = (
            f"{told}, and are attacked only where the data bring the attacked solution",
            *notes,
        )
    return Plan(
        questions=tuple(_questions(judged, items, values)),
        provenance=(*loaded.provenance, account),
        data=values["data"],
        notes=notes,
    )


def _questions(
    judged: Iterable[JudgedResponse], items: Iterable[JudgedItem], values: Mapping[str, Any]
) -> Iterator[Question]:
    """A question for each prompt: items that share a query may share a response too.

    The second judgement of a response repeats the prompt of the first, and stays by itself.
    """
    by_query: dict[str, tuple[JudgedItem, ...]] = {}
    for item in items:
        by_query[item.query] = (*by_query.get(item.query, ()), item)
    by_prompt: dict[tuple[str, bool], list[JudgedResponse]] = {}
    for each in judged:
        prompt = judge_prompt(each.asked, each.aux, each.text, values["caution"], values["judge"])
        by_prompt.setdefault((prompt, each.response == ORIGINAL_2), []).append(each)
    for (prompt, repeats), [first, *others] in by_prompt.items():
        asked = first.asked
        facts = {
            "gold": asked.first_error,
            "form": _form(asked, first.text),
            "judgements": [each.fact() for each in (first, *others)],
        }
        schema, known = answer_schema(asked), by_query[asked.query]
        yield Question.about(
            asked, first.variant, prompt, facts, schema=schema, repeats=repeats, known=known
        )


def _attention_question(
    dialogue: FlawedDialogue, k: int, part: Criterion | None, wording: Wording
) -> Question:
    """One dialogue with `k` flaws, judged in one dimension; in all at once for None."""
    item, response = dialogue.item, dialogue.response(k)
    mode, name = ("joint", "") if part is None else ("per_dimension", f"~{_slug(part)}")
    asked = item if part is None else replace(item, criteria=(part,))
    names = {criterion.name for criterion in asked.criteria}
    flaws = [
        {"dimension": flaw.dimension, "turn": flaw.turn, "words": flaw.words}
        for flaw in sorted(dialogue.flaws[:k], key=lambda flaw: flaw.turn)
        if flaw.dimension in names
    ]
    facts = {
        "gold": len(flaws),
        "form": _form(asked, response),
        "count": {"item": item.id, "cluster": item.cluster, "mode": mode, "planted": k},
        "parts": 1 if part is None else len(item.criteria),
        "flaws": flaws,
        "turns": [f"{turn.role}: {turn.content}" for turn in read_dialogue(response)],
    }
    prompt = judge_prompt(asked, FULL, response, wording=wording)
    schema = answer_schema(asked)
    return Question.about(asked, f"{mode}{name}/{k}", prompt, facts, schema=schema, known=(item,))


def _form(asked: JudgedItem, text: str) -> dict[str, Any]:
    """How the answer is read, as plain JSON values."""
    form: dict[str, Any] = {"family": asked.family}
    if asked.family == "math":
        form["steps"] = len(read_steps(text))
    if asked.family in _SCORED_BY_CRITERION:
        form["criteria"] = [part.name for part in asked.criteria]
    if asked.family == "role_playing":
        form["turns"] = sum(turn.role != "Environment" for turn in read_dialogue(text))
    return form


def _slug(criterion: Criterion) -> str:
    """Its name in an id."""
    return _WORDS.sub("_", criterion.name.casefold()).strip("_")
