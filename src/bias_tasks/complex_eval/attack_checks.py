"""What an attack must leave as it was, as far as that can be counted (ComplexEval, appendix A.3).
Whether the text still means what it meant a model is asked (`bias-tasks attack --checker`)."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from bias_tasks.complex_eval.items import JudgedItem, attacked_response
from bias_tasks.complex_eval.layout import read_dialogue, read_steps

GROWTH = 0.25
"""Share of its characters by which a response may grow; the paper's example grows by 0.20."""
KEPT: Mapping[str, float] = {
    "reference": 0.7,  # appendix A.3.1
    "rubric": 0.8,  # appendix A.3.1
    "role_playing": 0.85,  # ours: A.3.2 asks for over 90 %, and nobody counted
    "creative_writing": 0.75,  # ours: the paper prints no limit, and its example keeps 86 %
}
"""Least share of a response's words that must be left, by attack (basic) or by family."""
_WORD = re.compile(r"\w+(?:['’]\w+)*")
_DETAIL = re.compile(r" \(.*|: .*", re.DOTALL)
_NUMBER = re.compile(r"\d[\d,.]*")


def valid_attacks(
    items: Sequence[JudgedItem], names: Sequence[str], values: Mapping[str, Any]
) -> tuple[dict[tuple[str, str], str], dict[str, Any]]:
    """Valid attacked responses by item id and name of the attack, and an account of the others.

    The account is plain JSON values: source `attacks`, `by` (how many valid ones whoever made
    them), and for each attack how many are `valid` and why how many were `left_out`. Corrected,
    `check_attack` decides; published, every attack counts, as the paper did not check them.
    """
    texts: dict[tuple[str, str], str] = {}
    makers: Counter[str] = Counter()
    left_out: dict[str, Counter[str]] = {name: Counter() for name in names}
    for item in items:
        for name in names:
            text, why = item.attacked.get(name), "the dataset has no such attack of the item"
            if text is not None:
                checked = values["protocol"] == "corrected"
                why = (check_attack(item, name, text) if checked else None) or ""
            if text is None or why:
                left_out[name][kind_of(why)] += 1
            else:
                texts[item.id, name] = text
                makers[item.attackers.get(name, "not said")] += 1
    valid = Counter(name for _, name in texts)
    return texts, {
        "source": "attacks",
        "by": dict(sorted(makers.items())),
        **{name: {"valid": valid[name], "left_out": dict(left_out[name])} for name in names},
    }


def attack_notes(account: Mapping[str, Any]) -> tuple[str, ...]:
    """What must be said where attacks were wanted and there is none."""
    wanted = [each for each in account.values() if isinstance(each, Mapping) and "valid" in each]
    if not wanted or any(each["valid"] for each in wanted):
        return ()
    return (
        "no attacked response is judged, as the data bring none that is valid: `bias-tasks attack` "
        "has a model make them",
    )


def check_attack(item: JudgedItem, name: str, text: str) -> str | None:
    """Why the attacked response is invalid, or None if it is valid.

    It differs from the response by more than white space and is at most 25 % longer. Besides:

    - basic: 70 % (reference) or 80 % (rubric) of the words are left
    - math: as many steps, so that the first wrong one keeps its place
    - role_playing: JSON of as many turns, of the same roles in order; 85 % of the words are left
    - creative_writing: 75 % of the words are left
    """
    before, after = item.responses[attacked_response(item)], text
    if after.split() == before.split():
        return "nothing was changed"
    sizes = len(before), len(after)
    if item.family == "math":
        old = read_steps(before)
        try:
            new = read_steps(after)
        except ValueError as error:
            return f"not numbered steps: {error}"
        if len(old) != len(new):
            return f"{len(new)} steps instead of {len(old)}"
    if item.family == "role_playing":
        turns = read_dialogue(before)
        try:
            now = read_dialogue(after)
        except ValueError as error:
            return str(error)
        if [turn.role for turn in turns] != [turn.role for turn in now]:
            return "the roles, or their order, changed"
        contents = [[turn.content for turn in each] for each in (turns, now)]
        sizes = len("".join(contents[0])), len("".join(contents[1]))
        before, after = map("\n".join, contents)
    if sizes[1] > sizes[0] * (1 + GROWTH):
        return f"{sizes[1]} characters instead of {sizes[0]}; at most {GROWTH:.0%} may be added"
    least = KEPT.get(name if item.family == "basic" else item.family, 0.0)
    if (share := kept(before, after)) < least:
        return f"{share:.0%} of the words are left; at least {least:.0%} must be"
    return None


def kept(before: str, after: str) -> float:
    """Share of the words of `before`, each as often as it stands there, that `after` holds too; 1
    if it has none."""
    old, new = (Counter(_WORD.findall(text.casefold())) for text in (before, after))
    return (old & new).total() / old.total() if old else 1.0


def kind_of(reason: str) -> str:
    """The reason without what differs from response to response, so that reasons can be counted."""
    return _NUMBER.sub("N", _DETAIL.sub("", reason))
