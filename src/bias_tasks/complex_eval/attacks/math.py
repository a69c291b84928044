"""Steps of a solution, attacked with a reference solution's style or method (A.3.2)."""

from __future__ import annotations

from bias_tasks.complex_eval.attacks.layout import read_steps, steps_text
from bias_tasks.complex_eval.attacks.phrases import used_in
from bias_tasks.complex_eval.attacks.request import AttackError, Request
from bias_tasks.complex_eval.attacks.surface import with_phrases

_TERMS = 8


def attack_math(request: Request) -> str:
    """The attacked steps; every number stays in its step."""
    steps = read_steps(request.response)
    rewrite = _in_style if request.name == "format" else _with_method
    for position, addition in _additions(steps, request).items():
        steps[position] = rewrite(steps[position], addition)
    return steps_text(steps)


def _additions(steps: list[str], request: Request) -> dict[int, str]:
    """What is added to which steps."""
    if request.name == "format":
        phrases = used_in(request.reference, "formulaic")
    else:
        phrases = request.new_terms(request.reference, _TERMS)
    if not steps:
        raise AttackError("the solution has no step")
    chosen = sorted(request.rng.sample(range(len(steps)), request.share(len(steps))))
    return {place: phrases[i % len(phrases)] for i, place in enumerate(chosen)}


def _in_style(step: str, phrase: str) -> str:
    return with_phrases(step, {0: phrase})


def _with_method(step: str, term: str) -> str:
    return f"{step} (by the {term} argument)"
