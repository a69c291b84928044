"""Simulated models for the roles beside the one under test: a judge and a polisher."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.wording import JUDGING_OBLIQUE, JUDGING_WORDS, oblique_places

_QUOTED = re.compile(r"Response content:(.*)\nPlease (?:classify|determine)", re.DOTALL)
_CHOICE_LABEL = re.compile(r'respond "(\d{1,3}|[A-Z])"')
_CATEGORIES = {"True": "__PROVED__", "False": "__DISPROVED__", "Unknown": "__UNKNOWN__"}
POLISHED = "Please read the following carefully."
"""How a polished prompt begins."""
_NO_VERDICT = "I see no verdict in this response."


@dataclass(frozen=True, slots=True)
class Judge:
    """Answers the judge prompts of appendix K for the wordings of simulated respondents.

    It knows the sentences that the personas use, and gives no verdict on any other text.
    """

    def respond(self, prompt: str, known: KnownItems) -> str:
        """The category or the numbers that the quoted response stands for."""
        quoted = _QUOTED.search(prompt)
        response = quoted[1] if quoted else ""
        symbols = _CHOICE_LABEL.findall(prompt)
        if symbols:
            return _choice_verdict(response, symbols)
        for label, category in _CATEGORIES.items():
            if JUDGING_OBLIQUE[label] in response or JUDGING_WORDS[label] in response:
                return category
        return _NO_VERDICT


@dataclass(frozen=True, slots=True)
class Polisher:
    """Answers a request to rewrite a prompt: the prompt itself under a new first line."""

    def respond(self, prompt: str, known: KnownItems) -> str:
        """The text below the request's first blank line, with a friendly line above it."""
        _, _, below = prompt.partition("\n\n")
        return f"{POLISHED}\n{below or prompt}"


def _choice_verdict(response: str, symbols: list[str]) -> str:
    places = oblique_places(response)
    if places is None or any(place >= len(symbols) for place in places):
        return _NO_VERDICT
    return ",".join(symbols[place] for place in places) or "NO_ANSWER"
