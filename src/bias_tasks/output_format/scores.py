"""Task scores of the values of answers (FormatEval, section 4: the metrics of the tasks)."""

import re
import string
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from bias_tasks.output_format.formats import ParsedFormat
from bias_tasks.output_format.formats.lists import UNNUMBERED, between_periods
from bias_tasks.output_format.items import FormatItem, Payload, Scoring, fold_text
from bias_tasks.output_format.scoring_data import FormatData
from bias_tasks.parsing.numbers import parse_number
from bias_tasks.protocols import PaperProtocol


def score_parsed(data: FormatData, parsed: ParsedFormat) -> float:
    """Score a parsed answer from 0 to 1, 0 if it has no value.

    Corrected, an answer that does not follow its format has none. Published, no value of a wrapped
    answer is an empty text.

    Args:
        data: The scoring data of the question.
        parsed: What the parser found in the answer.
    """
    payload, published = parsed.payload, data.protocol == "published"
    if published and payload is None and data.output_format.category == "wrapping":
        payload = ""
    if payload is None or not (parsed.follows or published):
        return 0.0
    unnumbered = published and data.prompting == "zs" and data.format in UNNUMBERED
    fold = between_periods if unnumbered else str
    return score_payload(payload, data.to_item(), data.protocol, data.score, fold)


def score_payload(
    payload: Payload,
    item: FormatItem,
    protocol: PaperProtocol,
    scoring: Scoring = "exact",
    fold: Callable[[str], str] = str,
) -> float:
    """Score the value of an answer, from 0 to 1.

    Published scores repeat the public code: token F1 (also of numbers), its average precision, a
    letter without blanks, and string comparison that is exact in lists and ignores case in
    mappings. Corrected, a number is correct if it has gold's value, and all comparisons ignore case
    and blanks, which depend on the format: bullet points often begin with a capital.

    Args:
        payload: The value.
        item: The item of the question.
        protocol: `corrected` or `published`.
        scoring: How numbers are scored under `corrected`; `paper` for token F1.
        fold: Published, texts of a list are equal if this function returns the same for them.

    Raises:
        ValueError: The payload is of another type than gold, or gold cannot be scored: it has no
            key, no number, no relevant candidate, or another number of candidates.
    """
    published = protocol == "published"
    value: Any = payload  # of the type that the case requires
    gold: Any = item.answer
    match item.answer_type, payload:
        case "option_letter", str() if published:
            return float(value.upper() == gold)
        case "option_letter" | "option_text", str():
            return float(fold_text(value) == fold_text(gold))
        case "option_set", tuple():
            return float(set(value) == set(gold))
        case "number", str() if published or scoring == "paper":
            return token_f1(value, gold, "published")
        case "number", str() if (number := parse_number(gold)) is not None:
            return float(parse_number(value) == number)
        case "text", str():
            return token_f1(value, gold, protocol)
        case "binary_list", tuple():
            if published:
                return published_average_precision(value)
            return average_precision(value, gold)
        case "string_list", tuple():
            return set_f1(value, gold, fold if published else fold_text)
        case "mapping", Mapping() if gold:
            fold_name = str.lower if published else fold_text
            scores = [set_f1(value.get(key, ()), gold[key], fold_name) for key in gold]
            return sum(scores) / len(gold)
    raise ValueError(
        f"item {item.id!r}: a {type(payload).__name__} cannot be scored as an answer of type "
        f"{item.answer_type} against {gold!r}"
    )


