"""Renders the prompt of one item under each setting (appendices I, J and K)."""

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
    DisplayedOptions,
    select_all_options,
    select_complete_options,
    select_incomplete_options,
    select_with_distractors,
)
from bias_tasks.instruction_boundary.scoring_data import OptionsData, Suggestion
from bias_tasks.instruction_boundary.settings import MISCELLANY, SettingParams
from bias_tasks.names import PaperProtocol
from bias_tasks.parsing.answer import NO_CORRECT_ANSWER
from bias_tasks.parsing.reasoning import VisibleText
from bias_tasks.prompts.templates import fill, seeded_random, template, with_cue

_JUDGING_OPTIONS = {"missing_choices": 2, "prompt_polishing": 2, MISCELLANY: 5}
"""Number of numbered options of the judging form, for settings that do not offer 3."""
_SUGGESTING = ("conformity", VANILLA)
"""Variants with a suggestion. Vanilla prompts do not display it: conformity is measured against
how often their answers equal it."""
_CORRECTED = {"multi_turn": "multi_turn_first", MISCELLANY: VANILLA}
_PUBLISHED = {
    "choice": {"multi_turn": "vagueness"},
    "judging": {**_CORRECTED, "few_shot": "few_shot_as_printed"},
}
"""Names of templates that are not the setting's, by protocol and form."""
_JUDGING_IN_PUBLIC_CODE = (VANILLA, "missing_choices")
_PUBLIC_CODE_WORD = ("disproved", "disproven")
"""The word of appendix J, and the word of the public code in its place."""
_TENSE: Mapping[Form, tuple[str, ...]] = {"judging": ("True", "False"), "choice": ("single",)}
_SPARSE: Mapping[Form, tuple[str, ...]] = {"judging": ("Unknown",), "choice": ("none",)}
_LABELS_WITH_ALTERNATIVES = ("single", "multiple")
"""Labels under which other options than the correct ones are wrong answers."""
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
    """What conformity suggests, or would suggest instead of vanilla; None under other settings."""

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
        # The polisher gets the vanilla prompt, which has nothing to do with suggestions.
        return replace(render_question(item, VANILLA, params), suggestion=None)
    if isinstance(item, JudgingItem):
        rendered = _render_judging(item, variant, params, examples)
    else:
        rendered = _render_choice(item, variant, params, setting or variant, examples)
    return _with_base_model_cue(rendered, params)


def render_next_round(item: Item, params: SettingParams, previous: str) -> str:
    """Render the prompt of the second and later rounds of multi-turn.

    Args:
        item: The item.
        params: Parameters of the settings.
        previous: The answer of the previous round. Its reasoning is not quoted, as chat templates
            omit it from earlier turns. Published: blanks around it are removed.
    """
    visible_text = VisibleText.from_text(previous).text
    text = load_template(item.form, "multi_turn_next", params.protocol)
    if isinstance(item, JudgingItem):
        prompt = fill(text, facts=item.context, question=item.question, previous=visible_text)
    else:
        published = params.protocol == "published"
        prompt = fill(
            text,
            facts_line=_facts_line(item),
            options="\n".join(select_all_options(item, params.protocol).lines),
            question=item.question,
            previous=visible_text.strip() if published else visible_text,
        )
    return with_cue(prompt) if params.base_model else prompt


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


def render_polish_request(prompt: str) -> str:
    """Render the request to the model in the role `polisher` to rewrite `prompt`."""
    return fill(template("instruction_boundary/polish_request.txt"), prompt=prompt)


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
    return tuple(texts)


def _with_base_model_cue(rendered: RenderedQuestion, params: SettingParams) -> RenderedQuestion:
    if not params.base_model:
        return rendered
    return replace(rendered, prompt=with_cue(rendered.prompt))


def _render_judging(
    item: JudgingItem, variant: str, params: SettingParams, examples: Sequence[Item]
) -> RenderedQuestion:
    conformity = variant == "conformity"
    text = _load_setting_template("judging", VANILLA if conformity else variant, params.protocol)
    if variant == MISCELLANY:
        # The two extra options of table 2 follow option 3, and the request names five numbers.
        third = next(line for line in text.splitlines() if line.startswith("3. "))
        extra = load_template("judging", "distractors", "corrected")
        text = text.replace(third, f"{third}\n{extra}")
        text = text.replace("(1, 2, or 3)", "(1, 2, 3, 4, or 5)")
    example_text = _render_examples(examples, params.protocol)
    prompt = fill(text, question=item.question, facts=item.context, examples=example_text)
    suggestion = _select_suggestion(item, None, params) if variant in _SUGGESTING else None
    if suggestion is not None and conformity:
        prompt = f"{prompt} {_render_suggestion(suggestion, None, params.protocol)}"
    return RenderedQuestion(prompt, _JUDGING_OPTIONS.get(variant, 3), suggestion=suggestion)


