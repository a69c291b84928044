"""How one item is asked under each setting (Instruction Boundary, appendices I, J and K)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from bias_tasks.instruction_boundary.items import (
    JUDGING_LABELS,
    VANILLA,
    ChoiceItem,
    Form,
    Item,
    JudgingItem,
)
from bias_tasks.instruction_boundary.prompts.options import (
    ShownOptions,
    all_options,
    with_distractors,
    without_one,
)
from bias_tasks.instruction_boundary.prompts.suggestion import Suggestion, suggestion
from bias_tasks.instruction_boundary.settings import SETTINGS, SettingParams
from bias_tasks.prompts.templates import fill, template
from bias_tasks.reading.reasoning import Spoken

_JUDGING_OPTIONS = {"missing_choices": 2, "prompt_polishing": 2, "disturbing_miscellany": 5}
_TEMPLATE = {
    "multi_turn": "multi_turn_first",
    "conformity": VANILLA,
    "disturbing_miscellany": VANILLA,
}
# Vanilla too: conformity is measured against where the vanilla answer stands.
_SUGGESTING = frozenset({"conformity", VANILLA})
_EXAMPLE_KIND = {
    "single": "Single-choice Question",
    "multiple": "Multi-Choices Question",
    "none": "Not answerable question",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """One item as it is asked: the prompt, and what is needed to read the answer."""

    prompt: str
    n_options: int
    """Numbered options offered; in the judging form 2, 3 or 5."""
    shown: ShownOptions | None = None
    """Choice form: the options in the order shown."""
    suggestion: Suggestion | None = None
    """Conformity, and its vanilla twin: what is, or would be, suggested."""


def ask(
    item: Item,
    variant: str,
    params: SettingParams,
    *,
    setting: str | None = None,
    examples: Sequence[Item] = (),
) -> Asked:
    """Ask `item` under `variant` (a setting's name, or `vanilla` for the twin of `setting`).

    Args:
        item: the item.
        variant: the setting applied to the prompt.
        params: parameters of the settings.
        setting: the setting that the run is about, where `variant` is its vanilla twin: the twin
            of disturbing_miscellany shows one wrong option, the least disturbed point of
            figure 3.
        examples: worked examples of few_shot, of the item's form.

    Raises:
        ValueError: unknown variant, or few_shot without examples.
    """
    if variant not in SETTINGS:
        raise ValueError(f"unknown setting {variant!r}: expected one of {', '.join(SETTINGS)}")
    setting = setting or variant
    if variant == "prompt_polishing" and params.polish == "live":
        # The polisher is given the vanilla prompt; what conformity would suggest is not its affair.
        return replace(ask(item, VANILLA, params), suggestion=None)
    if isinstance(item, JudgingItem):
        return _ask_judging(item, variant, params, examples)
    return _ask_choice(item, variant, params, setting, examples)


def ask_again(item: Item, params: SettingParams, previous: str) -> str:
    """The prompt of multi_turn's second and later rounds.

    `previous` is the last round's answer. What a model thought before it is not shown again, as
    chat templates leave it out of earlier turns.
    """
    fields = {"question": item.question, "previous": Spoken.of(previous).text}
    if isinstance(item, JudgingItem):
        return fill(_text("judging", "multi_turn_next"), facts=item.context, **fields)
    shown = all_options(item, params.protocol)
    return fill(
        _text("choice", "multi_turn_next"),
        facts_line=_facts_line(item),
        options="\n".join(shown.lines),
        **fields,
    )


def judge_prompt(shown: ShownOptions | None, n_options: int, answer: str) -> str:
    """The request to the judge model (appendix K).

    `shown` are a choice item's options as they were shown, None for a judging item.
    """
    if shown is None:
        return fill(_text("judging", "judge"), answer=answer)
    symbols = [shown.symbol(place) for place in range(n_options)]
    choices = "\n".join(f'Selected option {symbol}: respond "{symbol}"' for symbol in symbols)
    return fill(
        _text("choice", "judge"),
        answer=answer,
        choices=choices,
        first=symbols[0],
        second=symbols[1],
    )


def polish_request(prompt: str) -> str:
    """The request to the model in the role `polisher` to rewrite `prompt`."""
    return fill(template("instruction_boundary/polish_request.txt"), prompt=prompt)


def later_templates(
    forms: Iterable[Form], variants: Collection[str], polish: str
) -> tuple[str, ...]:
    """The templates of what may be asked once there are answers, in a run of these variants.

    `polish` is the parameter of prompt_polishing.
    """
    names = ["judge", *(["multi_turn_next"] if "multi_turn" in variants else [])]
    texts = [_text(form, name) for form in forms for name in names]
    if "prompt_polishing" in variants and polish == "live":
        texts.append(polish_request(""))
    return tuple(texts)


def _ask_judging(
    item: JudgingItem, variant: str, params: SettingParams, examples: Sequence[Item]
) -> Asked:
    text = _text("judging", _TEMPLATE.get(variant, variant))
    if variant == "disturbing_miscellany":
        text = _with_judging_distractors(text)
    fields = {"question": item.question, "facts": item.context}
    if variant == "few_shot":
        fields["examples"] = _examples(examples, item.form)
    prompt = fill(text, **fields)
    suggested = suggestion(item, None, params) if variant in _SUGGESTING else None
    if suggested is not None and variant == "conformity":
        prompt = f"{prompt} {suggested.text}"
    return Asked(prompt, _JUDGING_OPTIONS.get(variant, 3), suggestion=suggested)


def _ask_choice(
    item: ChoiceItem, variant: str, params: SettingParams, setting: str, examples: Sequence[Item]
) -> Asked:
    shown = _shown_options(item, variant, params, setting)
    name = "lettered" if shown.symbols == "letters" else _TEMPLATE.get(variant, variant)
    fields = {
        "question": item.question,
        "facts_line": _facts_line(item),
        "options": "\n".join(shown.lines),
    }
    if variant == "few_shot":
        fields["examples"] = _examples(examples, item.form)
    prompt = fill(_text("choice", name), **fields)
    suggested = suggestion(item, shown, params) if variant in _SUGGESTING else None
    if suggested is not None and variant == "conformity":
        prompt = f"{prompt.removesuffix('Answer:')}{suggested.text}\nAnswer:"
    return Asked(prompt, len(shown.lines), shown=shown, suggestion=suggested)


def _shown_options(
    item: ChoiceItem, variant: str, params: SettingParams, setting: str
) -> ShownOptions:
    if variant == "missing_choices":
        return without_one(item, params.seed, params.protocol)
    if setting == "disturbing_miscellany":
        count = 1 if variant == VANILLA else params.distractors
        return with_distractors(item, count, params.seed, params.protocol)
    return all_options(item, params.protocol)


def _examples(examples: Sequence[Item], form: str) -> str:
    if not examples:
        raise ValueError("few_shot needs worked examples of the item's form")
    blocks = [_example(number, example) for number, example in enumerate(examples, start=1)]
    if any(example.form != form for example in examples):
        raise ValueError(f"the worked examples of a {form} item must be {form} items")
    return "\n\n".join(blocks)


def _example(number: int, example: Item) -> str:
    if isinstance(example, JudgingItem):
        return fill(
            _text("judging", "example"),
            number=str(number),
            facts=example.context,
            question=example.question,
            answer=str(JUDGING_LABELS.index(example.answer) + 1),
        )
    shown = all_options(example, "corrected")
    numbers = ", ".join(shown.symbol(place) for place in example.answer)
    return fill(
        _text("choice", "example"),
        number=str(number),
        kind=_EXAMPLE_KIND[example.label],
        question=example.question,
        facts_line=_facts_line(example),
        options="\n".join(shown.lines),
        answer=numbers or "No correct answer",
    )


def _facts_line(item: ChoiceItem) -> str:
    """The facts with their heading, or nothing where the item has no passage."""
    return f"Facts: {item.context}\n" if item.context else ""


def _with_judging_distractors(text: str) -> str:
    """Table 2's two extra options below option 3, and the request for a number widened to them."""
    third = next(line for line in text.splitlines() if line.startswith("3. "))
    text = text.replace(third, f"{third}\n{_text('judging', 'distractors')}")
    return text.replace("(1, 2, or 3)", "(1, 2, 3, 4, or 5)")


def _text(form: str, name: str) -> str:
    return template(f"instruction_boundary/{form}/{name}.txt")
