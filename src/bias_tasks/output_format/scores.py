"""How good an extracted answer is (FormatEval, section 4: the metrics of the tasks)."""

import re
import string
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.items import FormatItem, Payload, Score, folded
from bias_tasks.output_format.numbers import number_of


def task_score(
    payload: Payload, item: FormatItem, protocol: PaperProtocol, score: Score = "exact"
) -> float:
    """The score of what was extracted from an answer to the item, from 0 to 1. A ValueError where
    the payload is of another type, or gold has nothing to score it by: no keys, no number, no
    relevant candidate, not one entry for each candidate.

    "published" repeats the paper's token F1 (for numbers too) and average precision, and compares
    strings exactly in lists, and without case in mappings. Corrected, a number is right if it is
    gold's value (`score="paper"`: token F1 there too), and no comparison minds case or space:
    formats differ in both (bullets are often capitalised).
    """
    published = protocol == "published"
    found: Any = payload  # of the type that its case asks for
    gold: Any = item.answer
    match item.answer_type, payload:
        case "option_letter" | "option_text", str():
            return float(folded(found) == folded(gold))
        case "number", str() if published or score == "paper":
            return token_f1(found, gold, "published")
        case "number", str() if (number := number_of(gold)) is not None:
            return float(number_of(found) == number)
        case "text", str():
            return token_f1(found, gold, protocol)
        case "binary_list", tuple():
            if published:
                return published_average_precision(found)
            return average_precision(found, gold)
        case "string_list", tuple():
            return set_f1(found, gold, str if published else folded)
        case "mapping", Mapping() if gold:
            fold = str.lower if published else folded
            return sum(set_f1(found.get(key, ()), gold[key], fold) for key in gold) / len(gold)
    raise ValueError(
        f"item {item.id!r}: a {type(payload).__name__} can't be scored as an answer of type "
        f"{item.answer_type} against {gold!r}"
    )


def token_f1(answer: str, gold: str, protocol: PaperProtocol) -> float:
    """F1 of the normalised tokens, as SQuAD has it (Rajpurkar et al. 2016).

    Corrected: where nothing is left of gold ("A"), the answer has to be the same but for case and
    space. Published: a token that is repeated in both counts once in the overlap, but every time in
    the lengths.
    """
    published = protocol == "published"
    tokens = squad_tokens if published else answer_tokens
    found, wanted = Counter(tokens(answer)), Counter(tokens(gold))
    if not published and not wanted:
        return float(folded(answer) == folded(gold))
    overlap = len(found.keys() & wanted) if published else (found & wanted).total()
    return _f1(overlap, found.total(), wanted.total())


def squad_tokens(text: str) -> list[str]:
    """The words in lower case, without punctuation and English articles."""
    return _ARTICLE.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split()


def answer_tokens(text: str) -> list[str]:
    """The same, but each number is its value; SQuAD makes 15 of `1.5`, of `-15` and of `1/5`."""
    words = (_number_or_word(token) for token in text.lower().split())
    return _ARTICLE.sub(" ", " ".join(words)).split()


def _number_or_word(token: str) -> str:
    bare = token.lstrip(_BEFORE_NUMBER).rstrip(_BEHIND_NUMBER)
    number = number_of(bare) if _ONLY_A_NUMBER.fullmatch(bare) else None
    return _PUNCTUATION.sub("", token) if number is None else str(number)


def average_precision(picks: Sequence[int], gold: Sequence[int]) -> float:
    """Average precision of the ranking that puts the picked candidates first, all else tied, as
    scikit-learn's `average_precision_score(gold, picks)`, each 0 or 1 for a candidate. A ValueError
    where their lengths differ, or no candidate is relevant."""
    if len(picks) != len(gold):
        raise ValueError(f"{len(picks)} picks for {len(gold)} candidates: give 0 or 1 for each")
    relevant = sum(gold)
    if not relevant:
        raise ValueError("no candidate is relevant: average precision needs at least one")
    hits = sum(pick and good for pick, good in zip(picks, gold, strict=True))
    recall, precision = hits / relevant, hits / max(sum(picks), 1)
    return recall * precision + (1 - recall) * relevant / len(gold)


def published_average_precision(picks: Sequence[int]) -> float:
    """Average precision of a list of 0 and 1 as if every 1 in it were a relevant candidate: gold is
    never looked at."""
    ranks = [rank for rank, pick in enumerate(picks, 1) if pick == 1]
    precisions = (hits / rank for hits, rank in enumerate(ranks, 1))
    return sum(precisions) / len(ranks) if ranks else 0.0


def set_f1(
    found: Collection[str], wanted: Collection[str], fold: Callable[[str], str] = str
) -> float:
    """F1 of two sets of strings, equal where `fold` makes them so; two empty sets are alike."""
    first, second = ({fold(text) for text in each} for each in (found, wanted))
    return _f1(len(first & second), len(first), len(second))


def _f1(overlap: int, found: int, wanted: int) -> float:
    if not (found and wanted):
        return float(found == wanted)
    return 2 * overlap / (found + wanted)


_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_BEFORE_NUMBER = "([{\"'“‘*_`~"
_BEHIND_NUMBER = ")]}\"'”’*_`~.,;:!?"
_ONLY_A_NUMBER = re.compile(r"[-+\u2212]?[$€£¥]?[-+\u2212]?[\d.,]{1,60}%?")
_PUNCTUATION = re.compile(
    r"(?<!\d)(?!(?<!\S)-\d){0}|{0}(?!\d)".format(f"[{re.escape(string.punctuation)}]")
)
"""Punctuation that does not stand between two digits, nor as a sign at the head of a number."""
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
