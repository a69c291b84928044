"""What a format is (FormatEval, sections 3.1 and 3.3, appendices A and E)."""

from __future__ import annotations

from typing import Protocol

from bias_tasks.items.common import Protocol as EvalProtocol
from bias_tasks.items.output_format import AnswerType, Category, FormatItem, Payload


class Format(Protocol):
    """One output format. Instances are stateless, and know no host and no model."""

    @property
    def name(self) -> str:
        """Unique among all formats, such as `bolding`."""
        ...

    @property
    def category(self) -> Category:
        """The family of formats that it is compared with."""
        ...

    @property
    def answer_types(self) -> frozenset[AnswerType]:
        """The answers that it can hold."""
        ...

    def instruction(self, item: FormatItem) -> str:
        """The sentence that asks for the format."""
        ...

    def follows(self, text: str, item: FormatItem, protocol: EvalProtocol) -> bool:
        """Whether an answer follows the format (paper, eq. 1), in time linear in `text`."""
        ...

    def extract(self, text: str, item: FormatItem, protocol: EvalProtocol) -> Payload | None:
        """What the answer holds, or None where nothing can be taken out of it.

        Corrected: None exactly where the answer does not follow the format. Published: something
        may be taken out of an answer that does not.
        """
        ...
