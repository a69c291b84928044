"""How a persona answers a question in an output format.

In this order, and drawn from (seed and):

1. *accuracy* (item): the answer in mind is right or wrong, the same in every format;
   `accuracy_<format>` compares the same draw with another chance, which is a planted format bias.
   Wrong answers score 0, wrong binary lists (no candidate is relevant) the share w of zeros.
2. *abstention* (item, format): an answer that holds nothing.
3. *follow* (item, format): the answer in mind as the format has it; one that the format can't hold
   is given in plain words. A repeated instruction is followed wherever a single one is.
4. *near_miss* (item, format): of an answer that does not follow, whether it holds the answer in
   mind in plain words all the same, or nothing.

With F = (1 - abstention) * follow of a format and A = accuracy in it, corrected `fi` is F,
`est_true` A whatever F and near_miss are, `sys` their product, and `bias_f_corrected` 100^2 times
the variance of A over formats (binary lists: with w + (1 - w) A for A). With k instructions fi is
(1 - abstention) * (1 - (1 - follow) * (1 - follow_gain)^(k - 1)).
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import count
from string import ascii_uppercase
from typing import Any

from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.items import FormatItem, Payload
from bias_tasks.output_format.scores import task_score
from bias_tasks.simulated.draws import draw, pick, refuse
from bias_tasks.simulated.traits import Traits


def answer_in_format(
    persona: Traits, prompt: str, item: FormatItem, asked: Mapping[str, Any]
) -> str:
    """The answer to an item, in the format that the question asks for or not.

    Of the prompt only how often it has the format's instruction counts; `asked` names the format,
    the prompting and the protocol.
    """
    fmt, prompting = FORMATS[asked["format"]], asked["prompting"]

    def unless_following(text: str) -> str:
        """The text, or none at all where it would follow the format by accident."""
        return "" if fmt.read(text, item, "corrected", prompting).follows else text

    key = (item.id, fmt.name)
    nothing = refuse(draw(persona.seed, "refusal", *key))
    if draw(persona.seed, "abstain", *key) < persona.abstention:
        return unless_following(nothing)
    right = draw(persona.seed, "right", item.id) < persona.accuracy_of(fmt.name)
    answer = item.answer if right else wrong_answer(item, persona.seed)
    instruction = fmt.instruction(item, asked["protocol"], prompting)
    times = max(1, prompt.count(instruction))
    if draw(persona.seed, "follow", *key) < persona.follow_of(fmt.name, times):
        with suppress(ValueError):  # the format can't hold it
            return fmt.render(answer, item, prompting)
    elif draw(persona.seed, "near miss", *key) >= persona.near_miss:
        return unless_following(nothing)
    return unless_following(_plainly(answer, item))


def wrong_answer(item: FormatItem, seed: int) -> Payload:
    """An answer that scores 0; of a binary list, that no candidate is relevant. A ValueError where
    the item has nothing to be scored by."""
    if item.answer_type == "binary_list":
        return (0,) * len(item.answer)
    wrong = (answer for answer in _others(item) if not task_score(answer, item, "corrected"))
    if item.options:
        return pick(((str(answer), answer) for answer in wrong), seed, "wrong", item.id)
    return next(wrong)


def _others(item: FormatItem) -> Iterable[Payload]:
    """Answers of the item's type: those that its options allow, else any number of them."""
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


def _plainly(answer: Payload, item: FormatItem) -> str:
    """The answer in a sentence; its comma keeps it from being a list of one line."""
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
