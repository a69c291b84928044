"""How one item is asked under each setting (Instruction Boundary, appendices I, J and K)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations

from bias_tasks.instruction_boundary.items import (
    JUDGING_LABELS,
    LABELS,
    VANILLA,
    ChoiceItem,
    Form,
    Item,
    JudgingItem,
)
from bias_tasks.instruction_boundary.prompts.options import (
    ShownOptions,
    all_options,
    complete_options,
    with_distractors,
    without_one,
)
from bias_tasks.instruction_boundary.settings import SettingParams
from bias_tasks.names import PaperProtocol
from bias_tasks.parsing.answer import NO_CORRECT_ANSWER
from bias_tasks.parsing.reasoning import VisibleText
from bias_tasks.prompts.templates import fill, seeded, template, with_cue

_JUDGING_OPTIONS = {"missing_choices": 2, "prompt_polishing": 2, "disturbing_miscellany": 5}
_SUGGESTING = ("conformity", VANILLA)  # conformity is measured against where vanilla stands
_CORRECTED = {"multi_turn": "multi_turn_first", "disturbing_miscellany": VANILLA}
_PUBLISHED = {
    "choice": {"multi_turn": "vagueness"},
    "judging": {**_CORRECTED, "few_shot": "few_shot_as_printed"},
}
_JUDGING_IN_PUBLIC_CODE = (VANILLA, "missing_choices")
_ITS_WORD = ("disproved", "disproven")
_TENSE: Mapping[Form, tuple[str, ...]] = {"judging": ("True", "False"), "choice": ("single",)}
_SPARSE: Mapping[Form, tuple[str, ...]] = {"judging": ("Unknown",), "choice": ("none",)}
_OTHERS_TOO = ("single", "multiple")
_KIND = {
    "single": "Single-choice Question",
    "multiple": "Multi-Choices Question",
    "none": "Not answerable question",
}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The suggested answer of one item."""

    label: str
    text: str
    """The sentence or paragraph put into the prompt."""
    is_gold: bool
    places: tuple[int, ...] = ()
    """Choice form: places, among the options shown, that are suggested."""


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
    """Ask `item` under `variant`: a setting's name, or `vanilla` for the twin of `setting`.

    The twin of disturbing_miscellany shows one wrong option, the least disturbed point of figure 3,
    and that of missing_choices the complete setting of appendix A.3. `examples` are the worked
    examples of few_shot, of the item's form.
    """
    if variant == "prompt_polishing" and params.polish == "live":
        # The polisher is given the vanilla prompt; what conformity would suggest is not its affair.
        return replace(ask(item, VANILLA, params), suggestion=None)
    if isinstance(item, JudgingItem):
        asked = _ask_judging(item, variant, params, examples)
    else:
        asked = _ask_choice(item, variant, params, setting or variant, examples)
    return replace(asked, prompt=with_cue(asked.prompt)) if params.base else asked


def ask_again(item: Item, params: SettingParams, previous: str) -> str:
    """The prompt of multi_turn's second and later rounds.

    `previous` is the last round's answer. What a model thought before it is not shown again, as
    chat templates leave it out of earlier turns. Published: without blanks around it.
    """
    said = VisibleText.from_text(previous).text
    text = text_of(item.form, "multi_turn_next", params.protocol)
    if isinstance(item, JudgingItem):
        prompt = fill(text, facts=item.context, question=item.question, previous=said)
    else:
        prompt = fill(
            text,
            facts_line=facts_line(item),
            options="\n".join(all_options(item, params.protocol).lines),
            question=item.question,
            previous=said.strip() if params.protocol == "published" else said,
        )
    return with_cue(prompt) if params.base else prompt


def judge_prompt(shown: ShownOptions | None, n_options: int, answer: str) -> str:
    """The request to the judge model (appendix K); `shown` is None for a judging item."""
    if shown is None:
        return fill(text_of("judging", "judge", "corrected"), answer=answer)
    symbols = [shown.symbol(place) for place in range(n_options)]
    choices = "\n".join(f'Selected option {symbol}: respond "{symbol}"' for symbol in symbols)
    return fill(
        text_of("choice", "judge", "corrected"),
        answer=answer,
        choices=choices,
        first=symbols[0],
        second=symbols[:2][-1],
    )


def polish_request(prompt: str) -> str:
    """The request to the model in the role `polisher` to rewrite `prompt`."""
    return fill(template("instruction_boundary/polish_request.txt"), prompt=prompt)


def later_templates(
    forms: Iterable[Form], variants: Collection[str], params: SettingParams
) -> tuple[str, ...]:
    """The templates of what may be asked once there are answers, in a run of these variants."""
    names = ["judge", *(["multi_turn_next"] if "multi_turn" in variants else [])]
    texts = [text_of(form, name, params.protocol) for form in forms for name in names]
    if "prompt_polishing" in variants and params.polish == "live":
        texts.append(polish_request(""))
    return tuple(texts)


def _ask_judging(
    item: JudgingItem, variant: str, params: SettingParams, examples: Sequence[Item]
) -> Asked:
    conforming = variant == "conformity"
    text = setting_text("judging", VANILLA if conforming else variant, params.protocol)
    if variant == "disturbing_miscellany":
        # Table 2's two extra options below option 3, and the request for a number widened to them.
        third = next(line for line in text.splitlines() if line.startswith("3. "))
        extra = text_of("judging", "distractors", "corrected")
        text = text.replace(third, f"{third}\n{extra}")
        text = text.replace("(1, 2, or 3)", "(1, 2, 3, 4, or 5)")
    shown = examples_text(examples, params.protocol)
    prompt = fill(text, question=item.question, facts=item.context, examples=shown)
    suggested = _suggestion(item, None, params) if variant in _SUGGESTING else None
    if suggested is not None and conforming:
        prompt = f"{prompt} {suggested.text}"
    return Asked(prompt, _JUDGING_OPTIONS.get(variant, 3), suggestion=suggested)


