"""What tokens of a model cost, in dollars for a million."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from bias_tasks.planning.work import Calls

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a million tokens that a model is sent, and that it writes."""

    tokens_in: float
    tokens_out: float

    def of(self, calls: Calls) -> float:
        """What calls cost, in dollars, without discounts for cached prompts."""
        spent = calls.tokens_in * self.tokens_in + calls.tokens_out * self.tokens_out
        return spent / _MILLION


def price_of(
    model: str | None, given: tuple[float | None, float | None], config: Path | None
) -> Price | None:
    """The price of a model: the one given, or the host's; None where neither is known.

    The host has prices of models that are registered with them, as through a file for its
    `--model-cost-config`; a simulated model costs nothing.

    Args:
        model: as the host names it.
        given: of a million tokens in, and out.
        config: a file for the host's `--model-cost-config`.

    Raises:
        ValueError: one price is given without the other, or the file has none that can be read.
    """
    tokens_in, tokens_out = given
    if (tokens_in is None) != (tokens_out is None):
        raise ValueError("--price-in and --price-out are given together")
    if tokens_in is not None and tokens_out is not None:
        return Price(tokens_in, tokens_out)
    if model is None:
        return None
    if model.startswith("simulated/"):
        return Price(0.0, 0.0)
    if config is not None:
        return _of_file(model, config)
    from inspect_ai.model import get_model_info  # half a second of imports

    info = get_model_info(model)
    if info is None or info.cost is None:
        return None
    return Price(info.cost.input, info.cost.output)


def _of_file(model: str, config: Path) -> Price:
    """The price in a file as the host's `--model-cost-config` takes it, YAML or JSON."""
    try:
        rows: Any = yaml.safe_load(config.read_text(encoding="utf-8"))
        row = rows[model]
        return Price(float(row["input"]), float(row["output"]))
    except (OSError, yaml.YAMLError, UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{config}: has no price of {model}: expected `{model}: {{input: 1.0, output: 2.0}}`, "
            "in dollars for a million tokens"
        ) from error
