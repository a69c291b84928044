"""The page on which every coverage study has a section."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

BAND = (0.93, 0.97)
"""Where the share of 95 % intervals that cover the truth should lie."""


def write_section(path: Path, heading: str, section: str) -> None:
    """Replace a study's section of the page, or add it at the end."""
    page = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(with_section(page, heading, section), encoding="utf-8")


def with_section(page: str, heading: str, section: str) -> str:
    """The page with the section under `heading` replaced, or added at the end."""
    parts = [part.strip() for part in re.split(r"(?m)^(?=## )", page) if part.strip()]
    mine = [index for index, part in enumerate(parts) if part.startswith(heading)]
    if mine:
        parts[mine[0]] = section.strip()
    else:
        parts.append(section.strip())
    return "\n\n".join(parts) + "\n"


def cell(share: float | None) -> str:
    """A share in percent, bold outside the band; empty if there is none."""
    if share is None:
        return ""
    text = f"{100 * share:.1f}"
    return text if BAND[0] <= share <= BAND[1] else f"**{text}**"


def summary(shares: Sequence[float]) -> str:
    """How many of the shares lie in the band, and how far they leave it."""
    inside = sum(BAND[0] <= share <= BAND[1] for share in shares)
    under = sum(share < BAND[0] for share in shares)
    return (
        f"{inside} of {len(shares)} shares lie between 93 and 97 %, {under} below, "
        f"{len(shares) - inside - under} above; the lowest is {100 * min(shares):.1f}."
    )
