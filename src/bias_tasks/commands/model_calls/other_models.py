"""Says where a file holds what other models made: no figure tells their rows apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path


def other_models(out: Path, makers: Iterable[str], model: str | None) -> str | None:
    """What to tell of a file with rows by others than this run's model; None where there are none.

    Args:
        out: the file.
        makers: the model of each thing in it that a model made.
        model: this run's, None where there is none.
    """
    others = Counter(makers)
    if model is None:
        return None
    others.pop(model, None)
    if not others:
        return None
    told = ", ".join(f"{name} ({count:,})" for name, count in sorted(others.items()))
    return (
        f"{out} keeps what other models made: {told}. Each row says by whom it is; give another "
        "--out to keep them apart"
    )
