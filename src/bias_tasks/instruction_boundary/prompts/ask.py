"""How one item is asked under each setting (Instruction Boundary, appendices I, J and K)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from bias_tasks.instruction_boundary.items import VANILLA, ChoiceItem, Form, Item, JudgingItem
from bias_tasks.instruction_boundary.prompts.distractors import with_distractors
from bias_tasks.instruction_boundary.prompts.examples import examples_text
from bias_tasks.instruction_boundary.prompts.missing import complete_options, without_one
from bias_tasks.instruction_boundary.prompts.options import ShownOptions, all_options
from bias_tasks.instruction_boundary.prompts.suggestion import Suggestion, suggestion
from bias_tasks.instruction_boundary.prompts.texts import facts_line, setting_text, text_of
from bias_tasks.instruction_boundary.settings import SETTINGS, SettingParams
from bias_tasks.prompts.cued import with_cue
from bias_tasks.prompts.templates import fill, template
from bias_tasks.reading.reasoning import Spoken

_JUDGING_OPTIONS = {"missing_choices": 2, "prompt_polishing": 2, "disturbing_miscellany": 5}
# Vanilla too: conformity is measured against where the vanilla answer stands.
_SUGGESTING = frozenset({"conformity", VANILLA})


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
            figure 3, and that of missing_choices the complete setting of appendix A.3.
        examples: worked examples of few_shot, of the item's form.

    Raises:
        ValueError: unknown variant, or few_shot without examples.
    """
    asked = _ask(item, variant, params, setting or variant, examples)
    return replace(asked, prompt=with_cue(asked.prompt)) if params.base else asked


def _ask(
    item: Item, variant: str, params: SettingParams, setting: str, examples: Sequence[Item]
) -> Asked:
    if variant not in SETTINGS:
        raise ValueError(f"unknown setting {variant!r}: expected one of {', '.join(SETTINGS)}")
    if variant == "prompt_polishing" and params.polish == "live":
        # The polisher is given the vanilla prompt; what conformity would suggest is not its affair.
        return replace(ask(item, VANILLA, params), suggestion=None)
    if isinstance(item, JudgingItem):
        return _ask_judging(item, variant, params, examples)
    return _ask_choice(item, variant, params, setting, examples)


def ask_again(item: Item, params: SettingParams, previous: str) -> str:
    """The prompt of multi_turn's second and later rounds.

    `previous` is the last round's answer. What a model thought before it is not shown again, as
    chat templates leave it out of earlier turns. Published: without blanks around it.
    """
    prompt = _ask_again(item, params, previous)
    return with_cue(prompt) if params.base else prompt


def _ask_again(item: Item, params: SettingParams, previous: str) -> str:
    said = Spoken.of(previous).text
    fields = {"question": item.question, "previous": said}
    if isinstance(item, JudgingItem):
        text = text_of("judging", "multi_turn_next", params.protocol)
        return fill(text, facts=item.context, **fields)
    if params.protocol == "published":
        fields["previous"] = said.strip()
    return fill(
        text_of("choice", "multi_turn_next", params.protocol),
        facts_line=facts_line(item),
        options="\n".join(all_options(item, params.protocol).lines),
        **fields,
    )


def judge_prompt(shown: ShownOptions | None, n_options: int, answer: str) -> str:
    """The request to the judge model (appendix K).

    `shown` are a choice item's options as they were shown, None for a judging item.
    """
    if shown is None:
        return fill(text_of("judging", "judge", "corrected"), answer=answer)
    symbols = [shown.symbol(place) for place in range(n_options)]
    choices = "\n".join(f'Selected option {symbol}: respond "{symbol}"' for symbol in symbols)
    return fill(
        text_of("choice", "judge", "corrected"),
        answer=answer,
        choices=choices,
        first=symbols[0],
        second=symbols[1],
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
        text = _with_judging_distractors(text)
    fields = {"question": item.question, "facts": item.context}
    if variant == "few_shot":
        fields["examples"] = examples_text(examples, item.form, params.protocol)
    prompt = fill(text, **fields)
    suggested = suggestion(item, None, params) if variant in _SUGGESTING else None
    if suggested is not None and conforming:
        prompt = f"{prompt} {suggested.text}"
    return Asked(prompt, _JUDGING_OPTIONS.get(variant, 3), suggestion=suggested)


def _ask_choice(
    item: ChoiceItem, variant: str, params: SettingParams, setting: str, examples: Sequence[Item]
) -> Asked:
    shown = _shown_options(item, variant, params, setting)
    suggested = suggestion(item, shown, params) if variant in _SUGGESTING else None
    fields = {
        "question": item.question,
        "facts_line": facts_line(item),
        "options": "\n".join(shown.lines),
        "suggestion": "" if suggested is None else suggested.text,
    }
    if variant == "few_shot":
        fields["examples"] = examples_text(examples, item.form, params.protocol)
    # With letters, the vanilla twin too is asked as the public code asks for letters.
    under = "disturbing_miscellany" if shown.symbols == "letters" else variant
    prompt = fill(setting_text("choice", under, params.protocol), **fields)
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


def _with_judging_distractors(text: str) -> str:
    """Table 2's two extra options below option 3, and the request for a number widened to them."""
    third = next(line for line in text.splitlines() if line.startswith("3. "))
    extra = text_of("judging", "distractors", "corrected")
    text = text.replace(third, f"{third}\n{extra}")
    return text.replace("(1, 2, or 3)", "(1, 2, 3, 4, or 5)")