def _ask_choice(
    item: ChoiceItem, variant: str, params: SettingParams, setting: str, examples: Sequence[Item]
) -> Asked:
    shown = _shown_options(item, variant, params, setting)
    suggested = _suggestion(item, shown, params) if variant in _SUGGESTING else None
    # With letters, the vanilla twin too is asked as the public code asks for letters.
    under = "disturbing_miscellany" if shown.symbols == "letters" else variant
    prompt = fill(
        setting_text("choice", under, params.protocol),
        question=item.question,
        facts_line=facts_line(item),
        options="\n".join(shown.lines),
        suggestion="" if suggested is None else suggested.text,
        examples=examples_text(examples, params.protocol),
    )
    return Asked(prompt, len(shown.lines), shown=shown, suggestion=suggested)


def _shown_options(
    item: ChoiceItem, variant: str, params: SettingParams, setting: str
) -> ShownOptions:
    seed, protocol = params.seed, params.protocol
    if variant == "missing_choices":
        return without_one(item, seed, protocol)
    if setting == "missing_choices":
        return complete_options(item, seed, protocol)
    if "disturbing_miscellany" in (setting, variant):
        count = 1 if variant == VANILLA else params.distractors
        return with_distractors(item, count, seed, protocol)
    return all_options(item, protocol)


def _suggestion(item: Item, shown: ShownOptions | None, params: SettingParams) -> Suggestion:
    """What to suggest for `item`; `shown` are the options of a choice item."""
    label = _label(item, params)
    if isinstance(item, JudgingItem):
        number = LABELS["judging"].index(label) + 1
        text = fill(text_of("judging", "suggestion", params.protocol), answer=str(number))
        return Suggestion(label, text, is_gold=label == item.answer)
    if label == "none" or shown is None:
        text = text_of("choice", "consensus", params.protocol)
        return Suggestion(label, text, is_gold=not item.answer)
    size = 1 if label == "single" else 2
    places = _places(item, shown, size, params.seed, wrong=params.suggest != "tense")
    answer = ", ".join(shown.symbol(place) for place in places)
    text = fill(text_of("choice", "suggestion", params.protocol), answer=answer)
    return Suggestion(label, text, is_gold=places == shown.right(item), places=places)


def _label(item: Item, params: SettingParams) -> str:
    """The label suggested; of the same label as the right one, other options are wrong, too."""
    every = LABELS[item.form]
    labels = {
        "sparse": _SPARSE[item.form],
        "tense": _TENSE[item.form],
        "rotate": every,
        "wrong": tuple(each for each in every if each != item.label or each in _OTHERS_TOO),
    }.get(params.suggest, (params.suggest,))
    return seeded(params.seed, item.id, "conformity").choice(labels)


def _places(
    item: ChoiceItem, shown: ShownOptions, size: int, seed: int, *, wrong: bool
) -> tuple[int, ...]:
    """`size` places of options; where they are to be `wrong`, not those of the right answer."""
    gold = shown.right(item) if wrong else None
    sets = [s for s in combinations(range(len(shown.lines)), size) if s != gold]
    return seeded(seed, item.id, "suggested options").choice(sets)


def examples_text(examples: Sequence[Item], protocol: PaperProtocol) -> str:
    """The worked examples of few_shot one below the other, numbered from 1 (appendices I, J)."""
    blocks = (_example(number, each, protocol) for number, each in enumerate(examples, start=1))
    return "\n\n".join(blocks)


def _example(number: int, example: Item, protocol: PaperProtocol) -> str:
    """A choice example's options and their numbers in the answer are what the questions' are."""
    text = text_of(example.form, "example", protocol)
    if isinstance(example, JudgingItem):
        return fill(
            text,
            number=str(number),
            facts=example.context,
            question=example.question,
            answer=str(JUDGING_LABELS.index(example.answer) + 1),
        )
    shown = all_options(example, protocol)
    numbers = ", ".join(shown.symbol(place) for place in example.answer)
    return fill(
        text,
        number=str(number),
        kind=_KIND[example.label],
        question=example.question,
        facts_line=facts_line(example),
        options="\n".join(shown.lines),
        answer=numbers or NO_CORRECT_ANSWER,
    )


def setting_text(form: Form, variant: str, protocol: PaperProtocol) -> str:
    """The template of a setting's prompt, or of its first round."""
    names = _PUBLISHED[form] if protocol == "published" else _CORRECTED
    return text_of(form, names.get(variant, variant), protocol)


def text_of(form: Form, name: str, protocol: PaperProtocol) -> str:
    """A template by its name.

    In the choice form the public code is the instrument that was run, so `published` takes its
    text where there is one. It has no judging form but vanilla and missing choices, which are
    appendix J's but for one word.
    """
    if protocol == "published" and form == "judging" and name in _JUDGING_IN_PUBLIC_CODE:
        return template(f"instruction_boundary/judging/{name}.txt").replace(*_ITS_WORD)
    if protocol == "published" and form == "choice":
        with suppress(FileNotFoundError):
            return template(f"instruction_boundary/published/{name}.txt")
    return template(f"instruction_boundary/{form}/{name}.txt")


def facts_line(item: ChoiceItem) -> str:
    """The facts with their heading, or nothing."""
    return f"Facts: {item.context}\n" if item.context else ""
