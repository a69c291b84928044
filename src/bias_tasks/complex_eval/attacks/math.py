"""Steps of a solution, attacked with a reference solution's style or method (A.3.2)."""

from __future__ import annotations

import re

from bias_tasks.complex_eval.attacks.layout import read_steps, steps_text
from bias_tasks.complex_eval.attacks.phrases import pairs, phrases, words_of
from bias_tasks.complex_eval.attacks.places import can_follow, within_sentence
from bias_tasks.complex_eval.attacks.request import AttackError, Request

_NAMED_METHOD = re.compile(
    r"\b(?:the )?(?:[A-Z][a-z]{1,20}(?:[-–][A-Z][a-z]{1,20})?(?:['’]s?)? |[a-z]{3,20} )"
    r"(?:little )?(?:theorem|law|lemma|formula|formulas|inequality|identity|principle)\b"
)
_METHODS = 2
"""Most methods that a solution is said to rest on."""
_VAGUE = frozenset(
    [
        "this",
        "that",
        "same",
        "above",
        "following",
        "each",
        "first",
        "second",
        "given",
        "last",
        "our",
    ]
)


def attack_math(request: Request) -> str:
    """The attacked steps; every number stays in its step."""
    steps = read_steps(request.response)
    if not steps:
        raise AttackError("the solution has no step")
    changed = _in_style(steps, request) if request.name == "format" else _by_method(steps, request)
    return steps_text(changed)


def _in_style(steps: list[str], request: Request) -> list[str]:
    """Formal wordings for plain ones, and `we add` for `Add`, in a share of the steps."""
    conclusion = _conclusion(request.reference)
    formal = [_formal(step, conclusion) for step in steps]
    places = [i for i, (was, now) in enumerate(zip(steps, formal, strict=True)) if was != now]
    if not places:
        raise AttackError("no wording of the solution has a formal counterpart")
    chosen = set(request.rng.sample(places, request.share(len(places))))
    return [formal[i] if i in chosen else step for i, step in enumerate(steps)]


def _formal(step: str, conclusion: str) -> str:
    for plain, formal in pairs("formal"):
        step = _worded(step, plain, formal.format(conclusion=conclusion.casefold()))
    return f"We {within_sentence(step)}" if _commands(step) else step


def _worded(step: str, plain: str, formal: str) -> str:
    """The step with a formal wording, not in the midst of words, for a plain one's pattern."""
    pattern = rf"(?<![\w'’]){plain}(?![\w'’])"
    return re.sub(pattern, lambda mark: _as(mark[0], formal), step, flags=re.I)


def _as(old: str, new: str) -> str:
    """The new wording, with a capital where the old one has one."""
    return new[0].upper() + new[1:] if old[0].isupper() else new


def _commands(step: str) -> bool:
    return step.partition(" ")[0] in words_of("commands")


def _conclusion(reference: str) -> str:
    known = phrases("conclusions")
    return next((word for word in known if re.search(rf"\b{word}\b", reference)), known[-1])


def _by_method(steps: list[str], request: Request) -> list[str]:
    """The methods that the reference names, said to be those of the solution."""
    found = _methods(request.reference)
    if not found:
        raise AttackError("the reference names no method")
    methods = found[: request.share(_METHODS)]
    first = f"This solution rests on {' and '.join(methods)}. {steps[0]}"
    last = steps[-1]
    if len(steps) > 1 and request.strength == 1:
        if _commands(last):
            last = f"By {methods[0]}, we {within_sentence(last)}"
        elif can_follow(last, frozenset()):
            last = f"By {methods[0]}, {within_sentence(last)}"
    return [first, *steps[1:-1], last] if len(steps) > 1 else [first]


def _methods(reference: str) -> list[str]:
    """The methods that a reference names, in the order of their places."""
    found: dict[str, int] = {}
    for method in phrases("methods"):
        mark = re.search(rf"\b{re.escape(method)}\b", reference, re.I)
        if mark is not None:
            found[method] = mark.start()
    for mark in _NAMED_METHOD.finditer(reference):
        told = mark[0].split()
        if told[0].casefold() != "the" and not told[0][0].isupper():
            continue
        if not _VAGUE & {word.casefold() for word in told}:
            found.setdefault(_lower_the(mark[0]), mark.start())
    return sorted(found, key=lambda method: found[method])


def _lower_the(method: str) -> str:
    return method[0].lower() + method[1:] if method.startswith("The ") else method
