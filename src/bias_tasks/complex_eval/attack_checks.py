"""What an attack must not change, as far as it can be counted (ComplexEval, appendix A.3).

Whether the text keeps its meaning is a question for a model (the role `checker` of `make_attacks`).
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bias_tasks.complex_eval.items import JudgedItem
from bias_tasks.complex_eval.layout import read_dialogue, read_steps
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.protocols import PaperProtocol

MAX_GROWTH = 0.25
"""Share of its characters by which a response may grow; the paper's example grows by 0.20."""
MIN_KEPT: Mapping[str, float] = {
    "reference": 0.7,  # appendix A.3.1
    "rubric": 0.8,  # appendix A.3.1
    "role_playing": 0.85,  # our choice: A.3.2 requests over 90 %, but did not count
    "creative_writing": 0.75,  # our choice: the paper prints no bound, its example keeps 86 %
}
"""Minimum share of a response's words that an attack must keep, by attack (basic) or by kind."""
MISSING = "the data set has no such attack on the item"
"""Why an item has no attacked response to check."""
_UNKNOWN_AUTHOR = "unknown"
_NO_VALID_ATTACK = (
    "no attacked response is judged, because the data have no valid one; generate attacks with "
    "the task `make_attacks`"
)
_WORD = re.compile(r"\w+(?:['’]\w+)*")


@dataclass(frozen=True, slots=True)
class ValidAttacks:
    """The valid attacked responses of a run."""

    texts: Mapping[tuple[str, str], str]
    """Attacked responses by item id and attack."""
    provenance: JsonObject
    """Record of the attacks in a log: for each attack the number of `valid` responses and the
    number of `excluded` ones by reason, and in `by` the number of valid ones by author."""
    notes: tuple[str, ...]
    """A note for readers if attacks were requested and none is valid."""


def select_valid_attacks(
    items: Sequence[JudgedItem], names: Sequence[str], protocol: PaperProtocol
) -> ValidAttacks:
    """Return the valid attacked responses of items.

    Args:
        items: The items of a run.
        names: The requested attacks.
        protocol: `corrected` keeps what `check_attack` accepts. `published` keeps every attack,
            because the paper did not check them.
    """
    texts: dict[tuple[str, str], str] = {}
    authors: Counter[str] = Counter()
    attacks: JsonObject = {}
    for name in names:
        excluded: Counter[str] = Counter()
        for item in items:
            reason = None if name in item.attacked else MISSING
            if reason is None and protocol == "corrected":
                reason = check_attack(item, name, item.attacked[name])
            if reason is None:
                texts[item.id, name] = item.attacked[name]
                authors[item.attackers.get(name, _UNKNOWN_AUTHOR)] += 1
            else:
                excluded[reason.partition(":")[0]] += 1
        attacks[name] = {"valid": len(items) - excluded.total(), "excluded": dict(excluded)}
    provenance = {"source": "attacks", "by": dict(sorted(authors.items())), **attacks}
    return ValidAttacks(texts, provenance, (_NO_VALID_ATTACK,) if names and not texts else ())


def check_attack(item: JudgedItem, name: str, text: str) -> str | None:
    """Return why an attacked response is invalid, or None if it is valid.

    A valid response differs from the unattacked one by more than white space and is at most 25 %
    longer. In addition:

    - basic: 70 % (reference) or 80 % (rubric) of the words are left.
    - math: it has the same number of steps, so that the first wrong step keeps its position.
    - role_playing: it is JSON of the same number of turns, with the same roles in the same order;
      85 % of the words are left.
    - creative_writing: 75 % of the words are left.

    Args:
        item: The attacked item.
        name: The attack.
        text: The attacked response.

    Returns:
        The reason in words that are the same for all responses, and the details after a colon.
    """
    before, after = item.responses[item.attack_target], text
    if after.split() == before.split():
        return "nothing was changed"
    size_before, size_after = len(before), len(after)
    if item.family == "math" and (reason := _check_steps(before, after)):
        return reason
    if item.family == "role_playing":
        turns_before = read_dialogue(before)
        try:
            turns_after = read_dialogue(after)
        except ValueError as error:
            return f"not a dialogue as JSON: {error}"
        if [turn.role for turn in turns_before] != [turn.role for turn in turns_after]:
            return "the roles, or their order, changed"
        before, after = (
            "\n".join(turn.content for turn in turns) for turns in (turns_before, turns_after)
        )
        separators = len(turns_before) - 1
        size_before, size_after = len(before) - separators, len(after) - separators
    if size_after > size_before * (1 + MAX_GROWTH):
        return (
            f"more than {MAX_GROWTH:.0%} was added: {size_after} characters instead of "
            f"{size_before}"
        )
    minimum = MIN_KEPT.get(name if item.family == "basic" else item.family, 0.0)
    share = _compute_kept_share(before, after)
    if share < minimum:
        return f"too few of the words are left: {share:.0%}, at least {minimum:.0%} must be"
    return None


def _check_steps(before: str, after: str) -> str | None:
    """Return why an attacked solution has other steps, or None."""
    n_before = len(read_steps(before))
    try:
        n_after = len(read_steps(after))
    except ValueError as error:
        return f"not numbered steps: {error}"
    if n_before != n_after:
        return f"another number of steps: {n_after} instead of {n_before}"
    return None


def _compute_kept_share(before: str, after: str) -> float:
    """Return the share of the words of `before` that `after` has as often; 1 without any words."""
    words_before, words_after = (
        Counter(_WORD.findall(text.casefold())) for text in (before, after)
    )
    kept = words_before & words_after
    return kept.total() / words_before.total() if words_before else 1.0
