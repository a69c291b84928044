"""Why an answer does not follow a format."""

from bias_tasks.output_format.items import Payload


class FormatNotFollowedError(Exception):
    """An answer does not follow the format; the message says why.

    Attributes:
        payload: The value that published parsing finds all the same.
        encloses_other: Whether a wrapping encloses something other than one answer of the requested
            type.
    """

    def __init__(
        self, reason: str, *, payload: Payload | None = None, encloses_other: bool = False
    ) -> None:
        """Store the reason."""
        super().__init__(reason)
        self.payload, self.encloses_other = payload, encloses_other


def reject_if(condition: object, reason: str) -> None:
    """Raise a `FormatNotFollowedError` if an answer has what the format rules out.

    Args:
        condition: What the format rules out: a truth value, or the match of a pattern.
        reason: Why the answer then does not follow the format.
    """
    if condition:
        raise FormatNotFollowedError(reason)
