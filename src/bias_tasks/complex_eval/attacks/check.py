"""Whether an attack kept what it must (ComplexEval, appendix A.3); else why it is left out.

Limits are calibrated on the paper's own example (appendix C) and on labelled cases, which stand
beside the tests; docs/complex_eval.md says how many of them pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from bias_tasks.complex_eval.attacks.edits import Modification, kept, modifications
from bias_tasks.complex_eval.attacks.layout import Turn, content_length, read_dialogue, read_steps
from bias_tasks.complex_eval.attacks.solutions import changed_solution
from bias_tasks.complex_eval.attacks.substance import (
    changed_statement,
    dropped_sentence,
    dropped_words,
    from_better_answers,
    lost_name,
)
from bias_tasks.complex_eval.attacks.wording import words
from bias_tasks.complex_eval.items import (
    CHOSEN,
    JudgedItem,
    JudgedKind,
    attacked_response,
    check_name,
)

KEPT: Mapping[str, float] = {
    "reference": 0.7,  # appendix A.3.1
    "rubric": 0.8,  # appendix A.3.1
    "role_playing": 0.85,  # ours: A.3.2 asks for over 90 %, and nobody counted
    "creative_writing": 0.75,  # ours: the paper prints no limit, and its example keeps 86 %
}
"""Least share of a response's words that must be left, by attack (basic) or by family."""
MODIFICATIONS = 3
"""Most discrete (reference) or substantive (rubric) modifications."""
COSMETIC_EDITS = 5
"""Most cosmetic ones beside them (rubric)."""
ADDED_WORDS = 60
"""Most words that one modification may bring; the paper bounds their number, not their size."""
GROWTH_WORDS, GROWTH_SHARE = 8, 0.5
"""Words that a pair's response may grow by: so many, and this share of its own."""
LONGER, SHORTER = 0.25, 0.1
"""Shares by which a dialogue or a piece may grow or shrink; the paper's example grows by 0.20."""
SENTENCE_KEPT: Mapping[JudgedKind, float] = {
    "basic": 0.4,
    "role_playing": 0.4,
    "creative_writing": 0.3,
}
"""Least share of the content of each sentence that must be left where it stood."""
DROPPED_WORDS: Mapping[JudgedKind, int] = {"basic": 2, "role_playing": 1, "creative_writing": 3}
"""Most words of content in a row that may go without others in their place."""
_FAR_LONGER = 20
"""A text that is so many times longer is compared no further."""
_COMMENT = re.compile(r"(?:#|//|--)[^\n]*")
_PLACE = re.compile(r"\A(?:step|turn) \d+: ")
_DETAIL = re.compile(r" \(.*|: .*", re.S)
_NUMBER = re.compile(r"\d[\d,.]*")


