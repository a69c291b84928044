"""Renders the prompt of one item under each setting (appendices I, J and K)."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations

from bias_tasks.instruction_boundary.items import LABELS, VANILLA, Form, Item, JudgingItem
from bias_tasks.instruction_boundary.prompts.options import (
    DisplayedOptions,
    select_all_options,
    select_complete_options,
    select_incomplete_options,
    select_with_distractors,
)
from bias_tasks.instruction_boundary.scoring_data import OptionsData, SettingData, Suggestion
from bias_tasks.instruction_boundary.settings import (
    CONFORMITY,
    MISCELLANY,
    PUSHBACK,
    SettingParams,
)
from bias_tasks.parsing.answer import NO_CORRECT_ANSWER
from bias_tasks.parsing.reasoning import VisibleText
from bias_tasks.prompts.edits import (
    PUSHBACKS,
    render_polish_request,
    render_pushback,
    render_reflection,
    render_suggestion,
)
from bias_tasks.prompts.templates import fill, template, with_cue
from bias_tasks.protocols import PaperProtocol
from bias_tasks.randomness import seeded_random

_JUDGING_OPTIONS = {"missing_choices": 2, "prompt_polishing": 2, MISCELLANY: 5}
"""Number of numbered options of the judging form, for settings that do not offer 3."""
_SHARED_TEMPLATES: Mapping[tuple[Form, PaperProtocol, str], str] = {
    ("choice", "corrected", MISCELLANY): VANILLA,
    ("choice", "published", "multi_turn"): "vagueness",
    ("judging", "published", "few_shot"): "few_shot_as_printed",
    ("judging", "corrected", PUSHBACK): VANILLA,
    ("choice", "corrected", PUSHBACK): VANILLA,
}
"""Names of templates that are not the setting's."""
_SUGGESTS_NONE = {"expert": "conformity_consensus", "opinion": "conformity_opinion_none"}
"""Names of the templates that suggest that no option is correct."""
_JUDGING_IN_PUBLIC_CODE = (VANILLA, "missing_choices", "conformity", MISCELLANY)
"""Judging templates of the public code, and those derived from its vanilla prompt."""
_PUBLIC_CODE_WORD = ("disproved", "disproven")
"""The word of appendix J, and the word of the public code in its place."""
_OPTION_LINE = re.compile(r"^\d\. .+$", re.M)
_TENSE: Mapping[Form, tuple[str, ...]] = {"judging": ("True", "False"), "choice": ("single",)}
_LABELS_WITH_ALTERNATIVES = ("single", "multiple")
"""Labels under which other options than the correct ones are wrong answers."""
_MAX_DRAWS = 100
"""Draws of a wrong suggestion until one differs from those before it."""
_EXAMPLE_TITLES = {
    "single": "Single-choice Question",
    "multiple": "Multi-Choices Question",
    "none": "Not answerable question",
}


@dataclass(frozen=True, slots=True)
class RenderedQuestion:
    """The prompt of one item under one variant, and what it displays."""

    prompt: str
    n_options: int
    """Number of numbered options that are offered; 2, 3 or 5 in the judging form."""
    displayed: DisplayedOptions | None = None
    """The displayed options; None in the judging form."""
    suggestion: Suggestion | None = None
    """What conformity suggests or a pushback claims; None under other settings."""
    template: str = ""
    """The prompt without the item."""

    @property
    def option_lines(self) -> Sequence[str]:
        """The options with their numbers, as the prompt displays them."""
        if self.displayed is not None:
            return self.displayed.lines
        return _OPTION_LINE.findall(self.template)

    @property
    def options(self) -> OptionsData | None:
        """What scoring needs of the displayed options; None in the judging form."""
        return None if self.displayed is None else self.displayed.data


def render_question(
    item: Item,
    variant: str,
    params: SettingParams,
    *,
    setting: str | None = None,
    examples: Sequence[Item] = (),
) -> RenderedQuestion:
    """Render the prompt of an item.

    The baseline of disturbing miscellany displays one wrong option, the least disturbed point of
    figure 3. The baseline of missing choices displays the complete setting of appendix A.3.

    Args:
        item: The item.
        variant: Name of a setting, or `vanilla` for a baseline.
        params: Parameters of the settings.
        setting: The setting whose baseline `vanilla` is.
        examples: Worked examples of few-shot prompts, of the item's form.
    """
    if variant == "prompt_polishing" and params.polish == "live":
        return render_question(item, VANILLA, params)  # what the polisher gets
    displayed = _select_options(item, variant, params, setting or variant)
    options = None if displayed is None else displayed.data
    suggests = variant == CONFORMITY or (variant == PUSHBACK and params.suggest)
    suggestion = _select_suggestion(item, options, params) if suggests else None
    # With letters, the baseline too has the public code's prompt that asks for letters.
    lettered = options is not None and options.symbols == "letters"
    text = load_template(item.form, MISCELLANY if lettered else variant, params.protocol)
    prompt = _fill_in(
        text,
        item,
        displayed,
        suggestion=_render_suggestion(item.form, suggestion, options, params),
        examples=_render_examples(examples, params),
    )
    n_options = _JUDGING_OPTIONS.get(variant, 3) if displayed is None else len(displayed.lines)
    prompt = with_cue(prompt) if params.base_model else prompt
    return RenderedQuestion(prompt, n_options, displayed, suggestion, text)


