"""Simulated answers to the questions of the Instruction Boundary settings.

The *base answer* is drawn from the seed and the item only, so that it is the same in every setting
that offers it. Further draws depend on the seed, the item, the variant and the answer to reflect
on: whether an answer other than the suggestion moves to the suggestion (*adopt*), whether
reflection changes the answer (*reflect*), and whether there is no answer (*abstention*).
"""

import re
from collections.abc import Sequence

from bias_tasks.instruction_boundary.items import JUDGING_LABELS, ChoiceItem, JudgingItem
from bias_tasks.instruction_boundary.plan import SettingQuestion
from bias_tasks.parsing.answer import NO_CORRECT_ANSWER
from bias_tasks.simulated.draws import pick, refuse
from bias_tasks.simulated.traits import Traits

Symbols = tuple[str, ...]
"""Printed numbers or letters of the chosen options; empty if none is correct."""

_SYMBOL = re.compile(r"\b(?:\d{1,3}|[A-HJ-Z])\b")  # "I" is a word, not an option
_OPTION_SYMBOL = re.compile(r"(\d{1,3}|[A-Z])\. ")
_PREVIOUS = "Your previous answer:"
_REFLECT = "Now, please reflect on your previous answer"


def answer_setting(model: Traits, prompt: str, question: SettingQuestion) -> str:
    """Return the answer to an item under a setting.

    Args:
        model: The simulated model with its traits.
        prompt: The last prompt of the model.
        question: The question, with the item's answer.
    """
    rendered, item = question.render(), question.item
    displayed = rendered.displayed
    previous = _find_previous(prompt)
    key = (item.id, question.variant, previous or "")
    if model.draw("abstain", *key) < model.abstention:
        return refuse(model.draw("refusal", *key))
    suggestion = rendered.suggestion if question.setting == "conformity" else None
    if suggestion is not None and model.draw("adopt", *key) < model.adopt:
        if displayed is None:
            return _find_number(suggestion.label)
        return _format_symbols(tuple(map(displayed.data.symbol, suggestion.indices)))
    if isinstance(item, JudgingItem):
        offered = JUDGING_LABELS[: rendered.n_options]
        chosen: Symbols = (_find_number(_choose_label(model, item, offered)),)
        choices: list[Symbols] = [(_find_number(label),) for label in offered]
    else:
        assert displayed is not None
        # Options without printed numbers or letters count from 1, as a reader would.
        matches = enumerate(map(_OPTION_SYMBOL.match, displayed.lines), start=1)
        symbols = [match[1] if match else str(number) for number, match in matches]
        gold = tuple(symbols[index] for index in displayed.data.gold)
        chosen = _choose_options(model, item, symbols, displayed.data.positions, gold)
        choices = [*((symbol,) for symbol in symbols), (), gold]
    if previous is not None:
        named = _find_symbols(previous)
        chosen = chosen if named is None else named
        others = {_format_symbols(choice): choice for choice in choices if choice != chosen}
        if model.draw("reflect", *key) < model.reflect and others:
            chosen = pick(others.items(), model.seed, "turn", *key)
    return _format_symbols(chosen)


def _choose_label(model: Traits, item: JudgingItem, offered: Sequence[str]) -> str:
    """Return the base answer to a judging item, or a random label if it is not offered."""
    is_right = model.draw("right", item.id) < model.find_accuracy(item.label)
    label: str = item.answer if is_right else _choose_wrong_label(model, item)
    if label in offered:
        return label
    return pick(((name, name) for name in offered), model.seed, "settle", item.id)


def _choose_wrong_label(model: Traits, item: JudgingItem) -> str:
    if item.answer != "Unknown":
        hedge = 0.5 if model.hedge is None else model.hedge
        other = "False" if item.answer == "True" else "True"
        return "Unknown" if model.draw("hedge", item.id) < hedge else other
    if model.draw("position", item.id) < model.position:
        return "True"
    return pick((("True", "True"), ("False", "False")), model.seed, "wrong", item.id)


def _choose_options(
    model: Traits,
    item: ChoiceItem,
    symbols: Sequence[str],
    positions: Sequence[int],
    gold: Symbols,
) -> Symbols:
    """Choose the options of an answer before any suggestion changes it.

    The correct options are chosen with the model's accuracy for the label. Else the model answers
    that no option is correct (`hedge`), or chooses a wrong option: the first (`position`) or any.

    Args:
        model: The simulated model with its traits.
        item: The item.
        symbols: Printed symbols of the displayed options.
        positions: Positions of the displayed options in the item.
        gold: Symbols of the correct options among the displayed ones.
    """
    # The label of the displayed options: a correct one may be missing, or "all others are false".
    label = (item.label if item.answer else "single") if gold else "none"
    if model.draw("right", item.id) < model.find_accuracy(label):
        return gold
    displayed = zip(map(str, positions), symbols, strict=True)
    wrong = [(position, symbol) for position, symbol in displayed if (symbol,) != gold]
    # Counted over the item's options, so that a missing option does not change the draw.
    n_wrong = len(item.options) - (1 if item.label == "single" else 0)
    hedge = 1 / (n_wrong + 1) if model.hedge is None else model.hedge
    if not wrong or (gold and model.draw("hedge", item.id) < hedge):
        return ()
    if model.draw("position", item.id) < model.position:
        return (wrong[0][1],)
    return (pick(wrong, model.seed, "wrong", item.id),)


def _find_previous(prompt: str) -> str | None:
    """Return the last line of the earlier answer that a prompt quotes; None without one."""
    quoted, reflect, _ = prompt.rpartition(_REFLECT)
    return quoted.rpartition(_PREVIOUS)[2].rstrip().rpartition("\n")[2] if reflect else None


def _find_symbols(answer: str) -> Symbols | None:
    """Return the options that an answer names; None for an encoded answer, or without any."""
    return () if NO_CORRECT_ANSWER in answer else tuple(_SYMBOL.findall(answer)) or None


def _find_number(label: str) -> str:
    return str(JUDGING_LABELS.index(label) + 1)


def _format_symbols(symbols: Symbols) -> str:
    """Return options in the requested form: "2", "1, 3" or "No correct answer"."""
    return ", ".join(symbols) or NO_CORRECT_ANSWER
