"""A yes/no question with what is known about where its rewordings come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from bias_tasks.binary_qa.items import BinaryItem, Reformulation

Maker = Literal["given", "grammar", "model", "construction"]
"""Who made a rewording: a person, the grammar, a model, or the generator with the question."""
Origins = Mapping[str, Mapping[str, Any]]
"""By rewording, plain JSON values: `by` (given, grammar, model, construction or refused) and
`output`; where a model was asked also `model`, `prompt`, `attempts`, and `reason` where its
rewording was refused. `question` stands beside the rewordings where a model turned the question
yes/no, with `turned_from`, what it was before."""


@dataclass(frozen=True, slots=True)
class QuestionRecord:
    """An item as it stands in a file that `bias-tasks reformulate` wrote, or a person."""

    item: BinaryItem
    provenance: Origins = field(default_factory=dict)

    def maker(self, kind: Reformulation) -> Maker | None:
        """Who made the rewording, None where there is none.

        One that is not, or no longer, what its provenance says was given by a person.
        """
        text = getattr(self.item.reformulations, kind)
        if text is None:
            return None
        origin = self.provenance.get(kind, {})
        if origin.get("by") in (None, "refused") or origin.get("output") != text:
            return "given"
        maker: Maker = origin["by"]
        return maker

    def reworded(self, kind: Reformulation, text: str, origin: Mapping[str, Any]) -> QuestionRecord:
        """The record with one more rewording, made as `origin` says."""
        reformulations = replace(self.item.reformulations, **{kind: text})
        return QuestionRecord(
            replace(self.item, reformulations=reformulations),
            {**self.provenance, kind: {"by": origin["by"], "output": text, **origin}},
        )

    def refused(self, kind: Reformulation, origin: Mapping[str, Any]) -> QuestionRecord:
        """The record with the reason why it still lacks a rewording."""
        return QuestionRecord(self.item, {**self.provenance, kind: origin})


def record_to_dict(record: QuestionRecord) -> dict[str, Any]:
    """The record as a row of a JSONL file, without what is not there."""
    row = asdict(record.item)
    further: dict[str, Any] = row.pop("further")
    row["reformulations"] = _there(row["reformulations"])
    return _there(row) | further | {"provenance": dict(record.provenance)}


def _there(cells: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in cells.items() if value is not None}
