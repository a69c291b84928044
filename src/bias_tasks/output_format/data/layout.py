"""How a question's own text is laid out where the data set leaves that to us."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import ascii_uppercase

from bias_tasks.names import PaperProtocol

LETTERS = ascii_uppercase


def with_options(question: str, options: Sequence[str]) -> str:
    """A question with its lettered options, as FormatEval's own file prints them."""
    choices = " | ".join(f"{LETTERS[i]}. {option}" for i, option in enumerate(options))
    return f"Question: {question}\nAnswer choices: {choices}"


def with_candidates(topic: str, candidates: Iterable[str], protocol: PaperProtocol) -> str:
    """A topic and its candidates (appendix E.3, Information).

    Corrected numbers them, one a line: a list that is printed in one of the formats asked for would
    favour it. Published prints a Python list; the appendix does not say how the list is printed.
    """
    if protocol == "published":
        return f"Topic: {topic}\nList of documents: {list(candidates)!r}"
    numbered = "\n".join(f"{i}. {candidate}" for i, candidate in enumerate(candidates, start=1))
    return f"Topic: {topic}\nList of documents:\n{numbered}"
