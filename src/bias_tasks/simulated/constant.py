"""Simulated models with constant answers, whose metrics are known for every family."""

import re
from collections.abc import Callable, Sequence
from string import ascii_uppercase

from bias_tasks.binary_qa.items import BINARY_LABELS
from bias_tasks.binary_qa.plan import BinaryData
from bias_tasks.complex_eval.family import REASONING
from bias_tasks.complex_eval.layout import read_dialogue
from bias_tasks.complex_eval.prompts.judge import read_blocks
from bias_tasks.complex_eval.scoring_data import JudgeData, JudgementForm
from bias_tasks.contract.questions import Question, ScoringData
from bias_tasks.families import FAMILY_NAMES, load_family
from bias_tasks.instruction_boundary.items import JUDGING_LABELS
from bias_tasks.instruction_boundary.scoring_data import SettingData
from bias_tasks.judge_bias.family import PAIR
from bias_tasks.judge_bias.items import JudgeBiasData
from bias_tasks.output_format.scoring_data import FormatData
from bias_tasks.parsing.parsed_answer import TIE
from bias_tasks.probing.items import ProbeData
from bias_tasks.prompts.edits import render_suggestion
from bias_tasks.simulated.settings import find_suggestion
from bias_tasks.simulated.traits import Traits

_FAMILIES = {family.scoring_data_type: family for family in map(load_family, FAMILY_NAMES)}
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
    texts = {"echo": prompt, "empty": "", "long": _LONG}
    if always in texts:
        return texts[always]

    def choose(n: int) -> int:
        """Return the index of one of n answers; -1 is the last one."""
        if always == "guess":
            return int(model.draw("guess", prompt, model.call(prompt)) * n)
        return -1 if always in ("last", "no") else 0

    data = None if question is None else question.scoring_data
    value = _choose_value(always, prompt, data, choose)
    if data is not None and value is not None:
        # A model without knowledge has no reasons.
        return _FAMILIES[type(data)].write_answer(data, value).replace(REASONING, "")
    suggestions = _SUGGESTION.findall(prompt)
    if always == "suggested" and suggestions:
        return f"ANSWER: {suggestions[-1]}"
    labels = _find_labels(prompt, question)
    return f"ANSWER: {labels[choose(len(labels))]}"


def _choose_value(
    always: str, prompt: str, data: ScoringData | None, choose: Callable[[int], int]
) -> object:
    """Return a value for `write_answer` of the question's family; None if it has no such values."""
    match data:
        case BinaryData():
            is_reversed = "No/Yes" in prompt and always not in ("yes", "no")
            return (BINARY_LABELS[::-1] if is_reversed else BINARY_LABELS)[choose(2)]
        case SettingData():
            suggestion = find_suggestion(data)
            if always == "suggested" and suggestion is not None:
                return suggestion
            if always == "no" and data.options is None:
                return (JUDGING_LABELS.index("False"),)
            return (range(data.n_options)[choose(data.n_options)],)
        case FormatData() if data.options:
            return ascii_uppercase[: len(data.options)][choose(len(data.options))]
        case JudgeBiasData() if data.response is None:
            return TIE if always == "tie" else (data.response_order or PAIR)[choose(2)]
        case JudgeBiasData():
            return 1 + choose(10) if always == "guess" else _SCORE
        case JudgeData():
            return _judge(always, prompt, data.form, choose)
    return None


def _judge(always: str, prompt: str, form: JudgementForm, choose: Callable[[int], int]) -> object:
    """Return a value for `ComplexEval.write_answer`."""
    names = form.criteria
    if always != "guess":
        scores = dict.fromkeys(names, _SCORE) or _SCORE
        return {"math": -1, "role_playing": ()}.get(form.family, scores)
    match form.family:
        case "math":
            return choose(form.steps + 1) - 1
        case "role_playing":
            turns = [turn for turn in read_dialogue(read_blocks(prompt)["response"]) if choose(2)]
            return [
                {
                    "dimension": names[choose(len(names))],
                    "severity": 1 + choose(10),
                    "quote": turn.content,
                }
                for turn in turns
            ]
    return {name: 1 + choose(10) for name in names} or 1 + choose(10)


def _find_labels(prompt: str, question: Question | None) -> Sequence[str]:
    """Return the displayed labels of the options of another package's task; yes and no without."""
    if question is not None and question.choices and isinstance(question.scoring_data, ProbeData):
        data = question.scoring_data
        style = data.perturbation.option_style
        labels = (style and style.labels) or data.labels or ascii_uppercase
        return labels[: len(question.choices)]
    return _OPTION_LETTER.findall(prompt) or ["yes", "no"]
