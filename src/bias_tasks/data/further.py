"""Columns of a user's file that nobody asks about: kept for the log, and named to the user."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from bias_tasks.data.errors import shown
from bias_tasks.names import encodable

FACT = "columns"
"""Under which name a sample's facts hold them, so that they clash with nothing."""

_DEEPEST = 50
"""Lists and objects within each other."""
_SHOWN = 10
_SIMILAR = 0.75


@dataclass(slots=True)
class FurtherColumns:
    """Which columns beside the known ones the rows of a file have."""

    known: Collection[str]
    names: dict[str, None] = field(default_factory=dict)
    """Those found, in the order in which they were."""
    any_known: bool = False

    def split(self, cells: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """The cells of known columns, and those of further ones as every log can hold them.

        Raises:
            ValueError: a further one is nested too deeply for that.
        """
        ours = {column: value for column, value in cells.items() if column in self.known}
        further = {column: value for column, value in cells.items() if column not in self.known}
        self.names.update(dict.fromkeys(further))
        self.any_known = self.any_known or bool(ours)
        return ours, {encodable(column): _kept(column, cell) for column, cell in further.items()}

    def check_some_known(self, header: Collection[str]) -> None:
        """Refuses a file whose columns are all unknown, by its header or by its rows.

        Raises:
            ValueError: names them, and those that are known.
        """
        names = header or self.names
        if names and not self.any_known and not {*names} & {*self.known}:
            raise ValueError(
                f"none of its columns is known: found {_listed(names)}; known are "
                f"{', '.join(self.known)}"
            )

    def hint(self) -> str:
        """What to add to an error: a wrong name may be behind it."""
        return f" (beside columns that are not known: {self._named()})" if self.names else ""

    def told(self, left_out: Iterable[str], *, keeps: bool) -> str | None:
        """What to tell of them; None where there are none.

        Args:
            left_out: further columns that were not read.
            keeps: whether those that were are kept.
        """
        ignored = [*left_out, *(() if keeps else self.names)]
        kept = (
            f"columns that are not known are kept in the log of each sample, under "
            f"{FACT!r}: {self._named()}"
        )
        dropped = f"columns that are not known are left out: {_listed(ignored)}"
        parts = [kept] if keeps and self.names else []
        parts += [dropped] if ignored else []
        return "; ".join(parts) or None

    def _named(self) -> str:
        """Their names, each with a known one that it is like."""
        return _listed(self.names, self.known)


def noted(further: Mapping[str, Any]) -> dict[str, Any]:
    """The further columns as a part of a sample's facts, which is empty where there are none."""
    return {FACT: dict(further)} if further else {}


def plain(value: Any, levels: int = _DEEPEST) -> Any:
    """The value as JSON and every file can hold it: no lone surrogates, no infinite numbers.

    Raises:
        ValueError: it has more lists and objects within each other than `levels`.
    """
    if levels < 0:
        raise ValueError(f"it has more than {_DEEPEST} lists and objects within each other")
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, list):
        return [plain(part, levels - 1) for part in value]
    if isinstance(value, dict):
        return {encodable(key): plain(part, levels - 1) for key, part in value.items()}
    return value


def _kept(column: str, cell: Any) -> Any:
    try:
        return plain(cell)
    except ValueError as error:
        raise ValueError(f"column {shown(column)}: {error}") from error


def _listed(names: Collection[str], known: Collection[str] = ()) -> str:
    first = [_with_match(name, known) for name in list(names)[:_SHOWN]]
    more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
    return f"{', '.join(first)}{more}"


def _with_match(name: str, known: Collection[str]) -> str:
    alike = get_close_matches(name[:100], known, n=1, cutoff=_SIMILAR)
    return f"{shown(name)} (is it {alike[0]!r}?)" if alike else shown(name)
