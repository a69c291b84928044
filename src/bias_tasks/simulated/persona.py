"""The personas, by their names, who answers what, and those that answer alike whatever is right."""

import json
import re
import runpy
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from pydantic import ValidationError

from bias_tasks.binary_qa.items import BinaryItem
from bias_tasks.complex_eval.items import JudgedItem
from bias_tasks.complex_eval.layout import read_dialogue
from bias_tasks.complex_eval.prompts.judge import read_blocks
from bias_tasks.contract.family import Question
from bias_tasks.data.files import read_yaml
from bias_tasks.instruction_boundary.items import JUDGING_LABELS
from bias_tasks.instruction_boundary.plan import SettingQuestion
from bias_tasks.judging.items import JudgedPrompt
from bias_tasks.names import did_you_mean
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.items import FormatItem
from bias_tasks.parsing.answer import NO_CORRECT_ANSWER
from bias_tasks.simulated.draws import Simulated, in_signs
from bias_tasks.simulated.formats import answer_in_format
from bias_tasks.simulated.judges import answer_judge, answer_probed_judge
from bias_tasks.simulated.settings import answer_setting
from bias_tasks.simulated.traits import OWN, Traits
from bias_tasks.simulated.yes_no import answer_yes_no

_SCORE = 7
_LONG = "There is a good deal to be said about this, and more still to be thought. " * 2000
_LETTER = re.compile(r"(?m)^\(?([A-Z])[).]")
UNKNOWN = "I know nothing of this question."
"""The answer of a persona to other people's questions."""


class Persona(Traits):
    """A simulated model with known traits, and how it answers every family's questions."""

    def respond(self, prompt: str, question: Question | None) -> str:
        """The answer, from the item's key and what is planted."""
        said = self._answer(prompt, question)
        return in_signs(said) if self.oblique else said

    def _answer(self, prompt: str, question: Question | None) -> str:
        if self.always:
            return constant_answer(self, prompt, question)
        if question is None or not question.known:
            return UNKNOWN
        match question.known[0]:
            case BinaryItem() as item:
                return answer_yes_no(self, prompt, item, question.variant)
            case FormatItem() as item:
                return answer_in_format(self, prompt, item, question.facts["question"])
            case JudgedItem():
                return answer_judge(self, prompt, question)
            case JudgedPrompt() as item if item.responses:
                return answer_probed_judge(self, prompt, item, question.facts)
        if isinstance(question.source, SettingQuestion):
            return answer_setting(self, prompt, question.source)
        return UNKNOWN


def constant_answer(persona: Traits, prompt: str, question: Question | None) -> str:
    """What a persona says that knows nothing: what an instrument makes of it is known.

    `echo` repeats the prompt, `empty` says nothing, and `long` goes on and on. `first` and `last`
    are the option (the answer, the response) that stands there, `yes` is Yes, True or the first
    option, `no` is No, False or the last one, `guess` draws one of the answers there are at each
    call, and `suggested` is the suggestion where there is one and else the first option. `tie` says
    of two responses that they are alike. Whoever judges a single response gives it 7, or sees
    nothing wrong in it, but for `guess`, which draws a score, a step, or flaws.
    """
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
            found = [(names[place(len(names))], score(), quote) for quote in quoted]
            return {"flaws": [{"dimension": d, "severity": s, "quote": q} for d, s, q in found]}
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
        return ", ".join(map(shown.symbol, suggested.places)) or NO_CORRECT_ANSWER
    if shown is None and always == "no":
        return str(JUDGING_LABELS.index("False") + 1)
    at = range(offered.n_options)[place(offered.n_options)]
    return str(at + 1) if shown is None else shown.symbol(at)


_ROLES = ("judge", "polisher", "rewriter", "author")
"""Each is a class of `simulated.roles`."""


def make_respondent(name: str, traits: Mapping[str, Any] | None = None) -> Simulated:
    """The simulated model of that name, or of a class in a user's file (`file.py@Class`), with some
    of its traits set.

    `accuracy` and `follow` also replace what a persona has of single labels and formats. A
    ValueError for an unknown name or trait (the message lists the valid ones), or a value out of
    its range."""
    given, presets = dict(traits or {}), read_yaml(__package__, "personas")
    valid = [*presets, *_ROLES]
    kind: type[Simulated] = Persona
    own, preset = OWN, presets.get(name, {})
    if "@" in name:
        kind, own = _own_class(*name.rsplit("@", 1)), ()
    elif name not in valid:
        near = did_you_mean([name], valid)
        raise ValueError(f"unknown persona {name!r}{near}: expected one of {', '.join(valid)}")
    if name in _ROLES:  # loaded where it is asked for, with the prompts of judges
        kind, own = getattr(import_module(f"{__package__}.roles"), name.capitalize()), ()
    if unknown := [each for each in given if each not in {*kind.model_fields, *own}]:
        near = did_you_mean(unknown, (*kind.model_fields, *own))
        more = ", accuracy_<label>, accuracy_<format>, follow_<format>" if own else ""
        raise ValueError(
            f"unknown parameter {', '.join(map(repr, unknown))} of persona {name!r}{near}: it "
            f"takes {', '.join(kind.model_fields)}{more}"
        )
    # the general trait of a label's or a format's own one stands before the underscore
    general = {each: each.partition("_")[0] if each in OWN else each for each in preset}
    kept = {each: value for each, value in preset.items() if general[each] not in given}
    try:
        return kind(**kept | given)
    except ValidationError as error:
        wrong = (f"{each['loc'][-1]}={each['input']!r}: {each['msg']}" for each in error.errors())
        raise ValueError("; ".join(wrong)) from error


def _own_class(path: str, name: str) -> type[Simulated]:
    """The simulated model of that name in a user's file; a ValueError where there is none."""
    if not Path(path).is_file():
        raise ValueError(f"there is no file {path} with a simulated model")
    # inspect-evals-lint: ignore[host_code_execution] -- a file that the user names, as of a task
    found = runpy.run_path(path).get(name)
    if not (isinstance(found, type) and issubclass(found, Simulated)):
        raise ValueError(f"there is no class {name!r} of a simulated model in {path}")
    return found