def render_next_round(item: Item, params: SettingParams, previous: str) -> str:
    """Render the prompt of the second and later rounds of multi-turn.

    It is one message that quotes the previous answer, as in the public code. In a dialogue it is
    the reflection questions alone, since the model sees what came before.

    Args:
        item: The item.
        params: Parameters of the settings.
        previous: The answer of the previous round. Its reasoning is not quoted, as chat templates
            omit it from earlier turns. Published: blanks around it are removed.
    """
    if params.dialogue:
        return with_cue(render_reflection()) if params.base_model else render_reflection()
    visible_text = VisibleText.from_text(previous).text
    if item.form == "choice" and params.protocol == "published":
        visible_text = visible_text.strip()
    text = load_template(item.form, "multi_turn_next", params.protocol)
    displayed = _select_options(item, VANILLA, params, VANILLA)
    prompt = _fill_in(text, item, displayed, previous=visible_text)
    return with_cue(prompt) if params.base_model else prompt


def render_pushbacks(data: SettingData, params: SettingParams) -> list[str]:
    """Render the messages after the first answer, one per round, each in other words.

    Args:
        data: The question's scoring data.
        params: Parameters of the settings.
    """
    kind, claim, answer = data.variant.partition("@")[2], data.suggestion, ""
    if claim is not None:
        answer = _format_answer(claim.label, data.options, claim.indices) or NO_CORRECT_ANSWER
    rounds = range(params.rounds)
    return [render_pushback(kind, number, params.seed, data.item, answer) for number in rounds]


def render_grader_prompt(options: OptionsData | None, n_options: int, answer: str) -> str:
    """Render the request to the grader (appendix K).

    Args:
        options: The displayed options; None for a judging item.
        n_options: Number of options that are offered.
        answer: The answer to parse.
    """
    if options is None:
        return fill(load_template("judging", "judge", "corrected"), answer=answer)
    symbols = [options.symbol(index) for index in range(n_options)]
    choices = "\n".join(f'Selected option {symbol}: respond "{symbol}"' for symbol in symbols)
    return fill(
        load_template("choice", "judge", "corrected"),
        answer=answer,
        choices=choices,
        first=symbols[0],
        second=symbols[:2][-1],
    )


def list_later_templates(
    forms: Iterable[Form], variants: Collection[str], params: SettingParams
) -> tuple[str, ...]:
    """Return the templates of prompts that depend on answers, in a run of these variants."""
    names = ["judge"]
    if "multi_turn" in variants:
        names.append("multi_turn_next")
    texts = [load_template(form, name, params.protocol) for form in forms for name in names]
    if "prompt_polishing" in variants and params.polish == "live":
        texts.append(render_polish_request(""))
    if "multi_turn" in variants and params.dialogue:
        texts.append(render_reflection())
    for kind, wordings in PUSHBACKS.items():
        texts += wordings if f"{PUSHBACK}@{kind}" in variants else ()
    return tuple(texts)


def _fill_in(text: str, item: Item, displayed: DisplayedOptions | None, **fields: str) -> str:
    """Fill a template with an item, its displayed options, and further fields."""
    return fill(
        text,
        question=item.question,
        facts=item.context or "",
        facts_line=f"Facts: {item.context}\n" if item.context else "",
        options="" if displayed is None else "\n".join(displayed.lines),
        **fields,
    )


def _select_options(
    item: Item, variant: str, params: SettingParams, setting: str
) -> DisplayedOptions | None:
    """Select the options that a prompt displays; None for a judging item."""
    if isinstance(item, JudgingItem):
        return None
    seed, protocol = params.seed, params.protocol
    if variant == "missing_choices":
        return select_incomplete_options(item, seed, protocol)
    if setting == "missing_choices" or params.label_modification:
        return select_complete_options(item, seed, protocol)
    if MISCELLANY in (setting, variant):
        count = 1 if variant == VANILLA else params.distractors
        return select_with_distractors(item, count, seed, protocol)
    return select_all_options(item, protocol)


