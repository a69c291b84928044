"""Whether an attack kept what it must (ComplexEval, appendix A.3); else why it is left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bias_tasks.complex_eval.attacks.edits import Modification, kept, modifications
from bias_tasks.complex_eval.attacks.layout import content_length, read_dialogue, read_steps
from bias_tasks.complex_eval.attacks.wording import numbers
from bias_tasks.complex_eval.items import JudgedItem, JudgedKind, attacked_response, check_name

KEPT: Mapping[str, float] = {
    "reference": 0.7,  # appendix A.3.1
    "rubric": 0.8,  # appendix A.3.1
    "role_playing": 0.9,  # appendix A.3.2: changes limited to 5-10 %, over 90 % of the wording kept
    "creative_writing": 0.8,  # ours: the paper prints no limit, and its example keeps 86 %
}
"""Least share of a response's words that must be left, by attack (basic) or by family."""
MODIFICATIONS = 3
"""Most discrete (reference) or substantive (rubric) modifications."""
COSMETIC_EDITS = 5
"""Most cosmetic ones beside them (rubric)."""
ADDED_WORDS = 60
"""Most words that one modification may bring; the paper bounds their number, not their size."""
LENGTH_SHARE = 0.1
"""How much longer or shorter a dialogue or a story may become."""


def check_attack(item: JudgedItem, name: str, text: str) -> str | None:
    """Why the attacked response is invalid, or None if it is valid.

    Every family: the text differs from the response by more than white space. Besides:

    - basic: 70 % (reference) or 80 % (rubric) of the words are left; at most 3 modifications
      (rubric: 3 substantive and 5 cosmetic), none of more than 60 new words
    - math: as many steps, and in each the same numbers, so that the wrong step stays wrong
    - role_playing: JSON of the same roles in the same order; length within 10 %, and 90 % of the
      words left
    - creative_writing: length within 10 %, and 80 % of the words left

    Time is bounded whatever the text. An error of reasoning that no number shows can't be checked.

    Item and name are as `attack` takes them; `text` is the attacked response.

    Raises:
        ValueError: the family has no attack of this name.
    """
    check_name(item, name)
    before = item.responses[attacked_response(item)]
    if text.split() == before.split():
        return "nothing was changed"
    if not _encodable(text):
        return "it holds half a surrogate pair, which no file can"
    return _CHECKS[item.family](before, text, name)


def _basic(before: str, after: str, name: str) -> str | None:
    if (lost := _lost(before, after, KEPT[name])) is not None:
        return lost
    made = modifications(before, after)
    if made is None:
        return "too many sentences were changed to count the modifications"
    largest = max((change.added for change in made), default=0)
    if largest > ADDED_WORDS:
        return f"a modification brings {largest} words; at most {ADDED_WORDS} may be added at once"
    return _too_many(made, name)


def _too_many(made: list[Modification], name: str) -> str | None:
    if name == "reference":
        if len(made) > MODIFICATIONS:
            return f"{len(made)} modifications; at most {MODIFICATIONS} are allowed"
        return None
    substantive = sum(not change.cosmetic for change in made)
    cosmetic = len(made) - substantive
    if substantive > MODIFICATIONS:
        return f"{substantive} substantive modifications; at most {MODIFICATIONS} are allowed"
    if cosmetic > COSMETIC_EDITS:
        return f"{cosmetic} cosmetic modifications; at most {COSMETIC_EDITS} are allowed"
    return None


def _math(before: str, after: str, name: str) -> str | None:
    old = read_steps(before)
    try:
        new = read_steps(after)
    except ValueError as error:
        return f"not numbered steps: {error}"
    if len(old) != len(new):
        return f"{len(new)} steps instead of {len(old)}"
    for position, (was, now) in enumerate(zip(old, new, strict=True)):
        if numbers(was) != numbers(now):
            return f"the numbers of step {position} changed"
    return None


def _role_playing(before: str, after: str, name: str) -> str | None:
    old = read_dialogue(before)
    try:
        new = read_dialogue(after)
    except ValueError as error:
        return str(error)
    if [turn.role for turn in old] != [turn.role for turn in new]:
        return "the roles, or their order, changed"
    return _length(content_length(old), content_length(new)) or _lost(
        "\n".join(turn.content for turn in old),
        "\n".join(turn.content for turn in new),
        KEPT["role_playing"],
    )


def _creative_writing(before: str, after: str, name: str) -> str | None:
    return _length(len(before), len(after)) or _lost(before, after, KEPT["creative_writing"])


def _lost(before: str, after: str, least: float) -> str | None:
    share = kept(before, after)
    if share < least:
        return f"{share:.0%} of the words are left; at least {least:.0%} must be"
    return None


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _length(old: int, new: int) -> str | None:
    if abs(new - old) > LENGTH_SHARE * old:
        return f"the length changed from {old} to {new} characters, by more than 10 %"
    return None


_CHECKS: Mapping[JudgedKind, Callable[[str, str, str], str | None]] = {
    "basic": _basic,
    "math": _math,
    "role_playing": _role_playing,
    "creative_writing": _creative_writing,
}
