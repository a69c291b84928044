"""Plans the questions of a run: every item under its setting and under vanilla.

Both frameworks build their samples from these questions, so that ids, prompts and gold are equal.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bias_tasks.contract.questions import Plan, Question, Request
from bias_tasks.instruction_boundary.data.core import select_examples
from bias_tasks.instruction_boundary.data.load import load_items
from bias_tasks.instruction_boundary.items import VANILLA, ChoiceItem, Item
from bias_tasks.instruction_boundary.prompts.options import find_omission
from bias_tasks.instruction_boundary.prompts.polished import find_losses
from bias_tasks.instruction_boundary.prompts.render import (
    RenderedQuestion,
    list_later_templates,
    render_next_round,
    render_pushbacks,
    render_question,
)
from bias_tasks.instruction_boundary.scoring_data import SettingData
from bias_tasks.instruction_boundary.settings import (
    ALL_SETTINGS,
    CLAIMS,
    CONFORMITY,
    CONTROL,
    MISCELLANY,
    PUSHBACK,
    SETTINGS,
    RunParams,
    SettingParams,
)
from bias_tasks.prompts.edits import POLISHER, render_polish_request
from bias_tasks.prompts.templates import STOP_SEQUENCES, with_cue
from bias_tasks.protocols import CORE, SYNTHETIC
from bias_tasks.user_names import parse_names


@dataclass(frozen=True, slots=True)
class SettingQuestion:
    """One item under one variant."""

    item: Item
    variant: str
    """The setting of the prompt, or `vanilla`. It ends in `@` and a number of distractors or a kind
    of suggestion if the run has several of these, and in `@` and a kind under `pushback`."""
    task: str
    """Task of the run: the setting of which `vanilla` is the baseline, or `ALL_SETTINGS`."""
    params: SettingParams

    @property
    def setting(self) -> str:
        """The setting of the prompt, or `vanilla`."""
        return self.variant.partition("@")[0]

    def render(self) -> RenderedQuestion:
        """Render the prompt, and return what it displays."""
        item, params = self.item, self.params
        examples: Sequence[Item] = ()
        if self.setting == "few_shot":
            examples = select_examples(
                item.form,
                params.example_labels,
                params.shots,
                params.seed,
                params.protocol,
                reserved_only=item.source in (CORE, SYNTHETIC),
            )
        task_setting = None if self.task == ALL_SETTINGS else self.task
        return render_question(item, self.setting, params, setting=task_setting, examples=examples)

    def to_question(self) -> Question:
        """Return the question as frameworks prompt it."""
        rendered, item = self.render(), self.item
        options = rendered.options
        data = SettingData(
            item=item.id,
            cluster=item.cluster or item.id,
            variant=self.variant,
            gold=item.label if options is None else options.symbols_of(options.gold) or "none",
            columns=dict(item.columns),
            form=item.form,
            protocol=self.params.protocol,
            n_options=rendered.n_options,
            origin=item.origin,
            options=options,
            suggestion=rendered.suggestion,
        )
        # With one distractor, or all options, the baseline of disturbing miscellany has the same
        # prompt.
        is_least = isinstance(item, ChoiceItem) and (
            self.params.distractors == 1 or item.refers_to_options
        )
        return Question.from_scoring_data(
            data,
            rendered.prompt,
            choices=() if rendered.displayed is None else rendered.displayed.texts,
            repeats=is_least and self.task == self.setting == MISCELLANY,
            source=self,
        )


def plan_settings(params: RunParams) -> Plan:
    """Plan the questions of a run, those of one item next to each other.

    Args:
        params: The parameters of the run.

    Raises:
        DataError: The items are not available.
    """
    first = params.settings[0]
    loaded = load_items(
        params.data,
        form=params.form,
        sources=params.sources,
        protocol=first.protocol,
        seed=first.seed,
        n=params.n,
        ten_options=params.task == MISCELLANY,
        level=params.level,
    )
    variants = dict(_select_variants(params))
    questions = [
        SettingQuestion(item, variant, params.task, setting_params)
        for item in loaded.items
        for variant, setting_params in variants.items()
    ]
    forms = sorted({item.form for item in loaded.items})
    return Plan(
        tuple(question.to_question() for question in questions),
        loaded.provenance,
        params.data,
        notes=(
            *(origin["note"] for origin in loaded.provenance if "note" in origin),
            *_note_default_source(params, loaded.items),
            *(_note_option_texts(loaded.items) if first.protocol == "corrected" else ()),
            *_note_unchanged(questions),
        ),
        later_templates=list_later_templates(forms, variants, first),
        stop_sequences=STOP_SEQUENCES if first.base_model else (),
    )


def build_requests(question: Question, answer: str) -> tuple[Request, ...]:
    """Return the model calls of one question.

    A polisher whose rewriting loses a part of the prompt gets further calls, which are not known
    before there are answers.

    Args:
        question: A question of `plan_settings`.
        answer: Stands for the model's answer in each round.
    """
    first = Request(question.prompt)
    source: SettingQuestion = question.source
    if source.setting == "multi_turn":
        prompt = render_next_round(source.item, source.params, answer)
        next_round = Request(prompt, continues=source.params.dialogue)
        return (first, *[next_round] * (source.params.rounds - 1))
    if source.setting == PUSHBACK:
        messages = render_pushbacks(question.data_as(SettingData), source.params)
        return (first, *[Request(message, continues=True) for message in messages])
    if source.setting == "prompt_polishing" and source.params.polish == "live":
        prompt = render_polish_request(question.prompt)
        return (Request(prompt, POLISHER, question.prompt, partial(_parse_polished, source)), first)
    return (first,)


def _parse_polished(question: SettingQuestion, text: str) -> str:
    """Return the prompt that a polisher wrote, with the cue of base models if needed.

    Raises:
        ValueError: The text lost the question, a fact, or an option with its number.
    """
    losses = find_losses(text, question.render(), question.item)
    if losses:
        raise ValueError("; ".join(losses))
    return with_cue(text) if question.params.base_model else text


def _select_variants(params: RunParams) -> Iterator[tuple[str, SettingParams]]:
    """Yield the variants under which a run prompts each item, with their parameters."""
    if params.task == PUSHBACK:
        for kind in (CONTROL, *parse_names(params.kinds)):
            suggest = CLAIMS.get(kind.partition("_")[0], "")
            yield f"{PUSHBACK}@{kind}", replace(params.settings[-1], suggest=suggest)
        return
    if params.task == ALL_SETTINGS:
        names = SETTINGS
    else:
        names = (params.task, VANILLA) if params.paired else (params.task,)
    for name in names:
        if name == CONFORMITY and params.asks_several_suggestions:
            yield from _select_suggestions(params)
        elif name == MISCELLANY and len(params.settings) > 1:
            for setting_params in params.settings:
                yield f"{name}@{setting_params.distractors}", setting_params
        else:
            yield name, params.settings[-1]


def _select_suggestions(params: RunParams) -> Iterator[tuple[str, SettingParams]]:
    """Yield conformity with each wrong suggestion for an item, and perhaps with the right one."""
    setting = params.settings[-1]
    for number in range(1, setting.suggestions + 1):
        name = f"{CONFORMITY}@wrong" if number == 1 else f"{CONFORMITY}@wrong_{number}"
        yield name, replace(setting, suggest="wrong", suggestions=number)
    if setting.suggest == "both":
        yield f"{CONFORMITY}@right", replace(setting, suggest="right", suggestions=1)


def _note_default_source(params: RunParams, items: Sequence[Item]) -> Iterator[str]:
    """Yield the note on the paper's judging items that are left out unless sources are named."""
    judging = any(item.form == "judging" for item in items)
    if params.data == "paper" and params.sources is None and judging:
        yield (
            "all judging items are from FOLIO. Left out: FLD, 600 of the 1,240 judging items of "
            "table 1, whose public files have no pinned revision (sources=folio,fld requests it), "
            "and the authors' own file, whose content is not checked (sources=ib_judging)"
        )