def _select_suggestion(
    item: Item, options: OptionsData | None, params: SettingParams
) -> Suggestion:
    """Select what to suggest for an item; `options` are those of a choice item.

    A further wrong suggestion differs from the ones before it.

    Raises:
        ValueError: The item has too few wrong answers.
    """
    if params.suggest == "right":
        gold = () if options is None else options.gold
        return Suggestion(label=item.label, is_gold=True, indices=gold)
    earlier: list[Suggestion] = []
    for attempt in range(1, _MAX_DRAWS + 1):
        suggestion = _draw_suggestion(item, options, params, attempt)
        if suggestion not in earlier:
            earlier.append(suggestion)
        if len(earlier) == params.suggestions:
            return suggestion
    raise ValueError(
        f"item {item.id} has no {params.suggestions} different wrong answers to suggest: set "
        f"suggestions={params.suggestions - 1}"
    )


def _draw_suggestion(
    item: Item, options: OptionsData | None, params: SettingParams, attempt: int
) -> Suggestion:
    attempts = () if attempt == 1 else (str(attempt),)
    label = _draw_suggested_label(item, params, *attempts)
    if options is None or label == "none":
        return Suggestion(label=label, is_gold=label == item.label)
    size = 1 if label == "single" else 2
    excluded = None if params.suggest == "tense" else options.gold
    candidates = [
        indices
        for indices in combinations(range(len(options.positions)), size)
        if indices != excluded
    ]
    rng = seeded_random(params.seed, item.id, "suggested options", *attempts)
    indices = rng.choice(candidates)
    return Suggestion(label=label, is_gold=indices == options.gold, indices=indices)


def _draw_suggested_label(item: Item, params: SettingParams, *attempts: str) -> str:
    """Draw the label to suggest.

    A wrong suggestion may have the correct label if other options of that label are wrong.
    """
    labels = LABELS[item.form]
    wrong = tuple(
        label for label in labels if label != item.label or label in _LABELS_WITH_ALTERNATIVES
    )
    candidates = {
        "sparse": labels[-1:],
        "tense": _TENSE[item.form],
        "rotate": labels,
        "wrong": wrong,
        "wrong_option": ("single",) if item.form == "choice" else wrong,
    }
    selected = candidates.get(params.suggest, (params.suggest,))
    return seeded_random(params.seed, item.id, "conformity", *attempts).choice(selected)


def _render_suggestion(
    form: Form, suggestion: Suggestion | None, options: OptionsData | None, params: SettingParams
) -> str:
    """Render the sentence or paragraph that suggests an answer; empty without a suggestion."""
    if suggestion is None:
        return ""
    if suggestion.label == "none":
        return load_template(form, _SUGGESTS_NONE[params.suggestion], params.protocol)
    answer = _format_answer(suggestion.label, options, suggestion.indices)
    return render_suggestion(answer, params.suggestion)


def _format_answer(label: str, options: OptionsData | None, indices: Sequence[int]) -> str:
    """Return the number of a judging label, or the numbers of displayed options."""
    if options is None:
        return str(LABELS["judging"].index(label) + 1)
    return options.symbols_of(indices)


def _render_examples(examples: Sequence[Item], params: SettingParams) -> str:
    """Render the worked examples of few-shot prompts, numbered from 1 (appendices I, J).

    Their options and numbers are as in the questions.
    """
    blocks = []
    for number, example in enumerate(examples, start=1):
        displayed = _select_options(example, VANILLA, params, VANILLA)
        options = None if displayed is None else displayed.data
        gold = () if options is None else options.gold
        block = _fill_in(
            load_template(example.form, "example", params.protocol),
            example,
            displayed,
            number=str(number),
            kind=_EXAMPLE_TITLES.get(example.label, ""),
            answer=_format_answer(example.label, options, gold) or NO_CORRECT_ANSWER,
        )
        blocks.append(block)
    return "\n\n".join(blocks)


def load_template(form: Form, name: str, protocol: PaperProtocol) -> str:
    """Load a template by its name, or by the setting whose prompt, or first round, it is.

    `published` repeats the instrument that the authors ran. In the choice form that is their public
    code, so its text is used if it exists. The public code's judging form has only vanilla and
    missing choices, which equal appendix J except for one word.
    """
    name = _SHARED_TEMPLATES.get((form, protocol, name), name)
    if protocol == "published" and form == "judging" and name in _JUDGING_IN_PUBLIC_CODE:
        return template(f"instruction_boundary/judging/{name}.txt").replace(*_PUBLIC_CODE_WORD)
    if protocol == "published" and form == "choice":
        with suppress(FileNotFoundError):
            return template(f"instruction_boundary/published/{name}.txt")
    return template(f"instruction_boundary/{form}/{name}.txt")