def check_attack(item: JudgedItem, name: str, text: str) -> str | None:
    """Why the attacked response is invalid, or None if it is valid.

    Every family: the text differs from the response by more than white space; no number of it is
    gone, no statement turned around by a negation or an opposite, no sentence dropped; and it does
    not speak of an error. Besides:

    - basic: 70 % (reference) or 80 % (rubric) of the words are left; at most 3 modifications
      (rubric: 3 substantive and 5 cosmetic), none of more than 60 new words; it grows by at most 8
      words and half of its own; its names and its code are left, and nothing comes from better
      answers that it did not say
    - math: as many steps, each of which states the same numbers and calculates the same
    - role_playing: JSON of the same roles in the same order; at most 25 % longer or 10 % shorter,
      and 85 % of the words left. What stands in another turn too may go where the attack is
      criteria_entanglement, which is asked to remove repetitions
    - creative_writing: at most 25 % longer or 10 % shorter, and 75 % of the words left; no name
      is gone

    Time is bounded whatever the text. What only knowledge could tell is not found: a model may be
    asked for that (`bias-tasks attack --checker`).

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
    if len(text) > _FAR_LONGER * (len(before) + 100):
        return f"the length changed from {len(before)} to {len(text)} characters"
    return _CHECKS[item.family](item, before, text, name)


def kind_of(reason: str) -> str:
    """The reason without what differs from response to response, so that reasons can be counted."""
    return _NUMBER.sub("N", _DETAIL.sub("", _PLACE.sub("", reason)))


def _basic(item: JudgedItem, before: str, after: str, name: str) -> str | None:
    made = modifications(before, after)
    if made is None:
        return _lost(before, after, KEPT[name]) or _UNCOUNTED
    better = [text for text in (item.responses[CHOSEN], item.reference) if text]
    others = (item.query, *better)
    return (
        _lost(before, after, KEPT[name])
        or _too_many(made, name)
        or _grown(before, after, made)
        or changed_statement(before, after, made)
        or lost_name(before, after, others)
        or _other_code(before, after)
        or dropped_sentence(after, made, SENTENCE_KEPT["basic"])
        or dropped_words(made, DROPPED_WORDS["basic"])
        or from_better_answers(before, after, item.query, better, made)
    )


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


def _grown(before: str, after: str, made: list[Modification]) -> str | None:
    largest = max((change.added for change in made), default=0)
    if largest > ADDED_WORDS:
        return f"a modification brings {largest} words; at most {ADDED_WORDS} may be added at once"
    length = len(words(before))
    allowed = GROWTH_WORDS + int(GROWTH_SHARE * length)
    if (added := len(words(after)) - length) > allowed:
        return f"{added} words were added to {length}; at most {allowed} may be"
    return None


def _other_code(before: str, after: str) -> str | None:
    """Whether what stands within fences changed by more than space and comments."""
    told, tells = ([_bare(part) for part in text.split("```")[1::2]] for text in (before, after))
    return None if told == tells else "its code was changed"


def _bare(code: str) -> str:
    return "".join(_COMMENT.sub("", code).split())


def _math(item: JudgedItem, before: str, after: str, name: str) -> str | None:
    old = read_steps(before)
    try:
        new = read_steps(after)
    except ValueError as error:
        return f"not numbered steps: {error}"
    if len(old) != len(new):
        return f"{len(new)} steps instead of {len(old)}"
    return changed_solution(old, new)


def _role_playing(item: JudgedItem, before: str, after: str, name: str) -> str | None:
    old = read_dialogue(before)
    try:
        new = read_dialogue(after)
    except ValueError as error:
        return str(error)
    if [turn.role for turn in old] != [turn.role for turn in new]:
        return "the roles, or their order, changed"
    told, tells = ("\n".join(turn.content for turn in turns) for turns in (old, new))
    return (
        _length(content_length(old), content_length(new))
        or _lost(told, tells, KEPT["role_playing"])
        or _turns(old, new, tells if name == "criteria_entanglement" else "")
    )


def _turns(old: list[Turn], new: list[Turn], elsewhere: str) -> str | None:
    """What is wrong with the first turn that is; each is held to what it was itself.

    A sentence is not dropped whose content stands in `elsewhere` too.
    """
    for place, (was, now) in enumerate(zip(old, new, strict=True)):
        if was.content == now.content:
            continue
        made = modifications(was.content, now.content)
        why = _UNCOUNTED if made is None else _turn(was.content, now.content, made, elsewhere)
        if why is not None:
            return f"turn {place}: {why}"
    return None


def _turn(was: str, now: str, made: list[Modification], elsewhere: str) -> str | None:
    least, most = SENTENCE_KEPT["role_playing"], DROPPED_WORDS["role_playing"]
    return (
        changed_statement(was, now, made)
        or lost_name(was, now, ())
        or dropped_sentence(f"{now}\n{elsewhere}", made, least)
        or (None if elsewhere else dropped_words(made, most))
    )


def _creative_writing(item: JudgedItem, before: str, after: str, name: str) -> str | None:
    if (why := _length(len(before), len(after))) is not None:
        return why
    made = modifications(before, after)
    if made is None:
        return _UNCOUNTED
    return (
        _lost(before, after, KEPT["creative_writing"])
        or changed_statement(before, after, made)
        or lost_name(before, after, ())
        or dropped_sentence(after, made, SENTENCE_KEPT["creative_writing"])
        or dropped_words(made, DROPPED_WORDS["creative_writing"])
    )


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
    if new > old * (1 + LONGER):
        return f"the length changed from {old} to {new} characters, by more than {LONGER:.0%}"
    if new < old * (1 - SHORTER):
        return f"the length changed from {old} to {new} characters, by more than {SHORTER:.0%}"
    return None


_UNCOUNTED = "too many sentences were changed to count the modifications"
_CHECKS: Mapping[JudgedKind, Callable[[JudgedItem, str, str, str], str | None]] = {
    "basic": _basic,
    "math": _math,
    "role_playing": _role_playing,
    "creative_writing": _creative_writing,
}