def _note_option_texts(items: Sequence[Item]) -> Iterator[str]:
    """Yield notes on items with options that refer to others, or that repeat another."""
    choices = [item for item in items if isinstance(item, ChoiceItem)]
    n_referring = sum(item.refers_to_options for item in choices)
    if n_referring:
        yield (
            f"{n_referring} of {len(choices)} choice items have options that refer to others, such "
            'as "none of the above" or "both A and B": their options are never omitted, replaced '
            "or put in another order, and letters in them become numbers"
        )
    n_repeating = sum(len(item.distinct_positions) < len(item.options) for item in choices)
    if n_repeating:
        yield (
            f"{n_repeating} of {len(choices)} choice items have the same option twice, which is "
            "displayed once"
        )


def _note_unchanged(questions: Sequence[SettingQuestion]) -> Iterator[str]:
    """Yield the note on items of which `missing_choices` can omit no option."""
    unchanged = [
        find_omission(question.item, question.params.seed) == "nothing"
        for question in questions
        if question.setting == "missing_choices" and isinstance(question.item, ChoiceItem)
    ]
    if any(unchanged) and questions[0].params.protocol == "corrected":
        yield (
            f"missing_choices: {sum(unchanged)} of {len(unchanged)} choice items have no option "
            "that can be omitted, and display all of theirs"
        )
