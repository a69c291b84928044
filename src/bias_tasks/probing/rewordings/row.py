"""A row of a file of rewordings: one item, reworded or translated, and what speaks against it."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, Field

from bias_tasks.data.columns import Strict, Text
from bias_tasks.names import digest, is_encodable
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.rewordings.checks import (
    PASSED,
    check_rewording,
    check_translation,
    first_refusal,
)

Kind = Literal["paraphrase", "language"]
KINDS: tuple[Kind, ...] = get_args(Kind)
By = Literal["grammar", "model", "nobody"]
ENGLISH = "English"


def _encodable(text: str) -> str:
    if not is_encodable(text):
        raise ValueError("expected a text without half of a surrogate pair")
    return text


class Row(Strict):
    """One item under one kind, as the file has it; empty cells are as good as none."""

    task: Text | None = None
    item: Text
    kind: Kind
    digest: Text
    """Of the item: `item_digest`."""
    original: Annotated[str, AfterValidator(_encodable)] = ""
    reworded: Text | None = None
    approved: bool | None = None
    """What a reviewer says; None where nobody said anything."""
    language: Text | None = None
    """Into which it was translated; None of other rewordings."""
    original_language: Text = ENGLISH
    back_translation: str | None = None
    checks: dict[str, str] = Field(default_factory=dict)
    """By name: `passed`, or why it does not; checks that were not made are not named."""
    by: By | None = None
    model: str | None = None
    attempts: int | None = None
    made: str | None = None
    """Digest of `reworded` as it was made: another text was edited by hand."""

    @property
    def edited(self) -> bool:
        """Whether a person wrote the text, or another than was made."""
        return self.reworded is not None and self.made != digest(self.reworded)

    def refusal(self, item: ProbedItem) -> str | None:
        """Why the item can't be asked so, in words that many items share; None where it can."""
        if self.approved is False:
            return "its reviewer did not approve it"
        if self.reworded is None:
            found = first_refusal(self.checks)
            return f"no {_CALLED[self.kind]} of it was made" + (f" ({found[0]})" if found else "")
        if self.approved:
            return None
        found = first_refusal(self.speaking(item))
        edited = ", as it was edited," if self.edited else ""
        return None if found is None else f"its {_CALLED[self.kind]}{edited} fails {found[0]!r}"

    def speaking(self, item: ProbedItem) -> dict[str, str]:
        """The checks of the text as it stands: those noted, or of an edited one those made now."""
        if self.reworded is None or not (self.edited or not self.checks):
            return self.checks
        check = check_rewording if self.kind == "paraphrase" else check_translation
        return check(item, self.reworded)


_CALLED = {"paraphrase": "rewording", "language": "translation"}


def item_digest(item: ProbedItem) -> str:
    """By which an item is known in a file: its text, and its choices in any order.

    Choices count since a rewording was checked against them.
    """
    return digest(item.text, sorted(item.choices))


def passed(checks: dict[str, str]) -> bool:
    """Whether no check refuses."""
    return all(told == PASSED for told in checks.values())
