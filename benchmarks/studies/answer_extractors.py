"""Extractors of other projects, for comparison with `parse_answer` on the same answers.

| extractor | what it is |
| --- | --- |
| lm-eval | filter `multi_choice_regex` as in GPQA and MMLU; the last yes or no, as in BBH |
| MMLU-Pro | "answer is (X)", then "answer: X", then the last letter (Wang et al., 2024) |
| Inspect | `multiple_choice()` with the scorer `choice()`; `answer("word")` for yes and no |
| simple-evals | the first "Answer: X" in one of several languages, without markup (OpenAI) |

Each is called with answers and returns one value per answer, None if it finds no value. A letter
that was not offered counts as no value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from string import ascii_uppercase
from types import SimpleNamespace
from typing import Any, cast

from inspect_ai.scorer import AnswerPattern
from inspect_ai.solver._multiple_choice import parse_answers
from lm_eval.filters.extraction import MultiChoiceRegexFilter, RegexFilter

from tests.bias_tasks.parsing.recorded import WRITTEN, RecordedAnswer

Extractor = Callable[[Sequence[RecordedAnswer]], list[Any]]
LM_EVAL_WORDS: dict[str, Any] = {"group_select": -1, "regex_pattern": r"\b(Yes|No|yes|no)\b"}
"""The filter `flexible-extract` of tasks of lm-eval's BBH that ask for yes or no."""
LM_EVAL_OPTIONS: dict[str, Any] = {
    "group_select": -1,
    "ignore_case": True,
    "ignore_punctuation": True,
    "regex_pattern": r"(\([A-Z]\))",
}
"""The filter `flexible-extract` of lm-eval's GPQA and MMLU tasks."""
ANSWER_WORDS = ("Answer", "답변", "정답", "답", "答案", "答", "答え", "回答", "解答")
"""The word "answer" in the languages of the recorded answers, in the order of simple-evals."""
MARKUP = re.compile(
    r"\*\*|\$\\boxed\{|\}\$|\\\$|\$\\text\{|\$|\\mathrm\{|\\\{|\\text|\\\(|\\mathbf\{|\{|\\boxed"
)
"""Markup that simple-evals removes."""


def has_letters(answer: RecordedAnswer) -> bool:
    """Return whether the answer chooses among lettered options."""
    return answer.arguments.get("option_labels") == "letters"


def lm_eval(answers: Sequence[RecordedAnswer]) -> list[Any]:
    """Apply lm-eval's filters."""
    lettered = [answer for answer in answers if has_letters(answer)]
    replies = [[answer.text] for answer in lettered]
    docs = [{"choices": _option_texts(answer)} for answer in lettered]
    found = iter(MultiChoiceRegexFilter(**LM_EVAL_OPTIONS).apply(replies, docs))
    return [
        _from_letter(answer, next(found)[0].strip("()")) if has_letters(answer) else _word(answer)
        for answer in answers
    ]


def mmlu_pro(answers: Sequence[RecordedAnswer]) -> list[Any]:
    """Apply the three steps of MMLU-Pro's evaluation."""
    return [_from_letter(answer, _mmlu_pro_letter(answer.text)) for answer in answers]


def inspect(answers: Sequence[RecordedAnswer]) -> list[Any]:
    """Apply Inspect's parser of `multiple_choice()`, and its pattern of a word for yes and no."""
    return [_inspect_value(answer) for answer in answers]


def simple_evals(answers: Sequence[RecordedAnswer]) -> list[Any]:
    """Apply the multilingual extraction of simple-evals, with the letters of the question."""
    return [_simple_evals_value(answer) for answer in answers]


EXTRACTORS: dict[str, tuple[Extractor, bool]] = {
    "lm-eval": (lm_eval, True),
    "MMLU-Pro": (mmlu_pro, False),
    "Inspect": (inspect, True),
    "simple-evals": (simple_evals, False),
}
"""Extractors by name, and whether they also extract yes and no."""


def applies(name: str, answer: RecordedAnswer) -> bool:
    """Return whether an extractor is made for the form of an answer."""
    return has_letters(answer) or (EXTRACTORS[name][1] and answer.form == "yes_no")


def _word(answer: RecordedAnswer) -> str | None:
    """Return the last yes or no."""
    ((word,),) = RegexFilter(**LM_EVAL_WORDS).apply([[answer.text]], [{}])
    return _yes_or_no(word)


def _mmlu_pro_letter(text: str) -> str:
    for pattern in (r"answer is \(?([A-J])\)?", r".*[aA]nswer:\s*([A-J])"):
        if match := re.search(pattern, text):
            return match[1]
    letters: list[str] = re.findall(r"\b[A-J]\b", text)
    return letters[-1] if letters else ""


def _inspect_value(answer: RecordedAnswer) -> Any:
    if answer.form == "yes_no":
        match = re.search(AnswerPattern.WORD.value, answer.text)
        return _yes_or_no(match[1]) if match else None
    output, choices = SimpleNamespace(completion=answer.text), [None] * _n(answer)
    state = cast(Any, SimpleNamespace(output=output, choices=choices))
    letters = parse_answers(state, multiple_correct=answer.source == WRITTEN)
    return sorted(ascii_uppercase.index(letter) for letter in letters) or None


def _simple_evals_value(answer: RecordedAnswer) -> Any:
    text = MARKUP.sub("", answer.text)
    for word in ANSWER_WORDS:
        pattern = rf"(?i){word}\s*[:：][ \t]*([{ascii_uppercase[: _n(answer)]}])"
        if match := re.search(pattern, text):
            return _from_letter(answer, match[1].upper())
    return None


def _yes_or_no(word: str) -> str | None:
    return word.capitalize() if word.casefold() in ("yes", "no") else None


def _n(answer: RecordedAnswer) -> int:
    """Return how many options were offered."""
    options = answer.arguments["options"]
    return options if isinstance(options, int) else len(options)


def _option_texts(answer: RecordedAnswer) -> list[str]:
    """Return the texts of the options; for unknown ones, texts that occur nowhere."""
    options = answer.arguments["options"]
    if isinstance(options, int):
        return [f"\0{n}" for n in range(options)]
    return [str(option) for option in options]


def _from_letter(answer: RecordedAnswer, letter: str) -> list[int] | None:
    """Return the value of a letter; None if it was not offered."""
    position = ascii_uppercase.find(letter) if len(letter) == 1 else -1
    return [position] if 0 <= position < _n(answer) else None
