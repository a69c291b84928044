"""Whether every model call that a question plans was made. An answer is scored only then."""

from collections.abc import Mapping

PLANNED_CALLS = "planned_calls"
"""Name in a sample's metadata of the number of calls that its question plans, if above 1."""
CALLS_MADE = "calls_made"
"""Name in a sample's metadata of the number of calls that the task's own solver made."""
INCOMPLETE = "incomplete"
"""`Score.reason` of a sample without all of its planned calls."""
REFUSED = "refused_by_provider"
"""Name in a sample's metadata of why the provider refuses its mode of asking."""
UNSUPPORTED_MODE = "unsupported_mode"
"""`Score.reason` of a sample that the provider cannot be asked in its mode."""
OTHER_SOLVER = "other_solver"
"""`Score.reason` of a sample that another solver than the task's own answered."""


def find_missing_calls(
    metadata: Mapping[str, object], *, has_output: bool
) -> tuple[str, str] | None:
    """Return why a sample must not be scored: a `Score.reason`, and an explanation.

    Another solver than the task's own may answer a question that plans a single call.

    Args:
        metadata: The sample's metadata.
        has_output: Whether the sample has an output of the model.

    Returns:
        None if every planned call was made.
    """
    if REFUSED in metadata:
        return UNSUPPORTED_MODE, f"the provider refuses this mode: {metadata[REFUSED]}"
    planned, made = metadata.get(PLANNED_CALLS, 1), metadata.get(CALLS_MADE)
    if has_output and planned in (1, made):
        return None
    if made is None:
        return OTHER_SOLVER, "the task's own solver did not run: run the task without --solver"
    return INCOMPLETE, f"{made} of {planned} planned calls were made"
