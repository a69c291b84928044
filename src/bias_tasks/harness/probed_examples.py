"""A document of a probed task as an example in front of another one."""

from __future__ import annotations

from dataclasses import replace

from bias_tasks.harness.probed_doc import ProbedDoc

OTHERS = 500
"""Documents at most that are read for examples alone."""


def with_example(found: ProbedDoc, delimiter: str) -> ProbedDoc:
    """The document with its answer behind it, as the harness shows it as an example.

    It can be none where each choice is a context of its own, or nothing is known to be right.
    """
    own = found.own
    answers = own.target if isinstance(own.target, list) else [own.target]
    answer = replace(own, target=answers[0]).told if answers else ""
    if not answer or not isinstance(own.text, str) or not own.text.strip():
        return found
    return replace(found, item=replace(found.item, worked=f"{own.text}{delimiter}{answer}"))
