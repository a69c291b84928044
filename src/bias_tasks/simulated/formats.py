"""Simulated answers in an output format.

The traits apply in this order; each draw depends on the seed and the values in parentheses:

1. *accuracy* (item): the intended answer is right or wrong, the same in every format.
   `accuracy_<format>` compares the same draw with another chance, which plants a format bias.
   Wrong answers score 0; wrong binary lists (no candidate is relevant) score the share w of zeros.
2. *abstention* (item, format): an answer without a value.
3. *follow* (item, format): the intended answer in the format, or in plain words if the format
   cannot represent it.
4. *near_miss* (item, format): whether an answer in another format has the intended answer in plain
   words, or nothing.

Expected values, with F = (1 - abstention) * follow of a format and A = accuracy in it: corrected
`fi` is F, `est_true` is A whatever F and near_miss are, `sys` is their product, and
`bias_f_corrected` is 100^2 times the variance of A over formats (for binary lists with
w + (1 - w) A instead of A).
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import count
from string import ascii_uppercase

from bias_tasks.contract.questions import Question
from bias_tasks.output_format.family import FAMILY
from bias_tasks.output_format.items import FormatItem, Payload
from bias_tasks.output_format.scores import score_payload
from bias_tasks.output_format.scoring_data import FormatData
from bias_tasks.simulated.draws import Simulated
from bias_tasks.simulated.traits import Traits


def answer_in_format(model: Traits, prompt: str, question: Question) -> str:
    """Return the answer to an item, in the requested format or not; the prompt does not matter."""
    data = question.data_as(FormatData)
    item, name = data.to_item(), data.format

    def unless_following(text: str) -> str:
        """Return the text; nothing if it would follow the format by accident."""
        parsed = data.output_format.parse(text, item, "corrected", data.prompting)
        return "" if parsed.follows else text

    key = (item.id, name)
    if model.abstains(*key):
        return unless_following(model.refuse(*key))
    answer = item.answer if model.is_right(item.id, name=name) else wrong_answer(item, model)
    if model.draw("follow", *key) < model.find_follow(name):
        with suppress(ValueError):  # The format cannot represent the answer.
            return FAMILY.write_answer(data, answer)
    elif model.draw("near miss", *key) >= model.near_miss:
        return unless_following(model.refuse(*key))
    return unless_following(_write_sentence(answer, item))


def wrong_answer(item: FormatItem, model: Simulated) -> Payload:
    """Return an answer that scores 0; for a binary list, that no candidate is relevant.

    Raises:
        ValueError: All options of the item are correct.
    """
    if item.answer_type == "binary_list":
        return (0,) * len(item.answer)
    wrong = (
        answer for answer in _list_answers(item) if not score_payload(answer, item, "corrected")
    )
    return model.pick(wrong, "wrong", item.id) if item.options else next(wrong)


def _list_answers(item: FormatItem) -> Iterable[Payload]:
    """Return answers of the item's type: its options, or any number of them without options."""
    match item.answer_type:
        case "option_letter" | "option_text" if item.options:
            return ascii_uppercase[: len(item.options)]
        case "option_letter":
            return ascii_uppercase
        case "number":
            return map(str, count())
        case "option_set":
            return ((letter,) for letter in item.letters)
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
