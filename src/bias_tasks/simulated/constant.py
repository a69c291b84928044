"""Simulated models with constant answers, whose metrics are known for every family."""

import json
import re
from collections.abc import Callable, Sequence
from string import ascii_uppercase

from bias_tasks.binary_qa.items import BinaryItem
from bias_tasks.complex_eval.items import JudgedItem
from bias_tasks.complex_eval.layout import read_dialogue
from bias_tasks.complex_eval.prompts.judge import read_blocks
from bias_tasks.complex_eval.scoring_data import JudgeData, JudgementForm
from bias_tasks.contract.questions import Question
from bias_tasks.instruction_boundary.items import JUDGING_LABELS
from bias_tasks.instruction_boundary.plan import SettingQuestion
from bias_tasks.judge_bias.items import JudgeBiasData, JudgedPrompt
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.items import FormatItem
from bias_tasks.output_format.scoring_data import FormatData
from bias_tasks.parsing.answer import NO_CORRECT_ANSWER
from bias_tasks.probing.items import ProbeData
from bias_tasks.prompts.edits import render_suggestion
from bias_tasks.simulated.traits import Traits

_SCORE = 7
_LONG = "There is a good deal to be said about this, and more still to be thought. " * 2000
_OPTION_LETTER = re.compile(r"(?m)^\(?([A-Z])[).]")

_SUGGESTION = re.compile(
    re.escape(render_suggestion("{answer}")).replace(re.escape("{answer}"), r"(\S+?)")
)


def constant_answer(model: Traits, prompt: str, question: Question | None) -> str:
    """Return the answer of a model with the trait `always`, which knows no correct answers.

    - `echo` repeats the prompt, `empty` is an empty text, and `long` a very long one.
    - `first` and `last` choose by position among the displayed options, answers or responses.
    - `yes` is Yes, True or the first option; `no` is No, False or the last one.
    - `guess` draws one of the possible answers at each call.
    - `suggested` is the suggestion of the prompt, if any, else the first option.
    - `tie` is a tie of two responses.

    Single responses get the score 7, or no errors and flaws; `guess` draws these, too.

    Args:
        model: The model, with `always` set.
        prompt: The prompt.
        question: The question; None for the task of another package.
    """
    always = model.always
    if always == "echo":
        return prompt
    if always == "empty":
        return ""
    if always == "long":
        return _LONG

    def choose(n: int) -> int:
        """Return the index of one of n answers; -1 is the last one."""
        if always == "guess":
            return int(model.draw("guess", prompt, model.call(prompt)) * n)
        return -1 if always in ("last", "no") else 0

    def score() -> int:
        return 1 + choose(10) if always == "guess" else _SCORE

    def judge(item: JudgedItem, form: JudgementForm) -> dict[str, object]:
        names = form.criteria
        if item.family == "math":
            return {"first_error": choose(form.steps + 1) - 1 if always == "guess" else -1}
        if item.family == "role_playing":
            turns = read_dialogue(read_blocks(prompt)["response"]) if always == "guess" else ()
            quotes = [turn.content for turn in turns if choose(2)]
            return {
                "flaws": [
                    {"dimension": names[choose(len(names))], "severity": score(), "quote": quote}
                    for quote in quotes
                ]
            }
        return {"scores": {name: score() for name in names}} if names else {"score": score()}

    match question.known_items[0] if question is not None and question.known_items else None:
        case BinaryItem():
            is_reversed = "No/Yes" in prompt and always not in ("yes", "no")
            return (("No", "Yes") if is_reversed else ("Yes", "No"))[choose(2)]
        case JudgedItem() as item if question is not None:
            return json.dumps({"reasoning": "", **judge(item, question.data_as(JudgeData).form)})
        case JudgedPrompt() if question is not None and _scores_one_response(question):
            return f"Score: {score()}"
        case JudgedPrompt():
            return f"Verdict: {'tie' if always == 'tie' else 'AB'[choose(2)]}"
        case FormatItem() as item if item.options and question is not None:
            data = question.data_as(FormatData)
            letter = ascii_uppercase[: len(item.options)][choose(len(item.options))]
            return FORMATS[data.format].render(letter, item, data.prompting)
    if question is not None and isinstance(question.source, SettingQuestion):
        return _choose_option(always, question.source, choose)
    labels = _find_labels(prompt, question)
    suggestions = _SUGGESTION.findall(prompt)
    if always == "suggested" and suggestions:
        return f"ANSWER: {suggestions[-1]}"
    return f"ANSWER: {labels[choose(len(labels))]}"


def _find_labels(prompt: str, question: Question | None) -> Sequence[str]:
    """Return the displayed labels of the options of another package's task; yes and no without."""
    if question is not None and question.choices and isinstance(question.scoring_data, ProbeData):
        data = question.scoring_data
        style = data.perturbation.option_style
        labels = (style and style.labels) or data.labels or ascii_uppercase
        return labels[: len(question.choices)]
    return _OPTION_LETTER.findall(prompt) or ["yes", "no"]


def _scores_one_response(question: Question) -> bool:
    return question.data_as(JudgeBiasData).response is not None


def _choose_option(always: str, question: SettingQuestion, choose: Callable[[int], int]) -> str:
    """Return an option of a setting's question in the requested form."""
    rendered = question.render()
    displayed = rendered.displayed
    suggestion = rendered.suggestion if question.setting == "conformity" else None
    if always == "suggested" and suggestion is not None:
        if displayed is None:
            return str(JUDGING_LABELS.index(suggestion.label) + 1)
        return ", ".join(map(displayed.data.symbol, suggestion.indices)) or NO_CORRECT_ANSWER
    if displayed is None and always == "no":
        return str(JUDGING_LABELS.index("False") + 1)
    index = range(rendered.n_options)[choose(rendered.n_options)]
    return str(index + 1) if displayed is None else displayed.data.symbol(index)
