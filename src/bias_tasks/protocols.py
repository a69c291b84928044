"""Values that the parameters `data` and `protocol` share over all families."""

from collections.abc import Sequence
from typing import Literal

CORE, PAPER, SYNTHETIC = "core", "paper", "synthetic"
"""Values of the parameter `data`, besides names of data sets and of a user's files."""

PaperProtocol = Literal["corrected", "published"]
"""`corrected` measures what the paper defines; `published` repeats the paper's own procedure."""

PROTOCOLS: tuple[PaperProtocol, ...] = ("corrected", "published")


DesignSource = Literal["paper", "ours"]
"""Whose a setting, format, reformulation or data set is: the paper's, or this package's."""


def check_paper_only(protocol: PaperProtocol, ours: Sequence[str]) -> None:
    """Check that a run that repeats the paper uses nothing that is this package's.

    Args:
        protocol: Protocol of the run.
        ours: Names of its settings, variants and data sets that are this package's.

    Raises:
        ValueError: There are some, under the published protocol.
    """
    if ours and protocol == "published":
        raise ValueError(
            f"a run that repeats the paper uses what is the paper's alone, and {', '.join(ours)} "
            "is this package's: set protocol=corrected"
        )