def token_f1(answer: str, gold: str, protocol: PaperProtocol) -> float:
    """Return the F1 of the normalized tokens, as in SQuAD (Rajpurkar et al. 2016).

    Corrected: if gold has no token after normalization ("A"), the texts are compared as a whole,
    ignoring case and blanks. Published: a token that is repeated in both texts counts once in the
    overlap, but every time in the lengths.

    Args:
        answer: The answer's text.
        gold: The correct answer.
        protocol: `corrected` or `published`.

    Returns:
        The F1 from 0 to 1.
    """
    published = protocol == "published"
    tokenize = squad_tokens if published else answer_tokens
    answer_counts, gold_counts = Counter(tokenize(answer)), Counter(tokenize(gold))
    if not published and not gold_counts:
        return float(fold_text(answer) == fold_text(gold))
    if published:
        overlap = len(answer_counts.keys() & gold_counts)
    else:
        overlap = (answer_counts & gold_counts).total()
    return _f1(overlap, answer_counts.total(), gold_counts.total())


def squad_tokens(text: str) -> list[str]:
    """Return the words in lower case, without punctuation and English articles."""
    return _ARTICLE.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split()


def answer_tokens(text: str) -> list[str]:
    """Return the same, but each number as its value; SQuAD makes 15 of `1.5`, `-15` and `1/5`."""
    words = (_number_or_word(token) for token in text.lower().split())
    return _ARTICLE.sub(" ", " ".join(words)).split()


def _number_or_word(token: str) -> str:
    bare = token.lstrip(_BEFORE_NUMBER).rstrip(_AFTER_NUMBER)
    number = parse_number(bare) if _ONLY_NUMBER.fullmatch(bare) else None
    return _PUNCTUATION.sub("", token) if number is None else str(number)


def average_precision(picks: Sequence[int], gold: Sequence[int]) -> float:
    """Return the average precision of a ranking with the picked candidates first and ties else.

    It equals scikit-learn's `average_precision_score(gold, picks)`.

    Args:
        picks: 1 for each candidate that the answer picks, 0 for the others.
        gold: 1 for each relevant candidate, 0 for the others.

    Raises:
        ValueError: The lengths differ, or no candidate is relevant.
    """
    if len(picks) != len(gold):
        raise ValueError(f"{len(picks)} picks for {len(gold)} candidates: expected one for each")
    n_relevant = sum(gold)
    if not n_relevant:
        raise ValueError("no candidate is relevant: average precision needs at least one")
    hits = sum(pick and relevant for pick, relevant in zip(picks, gold, strict=True))
    recall, precision = hits / n_relevant, hits / max(sum(picks), 1)
    return recall * precision + (1 - recall) * n_relevant / len(gold)


def published_average_precision(picks: Sequence[int]) -> float:
    """Return the paper's average precision, which ignores gold: each 1 counts as relevant."""
    ranks = [rank for rank, pick in enumerate(picks, 1) if pick == 1]
    precisions = (hits / rank for hits, rank in enumerate(ranks, 1))
    return sum(precisions) / len(ranks) if ranks else 0.0


def set_f1(
    answer: Collection[str], gold: Collection[str], fold: Callable[[str], str] = str
) -> float:
    """Return the F1 of two sets of texts, 1 if both are empty.

    Args:
        answer: The texts of the answer.
        gold: The correct texts.
        fold: Texts are equal if this function returns the same for them.
    """
    answer_set, gold_set = ({fold(text) for text in texts} for texts in (answer, gold))
    return _f1(len(answer_set & gold_set), len(answer_set), len(gold_set))


def _f1(overlap: int, n_answer: int, n_gold: int) -> float:
    if not (n_answer and n_gold):
        return float(n_answer == n_gold)
    return 2 * overlap / (n_answer + n_gold)


_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_BEFORE_NUMBER = "([{\"'“‘*_`~"
_AFTER_NUMBER = ")]}\"'”’*_`~.,;:!?"
_ONLY_NUMBER = re.compile(r"[-+\u2212]?[$€£¥]?[-+\u2212]?[\d.,]{1,60}%?")
_PUNCTUATION = re.compile(
    r"(?<!\d)(?!(?<!\S)-\d){0}|{0}(?!\d)".format(f"[{re.escape(string.punctuation)}]")
)
"""Punctuation, except between two digits and for the sign of a number."""
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
