"""What a converter makes of a record: a question that may be asked, and where it counts."""

from __future__ import annotations

from dataclasses import dataclass

from bias_tasks.binary_qa.items import BinaryItem, BinaryLabel
from bias_tasks.binary_qa.reformulation.numeric import NumberStyle
from bias_tasks.names import content_hash


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingNumberQuestion(BinaryItem):
    """A 'How many' question (`question`, as its data set asks it) that a model has to turn yes/no.

    `answer` is what the yes/no question is to be answered with. It must never be asked as it is.
    """

    value: int | float
    """The right number."""
    style: NumberStyle


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question that may be asked."""

    item: BinaryItem
    stratum: str = ""
    """Level or style, where the recipe asks for so many of each."""
    record: str = ""
    """The data set's own question, where the item's was made from it."""

    @property
    def asks(self) -> tuple[str | None, str]:
        """What the data set asks: two candidates with the same have to agree on the answer."""
        return self.item.context, self.record or self.item.question


def binary_item(
    source: str,
    domain: str,
    question: str,
    answer: BinaryLabel,
    context: str | None,
    shared: str | None = None,
) -> BinaryItem:
    """An item whose id hashes all that it consists of.

    Args:
        shared: the text that questions of one cluster share (a passage); without it the item is
            a cluster of its own.
    """
    identifier = f"{source}-{content_hash(question, context, answer)}"
    return BinaryItem(
        id=identifier,
        question=question,
        answer=answer,
        domain=domain,
        source=source,
        cluster=identifier if shared is None else f"{source}-{content_hash(shared)}",
        context=context,
    )


def as_question(text: str) -> str:
    """The text with a capital letter in front and a question mark at the end."""
    bare = " ".join(text.split()).rstrip(" ?")
    return f"{bare[:1].upper()}{bare[1:]}?"
