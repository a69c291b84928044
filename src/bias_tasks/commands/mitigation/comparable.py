"""Whether two runs can be compared: what may differ, what must not, and what must be said."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bias_tasks.commands.mitigation.answers import FormatRun
from bias_tasks.results.answers import Answered, UnusableRunError
from bias_tasks.results.differences import Difference, differences

MITIGATIONS = frozenset({"repeat", "demos", "demos_from"})
"""Parameters that are a mitigation themselves (section 6); a fine-tuned model is another."""
ASKED_ALIKE = frozenset({"prompting", "protocol"})
"""Parameters whose effect on the figures could not be told from a mitigation's."""
_LISTED = 5
Key = tuple[str, str, str]
"""Data set, item and format."""


def check_comparable(base: FormatRun, mitigated: FormatRun) -> tuple[Difference, ...]:
    """What two runs differ in that is to be said beside their comparison.

    Items that only one of them asked are left out where the runs are compared, and counted there.

    Raises:
        UnusableRunError: the runs read, score or prompt in different ways, are of different
            versions of the task, ask other questions under the same ids, or ask the same ones by
            other prompts although no parameter says so.
    """
    found = differences(base.whole, mitigated.whole)
    for each in found:
        if each.name in ASKED_ALIKE or each.name == "version of the task":
            raise UnusableRunError(
                f"the runs can't be compared: their {each.name} differs ({each}), and what that "
                "changes could not be told from what the mitigation does. Run both alike"
            )
    before, after = ({_key(each): each for each in run.answers} for run in (base, mitigated))
    _refuse(before, after, _item, "ask other questions under the same ids")
    if not MITIGATIONS & {each.name for each in found}:
        _refuse(before, after, lambda each: each.prompt, "ask the same questions by other prompts")
    return tuple(each for each in found if each.kind != "asked")


def _refuse(
    before: Mapping[Key, Answered],
    after: Mapping[Key, Answered],
    part: Callable[[Answered], object],
    what: str,
) -> None:
    """Raise an UnusableRunError where a part differs in an item and format that both asked."""
    changed = [key for key in before if key in after and part(before[key]) != part(after[key])]
    if changed:
        ids = ", ".join("/".join(key[1:]) for key in changed[:_LISTED])
        more = f" and {len(changed) - _LISTED:,} more" if len(changed) > _LISTED else ""
        raise UnusableRunError(
            f"the runs can't be compared: they {what} ({ids}{more}), so that something else than "
            "the mitigation changed. Run both on the same data and version"
        )


def _key(answer: Answered) -> Key:
    return answer.facts["dataset"], answer.outcome.item, answer.outcome.variant


def _item(answer: Answered) -> object:
    return answer.facts["question"]["item"]
