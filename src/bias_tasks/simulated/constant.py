"""Personas that know nothing: what an instrument makes of them is known.

`always` says how they answer: `echo` repeats the prompt, `empty` says nothing, and `long` goes on
and on. `first` and `last` are the option (the answer, the response) that stands there, `yes` is
Yes, True or the first option, `no` is No, False or the last one, `guess` draws one of the answers
there are at each call, and `suggested` is the suggestion where there is one and else the first
option. `tie` says of two responses that they are alike. Whoever judges a single response gives it
7, or sees nothing wrong in it, but for `guess`, which draws a score, a step, or flaws.
"""

import json
import re
from collections.abc import Callable
from string import ascii_uppercase
from typing import Any

from bias_tasks.binary_qa.items import BinaryItem
from bias_tasks.complex_eval.items import JudgedItem
from bias_tasks.complex_eval.layout import read_dialogue
from bias_tasks.complex_eval.prompts.judge import read_blocks
from bias_tasks.contract.family import Question
from bias_tasks.instruction_boundary.items import JUDGING_LABELS
from bias_tasks.instruction_boundary.plan import SettingQuestion
from bias_tasks.judging.items import JudgedPrompt
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.items import FormatItem
from bias_tasks.simulated.traits import Traits

_SCORE = 7
_LONG = "There is a good deal to be said about this, and more still to be thought. " * 2000
_LETTER = re.compile(r"(?m)^\(?([A-Z])[).]")


def constant_answer(persona: Traits, prompt: str, question: Question | None) -> str:
    """What a persona says that knows nothing."""
    always = persona.always
    if always in ("echo", "empty", "long"):
        return {"echo": prompt, "empty": "", "long": _LONG}[always]

    def place(many: int) -> int:
        """Which of so many answers it gives, by their order."""
        if always == "guess":
            return int(persona.draw("guess", prompt, persona.call(prompt)) * many)
        return -(always in ("last", "no"))

    def score() -> int:
        return 1 + place(10) if always == "guess" else _SCORE

    def judgement(item: JudgedItem, form: Any) -> dict[str, Any]:
        names = form.get("criteria", ())
        if item.family == "math":
            return {"first_error": place(form["steps"] + 1) - 1 if always == "guess" else -1}
        if item.family == "role_playing":
            turns = read_dialogue(read_blocks(prompt)["response"]) if always == "guess" else ()
            quoted = [turn.content for turn in turns if place(2)]
            named = ("dimension", "severity", "quote")
            found = [(names[place(len(names))], score(), quote) for quote in quoted]
            return {"flaws": [dict(zip(named, flaw, strict=True)) for flaw in found]}
        return {"scores": {name: score() for name in names}} if names else {"score": score()}

    match question.known[0] if question is not None and question.known else None:
        case BinaryItem():
            turned = "No/Yes" in prompt and always not in ("yes", "no")
            return ("No", "Yes")[place(2)] if turned else ("Yes", "No")[place(2)]
        case JudgedItem() as item if question is not None:
            return json.dumps({"reasoning": "", **judgement(item, question.facts["form"])})
        case JudgedPrompt() if question is not None and "response" in question.facts:
            return f"Score: {score()}"
        case JudgedPrompt():
            return f"Verdict: {'tie' if always == 'tie' else 'AB'[place(2)]}"
        case FormatItem() as item if item.options and question is not None:
            asked = question.facts["question"]
            letter = ascii_uppercase[: len(item.options)][place(len(item.options))]
            return FORMATS[asked["format"]].render(letter, item, asked["prompting"])
    if question is not None and isinstance(question.source, SettingQuestion):
        return _option(always, question.source, place)
    letters = _LETTER.findall(prompt) or ["yes", "no"]
    return f"ANSWER: {always if always in ('yes', 'no') else letters[place(len(letters))]}"


def _option(always: str, question: SettingQuestion, place: Callable[[int], int]) -> str:
    """The option of a setting's question, as its prompt asks for it."""
    offered = question.asked()
    shown = offered.shown
    suggested = offered.suggestion if question.under == "conformity" else None
    if always == "suggested" and suggested is not None:
        if shown is None:
            return str(JUDGING_LABELS.index(suggested.label) + 1)
        return ", ".join(map(shown.symbol, suggested.places)) or "No correct answer"
    if shown is None and always == "no":
        return str(JUDGING_LABELS.index("False") + 1)
    at = range(offered.n_options)[place(offered.n_options)]
    return str(at + 1) if shown is None else shown.symbol(at)
