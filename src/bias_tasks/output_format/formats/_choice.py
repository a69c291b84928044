"""What the multiple-choice formats share."""

from __future__ import annotations

from typing import ClassVar

from bias_tasks.output_format.formats.types import Format, sentence
from bias_tasks.output_format.items import Category, FormatItem, Prompting
from bias_tasks.protocols import PaperProtocol


class Choice(Format):
    """A format in which the whole answer is the choice.

    Both protocols read it alike: no published output of the paper says otherwise.
    """

    category: ClassVar[Category] = "mcq"

    def wording(self, item: FormatItem, protocol: PaperProtocol, prompting: Prompting) -> str:
        """The sentence of appendix E.1, which says itself whether to go step by step."""
        return sentence(self.name if prompting == "zs" else f"{self.name}_cot")
