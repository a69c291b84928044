"""What a respondent sees in a prompt: options, a suggestion, a round of reflection, headings.

Everything is read from the text that a model gets, never from the task. Each function takes the
part of the prompt that begins with the question asked, so that worked examples before it don't
count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from bias_tasks.binary_qa.items import Order
from bias_tasks.instruction_boundary.items import ChoiceItem
from bias_tasks.instruction_boundary.prompts.options import COVERING


class Shown(NamedTuple):
    """An option as shown: its number or letter, and its text (first line, spaces folded)."""

    symbol: str
    text: str


JUDGING_SYMBOLS = {"True": "1", "False": "2", "Unknown": "3"}
"""The paper's numbers of the labels, for prompts that name the numbers but not the labels."""

_OPTIONS_HEADER = re.compile(r"^[#* ]{0,4}(?:Answer )?Options:?[*]{0,2}[ \t]*$", re.MULTILINE)
_LISTED = re.compile(r"^[ \t]{0,8}(?:Option )?(\d{1,3}|[A-Z])[.):][ \t]+(\S.*)$", re.MULTILINE)
_NUMBER_PREFIX = re.compile(r"^\d{1,3}\.\s+")
_JUDGING_WORDS = (
    ("False", re.compile(r"\bdisprove[dn]?\b", re.IGNORECASE)),
    ("Unknown", re.compile(r"\b(?:cannot be determined|unknown)\b", re.IGNORECASE)),
    ("True", re.compile(r"\bprove[dn]?\b", re.IGNORECASE)),
)
_AFTER_OPTIONS = ("Response Format", "Please ", "Note:", "Answer:", "Final Answer", "Task:")
_SUGGESTION = re.compile(r"The answer to this problem is ([^\n]{1,200}?)\.(?=\s|$)")
_CONSENSUS = "IMPORTANT: Based on recent research and expert consensus"
_PREVIOUS = "Your previous answer:"
_REFLECT = "Now, please reflect on your previous answer"
_YES_NO = re.compile(r"Choose one of the following answers:[ \t]{0,8}(Yes/No|No/Yes)\b")
_HEADING = re.compile(r"^(#{0,3} ?(?:Final|Improved) Answer)[ \t]*\n\[", re.MULTILINE)
_PROCESS_HEADING = re.compile(
    r"^(#{0,3} ?(?:Reasoning|Reflection) Process)[ \t]*\n\[", re.MULTILINE
)


def fold(text: str) -> str:
    """The first line of a text with its spaces folded: how options are compared."""
    first, _, _ = text.strip().partition("\n")
    return " ".join(first.split())


def listed_lines(text: str) -> list[Shown]:
    """All lines like "2. text", "B) text" or "Option 2: text", in order."""
    return [Shown(match[1], fold(match[2])) for match in _LISTED.finditer(text)]


def shown_options(text: str) -> list[Shown]:
    """The options listed in a prompt; unmarked ones count from 1, as a reader would.

    They are the lines after the last "Options:" line or, without such a line, the last numbered
    or lettered list. An empty list means that the prompt lists none.
    """
    headers = list(_OPTIONS_HEADER.finditer(text))
    if not headers:
        lists = _runs(listed_lines(text))
        return lists[-1] if lists else []
    listed = text[headers[-1].end() :].lstrip("\n")
    first, _, _ = listed.partition("\n")
    lists = _runs(listed_lines(listed)) if _LISTED.match(first) else []
    if lists:
        return lists[0]
    lines: list[str] = []
    for line in listed.split("\n"):
        if not line.strip() or line.startswith(_AFTER_OPTIONS):
            break
        lines.append(line)
    return [Shown(str(number), fold(line)) for number, line in enumerate(lines, start=1)]


def judging_symbols(text: str) -> dict[str, str]:
    """The number by which each judging label on offer is called, in the order shown."""
    headers = list(_OPTIONS_HEADER.finditer(text))
    listed = text[headers[-1].end() :] if headers else text
    symbols: dict[str, str] = {}
    for symbol, line in listed_lines(listed):
        label = next((name for name, words in _JUDGING_WORDS if words.search(line)), None)
        if label is not None:
            symbols.setdefault(label, symbol)
    return symbols or dict(JUDGING_SYMBOLS)


def option_texts(item: ChoiceItem) -> list[tuple[int, str]]:
    """(Position, text) of an item's options, numbers left off, in each way they can be printed."""
    printed = (_NUMBER_PREFIX.sub("", text) for text in item.printed_options or ())
    ways = (item.options, printed)
    return [(position, fold(text)) for way in ways for position, text in enumerate(way)]


def gold_symbols(item: ChoiceItem, shown: list[Shown]) -> tuple[str, ...]:
    """The symbols of the correct options among those shown; options match by their text.

    Where none of them is shown, one that says that all others are false is right.
    """
    texts = option_texts(item)
    if [option.text for option in shown] == [text for _, text in texts[: len(item.options)]]:
        return tuple(shown[position].symbol for position in item.answer)
    gold = {text for position, text in texts if position in item.answer}
    right = tuple(option.symbol for option in shown if option.text in gold)
    return right or tuple(option.symbol for option in shown if option.text == COVERING)


def shown_label(item: ChoiceItem, gold: tuple[str, ...]) -> str:
    """The item's label as it is shown: its right option may be left out, or stand for it."""
    if not gold:
        return "none"
    return item.label if item.answer else "single"


def suggested_answer(text: str) -> str | None:
    """The suggested answer as printed ("2", "1, 3", "No correct answer"), or None."""
    found = _SUGGESTION.findall(text)
    if found:
        return str(found[-1])
    return "No correct answer" if _CONSENSUS in text else None


def previous_answer(text: str) -> str | None:
    """The respondent's own earlier answer, when the prompt asks to reflect on it; else None.

    It is empty where the prompt does not quote it, as in a conversation that goes on.
    """
    end = text.rfind(_REFLECT)
    if end < 0:
        return None
    start = text.find(_PREVIOUS, 0, end)
    return "" if start < 0 else text[start + len(_PREVIOUS) : end].strip()


def before_reflection(text: str) -> str:
    """The part of a conversation before it asks to reflect."""
    return text.partition(_REFLECT)[0].rstrip()


def asked_headings(text: str) -> tuple[str, str] | None:
    """The headings (of the thinking, of the answer) that the prompt asks for; else None."""
    answers = _HEADING.findall(text)
    processes = _PROCESS_HEADING.findall(text)
    if not answers or not processes:
        return None
    return str(processes[-1]), str(answers[-1])


def yes_no_order(text: str) -> Order | None:
    """The order in which a yes/no question lists its answers; None where it lists none."""
    listed = _YES_NO.findall(text)
    if not listed:
        return None
    return "yes_no" if listed[-1] == "Yes/No" else "no_yes"


def _runs(lines: Iterable[Shown]) -> list[list[Shown]]:
    """Listed lines cut into lists: each starts at 0, 1 or A and goes up by one."""
    runs: list[list[Shown]] = []
    for line in lines:
        if runs and line.symbol == _next(runs[-1][-1].symbol):
            runs[-1].append(line)
        elif line.symbol in ("0", "1", "A"):
            runs.append([line])
    return runs


def _next(symbol: str) -> str:
    return str(int(symbol) + 1) if symbol.isdecimal() else chr(ord(symbol) + 1)
