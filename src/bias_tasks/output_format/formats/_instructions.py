"""Loads the sentences that ask for the formats."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def sentence(name: str) -> str:
    """The text of `instructions/<name>.txt`, without its last line break.

    Raises:
        FileNotFoundError: there is no such text.
    """
    path = files(__package__).joinpath("instructions", f"{name}.txt")
    return path.read_text(encoding="utf-8").removesuffix("\n")
