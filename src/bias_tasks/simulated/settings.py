"""How a persona answers the questions of the Instruction Boundary settings.

What is drawn from what:

- The *base answer* is drawn from (seed, the item) and nothing else, so that an item gets the same
  base answer in vanilla and in every setting that still offers it.
- Whether a suggestion is adopted, whether reflection moves the answer and whether no answer is
  given are drawn from (seed, the prompt from the question on).

With `adopt=p`, an expected share p of the answers that were elsewhere moves to the suggestion, and
with `adopt=0` conformity changes nothing. With `abstention=q`, a share q of the answers cannot be
read, so a label with accuracy a is answered rightly at rate a * (1 - q).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from bias_tasks.instruction_boundary.items import JUDGING_LABELS, ChoiceItem, JudgingItem
from bias_tasks.instruction_boundary.plan import SettingQuestion
from bias_tasks.simulated.draws import draw, pick, put, refuse, sentences

if TYPE_CHECKING:
    from bias_tasks.simulated.traits import Traits

T = TypeVar("T")
Symbols = tuple[str, ...]
"""Chosen options by their numbers or letters as printed; empty means that none is correct."""

NO_CORRECT_ANSWER = "No correct answer"
_OBLIQUE_NONE = "Nothing on that list fits."
_PLACES = re.compile(r"what I mean comes ([a-z0-9, ]{1,200})\.")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_LISTED = re.compile(r"[ \t]{0,8}(?:Option )?(\d{1,3}|[A-Z])[.):][ \t]+(\S.*)")
_SYMBOL = re.compile(r"\b(?:\d{1,3}|[A-HJ-Z])\b")  # "I" is a word, not an option
_PREVIOUS = "Your previous answer:"
_REFLECT = "Now, please reflect on your previous answer"
_ANSWER_HEADING = re.compile(r"^(#{0,3} ?(?:Final|Improved) Answer)[ \t]*\n\[", re.MULTILINE)
_HEADING = re.compile(r"^(#{0,3} ?(?:Reasoning|Reflection) Process)[ \t]*\n\[", re.MULTILINE)
_ASKED_AFTER = ("Question:", "Statement to Evaluate:")


class Option(NamedTuple):
    """An option as shown: its number or letter, and the first line of its text."""

    symbol: str
    text: str


def answer_setting(persona: Traits, prompt: str, question: SettingQuestion) -> str:
    """The answer to an item asked under a setting; `prompt` is what the model is asked last."""
    asked, item = question.asked(), question.item
    prompt = _from_question(prompt, item.question)
    if draw(persona.seed, "abstain", prompt) < persona.abstention:
        return refuse(draw(persona.seed, "refusal", prompt))
    suggested = asked.suggestion if question.under == "conformity" else None
    if suggested is not None and draw(persona.seed, "adopt", prompt) >= persona.adopt:
        suggested = None
    if isinstance(item, JudgingItem):
        offered = JUDGING_LABELS[: asked.n_options]
        label = _base_label(persona, item, offered)
        before = _previous(prompt)
        if before is not None:
            said = _read_label(before) or label
            label = _reflected(persona, prompt, said, {name: name for name in offered})
        if suggested is not None:
            label = suggested.label
        number = str(JUDGING_LABELS.index(label) + 1)
        words, oblique = sentences("judging_words"), sentences("judging_oblique")
        return put(persona, number, words[label], oblique[label], _headings(prompt))
    assert asked.shown is not None
    shown = _options(asked.shown.lines)
    gold = tuple(shown[place].symbol for place in asked.shown.right(item))
    chosen = _base_choice(persona, item, shown, gold)
    before = _previous(prompt)
    if before is not None:
        choices = [*((option.symbol,) for option in shown), (), gold]
        said_symbols = _read_choice(before, shown)
        chosen = _reflected(
            persona,
            prompt,
            chosen if said_symbols is None else said_symbols,
            {_choice_text(each): each for each in choices},
        )
    if suggested is not None:
        chosen = tuple(asked.shown.symbol(place) for place in suggested.places)
    answer = _choice_text(chosen)
    plural = "s" if len(chosen) > 1 else ""
    words_ = f"The answer is option{plural} {_and(chosen)}." if chosen else f"{answer}."
    return put(persona, answer, words_, _oblique(chosen, shown), _headings(prompt))


def _from_question(prompt: str, question: str) -> str:
    """The prompt from the question on, so that nothing before it turns a draw."""
    places = [match.start() for match in re.finditer(re.escape(question.strip()), prompt)]
    asked = [place for place in places if prompt[:place].rstrip(" \t\n*").endswith(_ASKED_AFTER)]
    return prompt[(asked or places or [0])[-1] :].strip()


def _options(lines: Sequence[str]) -> list[Option]:
    """The options of these lines; those without a number count from 1, as a reader would."""
    found = []
    for number, line in enumerate(lines, start=1):
        listed = _LISTED.match(line)
        symbol, text = listed.groups() if listed else (str(number), line)
        found.append(Option(symbol, " ".join(text.strip().partition("\n")[0].split())))
    return found


def _base_label(persona: Traits, item: JudgingItem, offered: Sequence[str]) -> str:
    key = (item.question, item.context)
    label: str = item.answer
    if draw(persona.seed, "right", *key) >= persona.accuracy_of(item.label):
        label = _wrong_label(persona, item, key)
    if label in offered:
        return label
    # The label it has in mind is not offered: it settles for one that is.
    return pick(((name, name) for name in offered), persona.seed, "settle", *key)


def _wrong_label(persona: Traits, item: JudgingItem, key: tuple[str, ...]) -> str:
    if item.answer != "Unknown":
        hedge = 0.5 if persona.hedge is None else persona.hedge
        if draw(persona.seed, "hedge", *key) < hedge:
            return "Unknown"
        return "False" if item.answer == "True" else "True"
    if draw(persona.seed, "position", *key) < persona.position:
        return "True"
    return pick((("True", "True"), ("False", "False")), persona.seed, "wrong", *key)


def _base_choice(
    persona: Traits, item: ChoiceItem, shown: Sequence[Option], gold: Symbols
) -> Symbols:
    key = (item.question, item.context or "", *item.options)
    # As it is shown: the right option may be left out, or stand for that all others are false.
    label = (item.label if item.answer else "single") if gold else "none"
    if draw(persona.seed, "right", *key) < persona.accuracy_of(label):
        return gold
    wrong = [option for option in shown if (option.symbol,) != gold]
    # Counted over the item's options, so that leaving one out does not turn the draw.
    singles = len(item.options) - (item.label == "single")
    hedge = 1 / (singles + 1) if persona.hedge is None else persona.hedge
    if not wrong or (gold and draw(persona.seed, "hedge", *key) < hedge):
        return ()
    if draw(persona.seed, "position", *key) < persona.position:
        return (wrong[0].symbol,)
    return (pick([(o.text, o.symbol) for o in wrong], persona.seed, "wrong", *key),)


def _reflected(persona: Traits, prompt: str, before: T, outcomes: Mapping[str, T]) -> T:
    """The answer after a round of reflection: the one before, or another of the outcomes."""
    others = [(name, outcome) for name, outcome in outcomes.items() if outcome != before]
    if not others or draw(persona.seed, "reflect", prompt) >= persona.reflect:
        return before
    return pick(others, persona.seed, "turn", prompt)


def _previous(prompt: str) -> str | None:
    """The last line of the earlier answer that a prompt asks to reflect on; None if none."""
    quoted, asks, _ = prompt.rpartition(_REFLECT)
    if not asks:
        return None
    return quoted.rpartition(_PREVIOUS)[2].rstrip().rpartition("\n")[2]


def _read_label(said: str) -> str | None:
    for phrases in (sentences("judging_words"), sentences("judging_oblique")):
        for label, phrase in phrases.items():
            if phrase in said:
                return label
    named = _SYMBOL.findall(said)
    numbers = dict(zip("123", JUDGING_LABELS, strict=True))
    return numbers.get(named[0]) if len(named) == 1 else None


def _read_choice(said: str, shown: Sequence[Option]) -> Symbols | None:
    if NO_CORRECT_ANSWER in said:
        return ()
    places = oblique_places(said)
    if places is not None:
        return tuple(shown[place].symbol for place in places if place < len(shown))
    return tuple(_SYMBOL.findall(said)) or None


def _choice_text(symbols: Symbols) -> str:
    """Options as the prompts ask for them: "2", "1, 3" or "No correct answer"."""
    return ", ".join(symbols) or NO_CORRECT_ANSWER


def _oblique(symbols: Symbols, shown: Sequence[Option]) -> str:
    """The chosen options as a sentence that only a judge reads: by their place in the list."""
    places = [_ordinal(place) for place, each in enumerate(shown) if each.symbol in symbols]
    return f"Counted from the top, what I mean comes {_and(places)}." if places else _OBLIQUE_NONE


def oblique_places(text: str) -> list[int] | None:
    """The 0-based places in the list that an oblique answer names; None for other texts."""
    if _OBLIQUE_NONE in text:
        return []
    match = _PLACES.search(text)
    if match is None:
        return None
    words = match[1].replace(" and ", ", ").split(", ")
    places = {_ordinal(place): place for place in range(100)}
    return [places[word] for word in words if word in places]


def _headings(prompt: str) -> tuple[str, str] | None:
    """The headings (of the thinking, of the answer) that the prompt asks for; else None."""
    answers, processes = _ANSWER_HEADING.findall(prompt), _HEADING.findall(prompt)
    return (processes[-1], answers[-1]) if answers and processes else None


def _ordinal(place: int) -> str:
    return _ORDINALS[place] if place < len(_ORDINALS) else f"{place + 1}th"


def _and(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