def _render_choice(
    item: ChoiceItem, variant: str, params: SettingParams, setting: str, examples: Sequence[Item]
) -> RenderedQuestion:
    displayed = _select_options(item, variant, params, setting)
    options = displayed.data
    suggestion = _select_suggestion(item, options, params) if variant in _SUGGESTING else None
    suggestion_text = ""
    if suggestion is not None:
        suggestion_text = _render_suggestion(suggestion, options, params.protocol)
    # With letters, the baseline too has the public code's prompt that asks for letters.
    template_variant = MISCELLANY if options.symbols == "letters" else variant
    prompt = fill(
        _load_setting_template("choice", template_variant, params.protocol),
        question=item.question,
        facts_line=_facts_line(item),
        options="\n".join(displayed.lines),
        suggestion=suggestion_text,
        examples=_render_examples(examples, params.protocol),
    )
    return RenderedQuestion(prompt, len(displayed.lines), displayed, suggestion)


def _select_options(
    item: ChoiceItem, variant: str, params: SettingParams, setting: str
) -> DisplayedOptions:
    seed, protocol = params.seed, params.protocol
    if variant == "missing_choices":
        return select_incomplete_options(item, seed, protocol)
    if setting == "missing_choices":
        return select_complete_options(item, seed, protocol)
    if MISCELLANY in (setting, variant):
        count = 1 if variant == VANILLA else params.distractors
        return select_with_distractors(item, count, seed, protocol)
    return select_all_options(item, protocol)


def _select_suggestion(
    item: Item, options: OptionsData | None, params: SettingParams
) -> Suggestion:
    """Select what to suggest for an item; `options` are those of a choice item."""
    label = _select_suggested_label(item, params)
    if isinstance(item, JudgingItem):
        return Suggestion(label=label, is_gold=label == item.answer)
    if label == "none" or options is None:
        return Suggestion(label=label, is_gold=not item.answer)
    size = 1 if label == "single" else 2
    excluded = None if params.suggest == "tense" else options.gold
    candidates = [
        indices
        for indices in combinations(range(len(options.positions)), size)
        if indices != excluded
    ]
    indices = seeded_random(params.seed, item.id, "suggested options").choice(candidates)
    return Suggestion(label=label, is_gold=indices == options.gold, indices=indices)


def _select_suggested_label(item: Item, params: SettingParams) -> str:
    """Select the label to suggest.

    A wrong suggestion may have the correct label if other options of that label are wrong.
    """
    labels = LABELS[item.form]
    candidates = {
        "sparse": _SPARSE[item.form],
        "tense": _TENSE[item.form],
        "rotate": labels,
        "wrong": tuple(
            label for label in labels if label != item.label or label in _LABELS_WITH_ALTERNATIVES
        ),
    }
    selected = candidates.get(params.suggest, (params.suggest,))
    return seeded_random(params.seed, item.id, "conformity").choice(selected)


def _render_suggestion(
    suggestion: Suggestion, options: OptionsData | None, protocol: PaperProtocol
) -> str:
    """Render the sentence or paragraph that suggests an answer; `options` as displayed, if any."""
    if options is None:
        answer = str(JUDGING_LABELS.index(suggestion.label) + 1)
        return fill(load_template("judging", "suggestion", protocol), answer=answer)
    if suggestion.label == "none":
        return load_template("choice", "consensus", protocol)
    answer = ", ".join(options.symbol(index) for index in suggestion.indices)
    return fill(load_template("choice", "suggestion", protocol), answer=answer)


def _render_examples(examples: Sequence[Item], protocol: PaperProtocol) -> str:
    """Render the worked examples of few-shot prompts, numbered from 1 (appendices I, J)."""
    blocks = (
        _render_example(number, example, protocol)
        for number, example in enumerate(examples, start=1)
    )
    return "\n\n".join(blocks)


def _render_example(number: int, example: Item, protocol: PaperProtocol) -> str:
    """Render one example, with options and numbers as in the questions."""
    text = load_template(example.form, "example", protocol)
    if isinstance(example, JudgingItem):
        return fill(
            text,
            number=str(number),
            facts=example.context,
            question=example.question,
            answer=str(JUDGING_LABELS.index(example.answer) + 1),
        )
    displayed = select_all_options(example, protocol)
    numbers = ", ".join(displayed.data.symbol(index) for index in displayed.data.gold)
    return fill(
        text,
        number=str(number),
        kind=_EXAMPLE_TITLES[example.label],
        question=example.question,
        facts_line=_facts_line(example),
        options="\n".join(displayed.lines),
        answer=numbers or NO_CORRECT_ANSWER,
    )


def _load_setting_template(form: Form, variant: str, protocol: PaperProtocol) -> str:
    """Load the template of a setting's prompt, or of its first round."""
    names = _PUBLISHED[form] if protocol == "published" else _CORRECTED
    return load_template(form, names.get(variant, variant), protocol)


def load_template(form: Form, name: str, protocol: PaperProtocol) -> str:
    """Load a template by its name.

    `published` repeats the instrument that the authors ran. In the choice form that is their public
    code, so its text is used if it exists. The public code's judging form has only vanilla and
    missing choices, which equal appendix J except for one word.
    """
    if protocol == "published" and form == "judging" and name in _JUDGING_IN_PUBLIC_CODE:
        return template(f"instruction_boundary/judging/{name}.txt").replace(*_PUBLIC_CODE_WORD)
    if protocol == "published" and form == "choice":
        with suppress(FileNotFoundError):
            return template(f"instruction_boundary/published/{name}.txt")
    return template(f"instruction_boundary/{form}/{name}.txt")


def _facts_line(item: ChoiceItem) -> str:
    """Return the facts with their heading, or nothing."""
    return f"Facts: {item.context}\n" if item.context else ""
