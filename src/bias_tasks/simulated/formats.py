"""Simulated answers in an output format.

The traits apply in this order; each draw depends on the seed and the values in parentheses:

1. *accuracy* (item): the intended answer is right or wrong, the same in every format.
   `accuracy_<format>` compares the same draw with another chance, which plants a format bias.
   Wrong answers score 0; wrong binary lists (no candidate is relevant) score the share w of zeros.
2. *abstention* (item, format): an answer without a value.
3. *follow* (item, format): the intended answer in the format, or in plain words if the format
   cannot represent it. A model that follows one instruction also follows a repeated one.
4. *near_miss* (item, format): whether an answer in another format has the intended answer in plain
   words, or nothing.

Expected values, with F = (1 - abstention) * follow of a format and A = accuracy in it: corrected
`fi` is F, `est_true` is A whatever F and near_miss are, `sys` is their product, and
`bias_f_corrected` is 100^2 times the variance of A over formats (for binary lists with
w + (1 - w) A instead of A). With k instructions fi is
(1 - abstention) * (1 - (1 - follow) * (1 - follow_gain)^(k - 1)).
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import count
from string import ascii_uppercase

from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.items import FormatItem, Payload
from bias_tasks.output_format.scores import score_payload
from bias_tasks.output_format.scoring_data import FormatData
from bias_tasks.simulated.draws import draw, pick, refuse
from bias_tasks.simulated.traits import Traits


def answer_in_format(model: Traits, prompt: str, item: FormatItem, data: FormatData) -> str:
    """Return the answer to an item, in the requested format or not.

    Args:
        model: The simulated model with its traits.
        prompt: The prompt; only the number of the format's instructions in it matters.
        item: The item, with its answer.
        data: The scoring data of the question, which name the format.
    """
    fmt, prompting = FORMATS[data.format], data.prompting

    def unless_following(text: str) -> str:
        """Return the text; nothing if it would follow the format by accident."""
        return "" if fmt.parse(text, item, "corrected", prompting).follows else text

    key = (item.id, fmt.name)
    nothing = refuse(draw(model.seed, "refusal", *key))
    if draw(model.seed, "abstain", *key) < model.abstention:
        return unless_following(nothing)
    is_right = draw(model.seed, "right", item.id) < model.find_accuracy(fmt.name)
    answer = item.answer if is_right else wrong_answer(item, model.seed)
    instruction = fmt.instruction(item, data.protocol, prompting)
    times = max(1, prompt.count(instruction))
    if draw(model.seed, "follow", *key) < model.find_follow(fmt.name, times):
        with suppress(ValueError):  # The format cannot represent the answer.
            return fmt.render(answer, item, prompting)
    elif draw(model.seed, "near miss", *key) >= model.near_miss:
        return unless_following(nothing)
    return unless_following(_write_sentence(answer, item))


def wrong_answer(item: FormatItem, seed: int) -> Payload:
    """Return an answer that scores 0; for a binary list, that no candidate is relevant.

    Raises:
        ValueError: All options of the item are correct.
    """
    if item.answer_type == "binary_list":
        return (0,) * len(item.answer)
    wrong = (
        answer for answer in _list_answers(item) if not score_payload(answer, item, "corrected")
    )
    if item.options:
        return pick(((str(answer), answer) for answer in wrong), seed, "wrong", item.id)
    return next(wrong)


def _list_answers(item: FormatItem) -> Iterable[Payload]:
    """Return answers of the item's type: its options, or any number of them without options."""
    match item.answer_type:
        case "option_letter" | "option_text" if item.options:
            return ascii_uppercase[: len(item.options)]
        case "option_letter":
            return ascii_uppercase
        case "number":
            return map(str, count())
        case "string_list":
            return ((f"unrelated-{n}", f"unheard-of-{n}") for n in count())
        case "mapping":
            return (dict.fromkeys(item.keys, (f"unrelated-{n}",)) for n in count())
    return (f"unrelated-{n}" for n in count())


def _write_sentence(answer: Payload, item: FormatItem) -> str:
    """Return the answer in a sentence. Its comma prevents that it is a list of one line."""
    if isinstance(answer, Mapping):
        parts = (f"{key} is {', '.join(values) or 'nothing'}" for key, values in answer.items())
        words = "; ".join(parts)
    elif not isinstance(answer, str):
        words = ", ".join(map(str, answer))
    elif item.answer_type == "option_text" and item.options:
        words = item.options[ascii_uppercase.index(answer)]
    else:
        words = answer
    return f"Well, I would say {words}."
