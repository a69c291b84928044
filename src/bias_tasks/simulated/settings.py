"""How a persona answers the questions of the Instruction Boundary settings.

The *base answer* is drawn from (seed, the item) and nothing else, so that it is the same in every
setting that still offers it. Whether a suggestion is adopted (of the answers elsewhere a share
*adopt*), whether reflection moves the answer and whether none is given (*abstention*) are drawn
from (seed, the item, its variant, the answer that it is to reflect on).
"""

import re
from collections.abc import Sequence

from bias_tasks.instruction_boundary.items import JUDGING_LABELS, ChoiceItem, JudgingItem
from bias_tasks.instruction_boundary.plan import SettingQuestion
from bias_tasks.parsing.answer import NO_CORRECT_ANSWER
from bias_tasks.simulated.draws import pick, refuse
from bias_tasks.simulated.traits import Traits

Symbols = tuple[str, ...]
"""Chosen options by their numbers or letters as printed; empty means that none is correct."""

_SYMBOL = re.compile(r"\b(?:\d{1,3}|[A-HJ-Z])\b")  # "I" is a word, not an option
_LISTED = re.compile(r"(\d{1,3}|[A-Z])\. ")
_PREVIOUS = "Your previous answer:"
_REFLECT = "Now, please reflect on your previous answer"


def answer_setting(persona: Traits, prompt: str, question: SettingQuestion) -> str:
    """The answer to an item asked under a setting; `prompt` is what the model is asked last."""
    asked, item, shown = question.asked(), question.item, question.asked().shown
    before = _previous(prompt)
    key = (item.id, question.variant, before or "")
    if persona.draw("abstain", *key) < persona.abstention:
        return refuse(persona.draw("refusal", *key))
    suggested = asked.suggestion if question.under == "conformity" else None
    if suggested is not None and persona.draw("adopt", *key) < persona.adopt:
        if shown is None:
            return _number(suggested.label)
        return _text(tuple(map(shown.symbol, suggested.places)))
    if isinstance(item, JudgingItem):
        offered = JUDGING_LABELS[: asked.n_options]
        chosen: Symbols = (_number(_base_label(persona, item, offered)),)
        choices: list[Symbols] = [(_number(label),) for label in offered]
    else:
        assert shown is not None
        # options printed without numbers or letters count from 1, as a reader would
        listed = enumerate(map(_LISTED.match, shown.lines), start=1)
        symbols = [found[1] if found else str(number) for number, found in listed]
        gold = tuple(symbols[place] for place in shown.right(item))
        chosen = _base_choice(persona, item, symbols, shown.positions, gold)
        choices = [*((symbol,) for symbol in symbols), (), gold]
    if before is not None:
        said = _read(before)
        chosen = chosen if said is None else said
        others = {_text(each): each for each in choices if each != chosen}
        if persona.draw("reflect", *key) < persona.reflect and others:
            chosen = pick(others.items(), persona.seed, "turn", *key)
    return _text(chosen)


def _base_label(persona: Traits, item: JudgingItem, offered: Sequence[str]) -> str:
    right = persona.draw("right", item.id) < persona.accuracy_of(item.label)
    label: str = item.answer if right else _wrong_label(persona, item)
    if label in offered:
        return label
    # The label it has in mind is not offered: it settles for one that is.
    return pick(((name, name) for name in offered), persona.seed, "settle", item.id)


def _wrong_label(persona: Traits, item: JudgingItem) -> str:
    if item.answer != "Unknown":
        hedge = 0.5 if persona.hedge is None else persona.hedge
        other = "False" if item.answer == "True" else "True"
        return "Unknown" if persona.draw("hedge", item.id) < hedge else other
    if persona.draw("position", item.id) < persona.position:
        return "True"
    return pick((("True", "True"), ("False", "False")), persona.seed, "wrong", item.id)


def _base_choice(
    persona: Traits,
    item: ChoiceItem,
    symbols: Sequence[str],
    positions: Sequence[int],
    gold: Symbols,
) -> Symbols:
    # As it is shown: the right option may be left out, or stand for that all others are false.
    label = (item.label if item.answer else "single") if gold else "none"
    if persona.draw("right", item.id) < persona.accuracy_of(label):
        return gold
    shown = zip(map(str, positions), symbols, strict=True)
    wrong = [(position, symbol) for position, symbol in shown if (symbol,) != gold]
    # Counted over the item's options, so that leaving one out does not turn the draw.
    singles = len(item.options) - (item.label == "single")
    hedge = 1 / (singles + 1) if persona.hedge is None else persona.hedge
    if not wrong or (gold and persona.draw("hedge", item.id) < hedge):
        return ()
    if persona.draw("position", item.id) < persona.position:
        return (wrong[0][1],)
    return (pick(wrong, persona.seed, "wrong", item.id),)


def _previous(prompt: str) -> str | None:
    """The last line of the earlier answer that a prompt asks to reflect on; None if none."""
    quoted, asks, _ = prompt.rpartition(_REFLECT)
    return quoted.rpartition(_PREVIOUS)[2].rstrip().rpartition("\n")[2] if asks else None


def _read(said: str) -> Symbols | None:
    """The options that an answer of a persona names; None for an oblique one, or none at all."""
    return () if NO_CORRECT_ANSWER in said else tuple(_SYMBOL.findall(said)) or None


def _number(label: str) -> str:
    return str(JUDGING_LABELS.index(label) + 1)


def _text(symbols: Symbols) -> str:
    """Options as the prompts ask for them: "2", "1, 3" or "No correct answer"."""
    return ", ".join(symbols) or NO_CORRECT_ANSWER
