"""Scorers under the names that logs give them.

The host logs a scorer's name without its package, and `inspect score LOG` looks it up by that name
alone: a package's own scorer is not found there, unless it is known by that name, too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from inspect_ai._util.registry import (
    RegistryInfo,  # inspect-evals-lint: ignore[IECQ001] -- no public name
    registry_add,
    registry_info,
    registry_unqualified_name,
)
from inspect_ai.scorer import Scorer


def known_as_logged(factory: Callable[..., Scorer]) -> None:
    """Have a registered scorer found by the name that stands in logs."""

    @wraps(factory)
    def made(*values: Any, **named: Any) -> Scorer:
        return factory(*values, **named)

    info = registry_info(factory)
    name = registry_unqualified_name(factory)
    registry_add(made, RegistryInfo(type="scorer", name=name, metadata=info.metadata))
