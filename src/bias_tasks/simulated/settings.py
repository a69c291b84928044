"""Simulated answers to the questions of the Instruction Boundary settings.

The *base answer* is drawn from the seed and the item only, so that it is the same in every setting
that offers it. Further draws depend on the seed, the item, the variant and the answer to reflect
on: whether an answer other than the suggestion moves to the suggestion (*adopt*), whether
reflection changes the answer (*reflect*), and whether there is no answer (*abstention*). Each
message of `pushback` is another draw: whether the answer moves to a wrong claim, or anywhere after
a doubt (*yields*), to a right claim (*learns*), or else anywhere (*reflect*, as after the control).
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from bias_tasks.contract.questions import Question
from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.instruction_boundary.items import JUDGING_LABELS
from bias_tasks.instruction_boundary.scoring_data import (
    ADDED_OPTION,
    OptionsData,
    SettingData,
)
from bias_tasks.instruction_boundary.settings import CONFORMITY, CONTROL
from bias_tasks.prompts.edits import PUSHBACK_REQUEST
from bias_tasks.simulated.traits import Traits

_PREVIOUS = "Your previous answer:"
_REFLECT = "Now, please reflect on your previous answer"


def answer_setting(model: Traits, prompt: str, question: Question) -> str:
    """Return the answer to an item under a setting.

    Args:
        model: The simulated model with its traits.
        prompt: The last prompt of the model.
        question: The question.
    """
    data = question.data_as(SettingData)
    previous = _find_previous(prompt)
    key = (data.item, data.variant, previous or "")
    if model.abstains(*key):
        return model.refuse(*key)
    suggestion = find_suggestion(data)
    if suggestion is not None and model.draw("adopt", *key) < model.adopt:
        return FAMILY.write_answer(data, suggestion)
    options = data.options
    if options is None:
        offered = JUDGING_LABELS[: data.n_options]
        choices: list[Sequence[int]] = [(index,) for index in range(len(offered))]
        chosen: Sequence[int] = (JUDGING_LABELS.index(_choose_label(model, data, offered)),)
    else:
        if options.first_number == 0 and "\n0. " not in prompt:
            # Options without printed numbers count from 1, as a reader would.
            data = replace(data, options=replace(options, first_number=1))
        choices = [*((index,) for index in range(len(options.positions))), (), options.gold]
        chosen = _choose_options(model, data, options)
    write = partial(FAMILY.write_answer, data)
    for number in range(prompt.count(PUSHBACK_REQUEST)):
        others = [choice for choice in choices if choice != chosen]
        other = model.pick(others, "turn", *key, str(number), name=write)
        chosen = _push_back(model, data, chosen, other, number)
    if previous is not None:
        chosen = {write(choice): choice for choice in choices}.get(previous.strip(), chosen)
        others = [choice for choice in choices if choice != chosen]
        if model.draw("reflect", *key) < model.reflect and others:
            chosen = model.pick(others, "turn", *key, name=write)
    return write(chosen)


def find_suggestion(data: SettingData) -> Sequence[int] | None:
    """Return the indices of the options that a prompt suggests; None without a suggestion."""
    is_conformity = data.variant.partition("@")[0] == CONFORMITY
    return _find_claim(data) if is_conformity else None


def _find_claim(data: SettingData) -> Sequence[int] | None:
    """Return the indices of the suggested or claimed options; None without any."""
    suggestion = data.suggestion
    if suggestion is None:
        return None
    is_label = data.options is None
    return (JUDGING_LABELS.index(suggestion.label),) if is_label else suggestion.indices


def _push_back(
    model: Traits, data: SettingData, chosen: Sequence[int], other: Sequence[int], number: int
) -> Sequence[int]:
    """Return the answer, or the other one, after one more message of `pushback`."""
    claim, kind, key = _find_claim(data), data.variant.partition("@")[2], (data.item, data.variant)
    chance = model.learns if kind.startswith("right") else model.yields
    if kind != CONTROL and model.draw("yield", *key, str(number)) < chance:
        return other if claim is None else claim
    return other if model.draw("reflect", *key, str(number)) < model.reflect else chosen


def _choose_label(model: Traits, data: SettingData, offered: Sequence[str]) -> str:
    """Return the base answer to a judging item, or a random label if it is not offered."""
    label = data.gold_label
    if not model.is_right(data.item, name=label):
        label = _choose_wrong_label(model, data)
    return label if label in offered else model.pick(offered, "settle", data.item)


def _choose_wrong_label(model: Traits, data: SettingData) -> str:
    if data.gold_label != "Unknown":
        hedge = 0.5 if model.hedge is None else model.hedge
        other = "False" if data.gold_label == "True" else "True"
        return "Unknown" if model.draw("hedge", data.item) < hedge else other
    if model.draw("position", data.item) < model.position:
        return "True"
    return model.pick(("True", "False"), "wrong", data.item)


def _choose_options(model: Traits, data: SettingData, options: OptionsData) -> Sequence[int]:
    """Return the indices of the chosen options before any suggestion changes them.

    The correct options are chosen with the model's accuracy for the label. Else the model answers
    that no option is correct (`hedge`), or chooses a wrong option: the first (`position`) or any.
    """
    gold = options.gold
    if model.is_right(data.item, name=data.gold_label):
        return gold
    wrong = [index for index in range(len(options.positions)) if (index,) != gold]
    # Counted over the item's options, so that a missing option does not change the draw.
    is_single = len(gold) == 1 and options.positions[gold[0]] != ADDED_OPTION
    n_wrong = options.n_item_options - is_single
    hedge = 1 / (n_wrong + 1) if model.hedge is None else model.hedge
    if not wrong or (gold and model.draw("hedge", data.item) < hedge):
        return ()
    if model.draw("position", data.item) < model.position:
        return tuple(wrong[:1])
    return (model.pick(wrong, "wrong", data.item, name=options.positions.__getitem__),)


def _find_previous(prompt: str) -> str | None:
    """Return the last line of the earlier answer that a prompt quotes; None without one."""
    quoted, reflect, _ = prompt.rpartition(_REFLECT)
    return quoted.rpartition(_PREVIOUS)[2].rstrip().rpartition("\n")[2] if reflect else None
