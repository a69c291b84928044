"""How a respondent with planted parameters answers a question in an output format.

In this order, and drawn from (seed and):

1. *accuracy* (item): the answer in mind is right or wrong, the same in every format;
   `accuracy_<format>` compares the same draw with another chance, which is a planted format bias.
   Wrong answers score 0, but a wrong binary list says that no candidate is relevant, which scores
   the share of those that are.
2. *abstention* (item, format): an answer that holds nothing.
3. *follow* (item, format): the answer in mind as the format has it. A repeated instruction is
   followed wherever it is when it stands there once.
4. *near_miss* (item, format): of an answer that does not follow, whether it holds the answer in
   mind in plain words all the same, or nothing.

What comes out under the corrected protocol, with F = (1 - abstention) * follow of the format,
A = accuracy in the format, and w the score of a wrong answer (0 but for binary lists):

| figure             | planted                                                            |
| ------------------ | ------------------------------------------------------------------ |
| fi                 | F                                                                  |
| sys                | F * (A + (1 - A) * w)                                              |
| est_true           | A + (1 - A) * w, whatever F and near_miss are                      |
| a reader's score   | (F + (1 - F) * near_miss) * (A + (1 - A) * w), without abstention  |
| bias_f_corrected   | 100^2 times the variance of est_true over formats; 0 with equal A  |
| fi, k instructions | (1 - abstention) * (1 - (1 - follow) * (1 - follow_gain)^(k - 1))  |

A right answer that a format can't hold (a phrase with a line break in it) is given in plain words,
so that it does not follow. Under the published protocol, any words at all follow `newline` and
`sep` where strings are listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count
from string import ascii_uppercase

from bias_tasks.output_format.formats import reading
from bias_tasks.output_format.items import FormatItem, Payload
from bias_tasks.output_format.scores import task_score
from bias_tasks.respondents.asked_format import AskedFormat, asked_format
from bias_tasks.respondents.draws import draw, pick
from bias_tasks.respondents.traits import Traits
from bias_tasks.respondents.wording import lead, refuse


def answer_in_format(traits: Traits, prompt: str, start: int, item: FormatItem) -> str:
    """The answer to a known item, in the format that the prompt asks for or not.

    Where it asks for none, the answer stands in plain words.

    Args:
        traits: the respondent's parameters.
        prompt: the whole prompt.
        start: where the item's input begins in it.
        item: the item.
    """
    asked = asked_format(prompt, start, item)
    if asked is None:
        return _plainly(_in_mind(traits, item, ""), item)
    name = _planted(traits, asked)
    answer = _in_mind(traits, item, name)
    key = (item.input, name)
    if draw(traits.seed, "abstain", *key) < traits.abstention:
        return _holding_nothing(traits, key, item, asked)
    if draw(traits.seed, "follow", *key) < traits.follow_of(name, asked.times):
        text = _following(traits, answer, item, asked)
        if text is not None:
            return text
    elif draw(traits.seed, "near miss", *key) >= traits.near_miss:
        return _holding_nothing(traits, key, item, asked)
    return _unless_following(_plainly(answer, item), item, asked)


def _planted(traits: Traits, asked: AskedFormat) -> str:
    """The format whose parameters count: of two asked for alike, the one that has any."""
    names = [fmt.name for fmt in asked.formats]
    own = [name for name in names if traits.has_own(name)]
    return (own or names)[0]


def _in_mind(traits: Traits, item: FormatItem, name: str) -> Payload:
    right = draw(traits.seed, "right", item.input) < traits.accuracy_of(name)
    return item.answer if right else wrong_answer(item, traits.seed)


def wrong_answer(item: FormatItem, seed: int) -> Payload:
    """An answer that scores 0; of a binary list, that no candidate is relevant.

    Raises:
        ValueError: the item has nothing to be scored by.
    """
    if item.answer_type == "binary_list":
        return (0,) * len(item.answer)
    wrong = (answer for answer in _others(item) if not task_score(answer, item, "corrected"))
    if item.options:
        return pick(((str(answer), answer) for answer in wrong), seed, "wrong", item.input)
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


def _following(traits: Traits, answer: Payload, item: FormatItem, asked: AskedFormat) -> str | None:
    """The answer in the format; None where the format can't hold it."""
    fmt = asked.formats[0]
    try:
        text = reading.render(fmt, answer, item, asked.prompting)
    except ValueError:
        return None
    before = lead(traits.verbosity)
    anywhere = fmt.category == "wrapping" or asked.prompting == "zs_cot"
    return f"{before}\n{text}" if before and anywhere else text


def _holding_nothing(
    traits: Traits, key: tuple[str, ...], item: FormatItem, asked: AskedFormat
) -> str:
    return _unless_following(refuse(draw(traits.seed, "refusal", *key)), item, asked)


def _unless_following(text: str, item: FormatItem, asked: AskedFormat) -> str:
    """The text, or none at all where it would follow the format by accident."""
    reads = reading.read(asked.formats[0], text, item, "corrected", asked.prompting)
    return "" if reads.follows else text


def _plainly(answer: Payload, item: FormatItem) -> str:
    """The answer in a sentence; its comma keeps it from being a list of one line."""
    if isinstance(answer, Mapping):
        parts = [f"{key} is {', '.join(values) or 'nothing'}" for key, values in answer.items()]
        words = "; ".join(parts)
    elif not isinstance(answer, str):
        words = ", ".join(map(str, answer))
    elif item.answer_type == "option_text" and item.options:
        words = item.options[ascii_uppercase.index(answer)]
    else:
        words = answer
    return f"Well, I would say {words}."
