"""The calls of a run, their tokens and their price, counted from the real prompts.

Tokens are counted without a tokenizer: those of real models are downloads. Each kind of piece costs
what it does on average in OpenAI's `o200k_base`, fitted to the prompts of the tasks and to texts in
ten languages; docs/reference/plan.md says how near that comes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from bias_tasks.contract.family import Family, Plan

MESSAGE = 5
"""Tokens that a chat template adds to a message."""
_MILLION = 1_000_000
_WORD = re.compile(r"[A-Za-z]+")
_PIECES: tuple[tuple[re.Pattern[str], float], ...] = (
    (_WORD, 0.905),
    (re.compile(r"[0-9]{1,3}"), 1.81),
    (re.compile(r"[!-/:-@\[-`{-~]"), 0.64),
    (re.compile(r"\n+"), 1.65),
    (re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]"), 0.85),  # Chinese, Japanese, Korean
    (re.compile(r"[\u0400-\u052f]"), 0.31),  # Cyrillic
    (re.compile(r"[\u0080-\u03ff\u0530-\u2e7f\ua000-\uabff\ud7b0-\uf8ff\ufb00-\U0010ffff]"), 0.45),
)
_NAME, _IN_VOCABULARY = 0.264, 3
"""What each letter of a capitalised word costs behind so many: names are rarely a token."""


@dataclass(slots=True)
class Calls:
    """The calls of one model."""

    calls: int = 0
    tokens_in: float = 0.0
    tokens_out: float = 0.0


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a million tokens that a model is sent, and that it writes."""

    tokens_in: float
    tokens_out: float

    def of(self, calls: Calls) -> float:
        """What calls cost, in dollars, without discounts for cached prompts."""
        spent = calls.tokens_in * self.tokens_in + calls.tokens_out * self.tokens_out
        return spent / _MILLION


def work_of(
    family: Family, plan: Plan, *, answer_tokens: int, epochs: int = 1
) -> dict[str | None, Calls]:
    """The calls by model role, None for the model itself.

    Args:
        family: whose plan it is.
        plan: the questions.
        answer_tokens: how many tokens an answer of the model is taken to have.
        epochs: how often the whole plan is run.
    """
    quoted = "word " * answer_tokens
    found: dict[str | None, Calls] = {None: Calls()}
    for question in plan.questions:
        for request in family.requests(question, quoted):
            written = answer_tokens if request.answer is None else estimated(request.answer)
            own = found.setdefault(request.role, Calls())
            own.calls += epochs
            own.tokens_in += epochs * (estimated(request.prompt) + MESSAGE)
            own.tokens_out += epochs * written
    return found


def estimated(text: str) -> float:
    """About how many tokens a text has."""
    found = sum(cost * len(pattern.findall(text)) for pattern, cost in _PIECES)
    names = (word for word in _WORD.findall(text) if word[0].isupper())
    return found + _NAME * sum(max(0, len(word) - _IN_VOCABULARY) for word in names)


def price_of(
    model: str | None, given: tuple[float | None, float | None], config: Path | None
) -> Price | None:
    """The price of a model: the one given for a million tokens in, and out, or that in a file for
    the host's `--model-cost-config`; None where neither is given.

    Raises:
        ValueError: one price is given without the other, or the file has none that can be read.
    """
    tokens_in, tokens_out = given
    if (tokens_in is None) != (tokens_out is None):
        raise ValueError("--price-in and --price-out are given together")
    if tokens_in is not None and tokens_out is not None:
        return Price(tokens_in, tokens_out)
    if config is None:
        return None
    try:
        rows: Any = yaml.safe_load(config.read_text(encoding="utf-8"))
        return Price(float(rows[model]["input"]), float(rows[model]["output"]))
    except (OSError, yaml.YAMLError, UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{config}: has no price of {model}: expected `{model}: {{input: 1.0, output: 2.0}}`, "
            "in dollars for a million tokens"
        ) from error
