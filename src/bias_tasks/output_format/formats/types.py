"""What a format is (FormatEval, sections 3.1 and 3.3, appendices A and E)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bias_tasks.output_format.items import AnswerType, Category, FormatItem, Payload, Prompting
from bias_tasks.protocols import PaperProtocol

MAX_READ = 1_000_000
"""Characters: a longer answer follows no format, and nothing is taken out of it."""


@dataclass(frozen=True, slots=True)
class FormatReading:
    """What was found in one answer."""

    follows: bool
    """The answer follows the format (paper, eq. 1)."""
    payload: Payload | None
    """What it holds, in the form of the item's gold: the letter of an option, for one that was
    answered by its text. Corrected: None exactly where the answer does not follow the format.
    Published: something may be taken out of an answer that does not."""
    detail: str
    """Why it does not follow; empty where it does."""


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

    def holds(self, item: FormatItem) -> bool:
        """Whether this item's answer can be given in the format."""
        ...

    def instruction(
        self,
        item: FormatItem,
        *,
        protocol: PaperProtocol = "corrected",
        prompting: Prompting = "zs",
    ) -> str:
        """The sentence that asks for the format (appendix E).

        What else a prompt says ("without any explanation", the wrapping of a final answer behind
        a chain of thought) is left to whoever composes it.
        """
        ...

    def read(self, text: str, item: FormatItem, protocol: PaperProtocol) -> FormatReading:
        """Whether an answer follows the format, and what it holds, in time linear in `text`.

        Never raises, whatever the answer.
        """
        ...

    def follows(self, text: str, item: FormatItem, protocol: PaperProtocol) -> bool:
        """`read(...).follows`."""
        ...

    def extract(self, text: str, item: FormatItem, protocol: PaperProtocol) -> Payload | None:
        """`read(...).payload`."""
        ...

    def render(self, payload: Payload, item: FormatItem) -> str:
        """An answer in the format that holds `payload`, such as a demonstration's.

        Raises:
            ValueError: the format can't hold it: reading it back would give something else.
        """
        ...
