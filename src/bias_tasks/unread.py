"""What to say of a run in which many answers could not be read, and what that may come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from bias_tasks.family import Outcome
from bias_tasks.reading.why_unread import CUT, GOES_ON, REPEATS, UNFINISHED

MOST = 0.1
"""The share of unread answers above which a run says so."""
Cause = Literal["cut", "goes_on", "refused", "empty", "other"]
_ADVICE: Mapping[Cause, tuple[str, str]] = {
    "cut": (
        "cut at the token limit or within their reasoning",
        "give more room: --max-tokens in Inspect, --gen_kwargs max_gen_toks=... in lm-eval",
    ),
    "goes_on": (
        "going on with questions and answers of their own or repeating the prompt, as a base model "
        "does or a model asked without its chat template",
        "in lm-eval give --apply_chat_template to a chat model; ask a base model with base=true "
        "(binary_qa, instruction_boundary), or in lm-eval by the likelihood of the answers, in the "
        "tasks that end in _ll; the other tasks are for chat models",
    ),
    "refused": (
        "refusals",
        "look at some: the question may trip a filter",
    ),
    "empty": (
        "empty",
        "look at the server's log: a filter, a stop string, or reasoning that used up every token",
    ),
    "other": (
        "without an answer that could be told",
        "look at some in the log: each says why",
    ),
}


def cause(outcome: Outcome) -> Cause:
    """What an unread answer was, as far as its outcome tells."""
    if GOES_ON in outcome.why or REPEATS in outcome.why:
        return "goes_on"
    if UNFINISHED in outcome.why or CUT in outcome.why:
        return "cut"
    if outcome.reason == "refusal":
        return "refused"
    return "empty" if outcome.reason == "no_response" else "other"


def unread_notice(outcomes: Sequence[Outcome], *, in_form: bool = False) -> str | None:
    """What to say at the end of a run with more than `MOST` of its answers unread; else None.

    Args:
        outcomes: of all answers.
        in_form: whether what is measured is the answers' form, so that an answer in another form
            is a finding and not a problem: only those with another cause count then.
    """
    causes = Counter(cause(outcome) for outcome in outcomes if outcome.answer is None)
    if in_form:
        del causes["other"]
    unread = causes.total()
    if unread <= MOST * len(outcomes):
        return None
    listed = ", ".join(f"{count} {_ADVICE[kind][0]}" for kind, count in causes.most_common())
    likely = causes.most_common(1)[0][0]
    return (
        f"{unread} of {len(outcomes)} answers could not be read: {listed}. Most likely mended so: "
        f"{_ADVICE[likely][1]}."
    )
