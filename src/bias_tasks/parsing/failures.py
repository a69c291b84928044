"""Why an answer is unparsed, beyond that it has no value: it refuses, copies the answer template,
repeats the prompt, or continues with questions of its own."""

import re
from collections import Counter

from bias_tasks.parsing.echo import echo_share
from bias_tasks.parsing.parsed_answer import UnparsedReason

_EXAMINED = 4_000
"""Characters examined at the beginning."""
_REFUSAL_LENGTH = 400
"""Characters at the beginning in which a refusal is looked for."""
_ECHO_SHARE, _CUT_ECHO_SHARE = 0.5, 0.95
"""Share of words that repeat the prompt in an answer that is an echo, and in one that is cut."""
_MIN_TURNS, _MIN_LINES, _MIN_ITEMS = 2, 3, 5
_REFUSAL = re.compile(
    r"\b(?:can't|cannot|can not|won't|will not|unable to|not able to|not going to"
    r"|must decline to|decline to|refuse to|not comfortable) "
    r"(?:help|assist|comply|fulfil|fulfill|engage|participate|discuss|complete|continue|process"
    r"|respond|answer|provide|do that|do this|offer|share|give|with)\b"
    r"|\bas an ai\b|\bi must decline\b|\bi(?:'m| am) sorry, but i\b"
    r"|\bagainst (?:my|our) (?:guidelines|policy|policies)\b",
    re.I,
)
_TURN = re.compile(
    r"^[ >*#]{0,5}(?P<label>questions?|answers?|context|facts?|options|q|a|user|assistant|human"
    r"|choose one of the following answers) ?\d{0,3} ?:",
    re.I | re.M,
)
_QUESTION_TURN = re.compile(r"question|q\b|user|human", re.I)
_ANSWER_TURN = re.compile(r"answer|a\b|assistant", re.I)
_NUMBERED_LINE = re.compile(r"^ {0,4}\d{1,3}[.)] {1,4}(\S[^\n]{0,200})\n", re.M)
# A slot of an answer template, such as `[]`, `[Your final choice here]` or `<number>`.
_SLOT = re.compile(r"(?:^|:)\s*(?P<slot>\[[^\]\n]{0,60}\]|<[^>\n]{1,60}>)\s*$", re.M)
_GENERIC_SLOT = re.compile(r"[\[<](?:your\b.*|\s*)[\]>]", re.I)
_SENTENCE_GAP = re.compile(r"(?<=[.!?:])\s+")
_OPEN_END = re.compile(r"[\w,(=+*{/-]$")
_UNSPECIFIC = [UnparsedReason[n] for n in ("NO_VALUE", "TRUNCATED", "CONTRADICTION")]


def explain_failure(
    reason: UnparsedReason, visible_text: str, prompt: str, quoted: str = ""
) -> UnparsedReason:
    """Return the reason why an answer is unparsed, the most specific one that is known.

    Args:
        reason: What the parser found.
        visible_text: The answer without reasoning.
        prompt: The prompt; empty if it is not known.
        quoted: The model's own earlier answer, if the prompt quotes it.
    """
    if reason not in _UNSPECIFIC:
        return reason
    slot = _SLOT.search(visible_text[-_EXAMINED:])
    if slot is not None and (slot["slot"] in prompt or _GENERIC_SLOT.fullmatch(slot["slot"])):
        return UnparsedReason.TEMPLATE_COPIED
    if refuses(visible_text):
        return UnparsedReason.REFUSAL
    if runs_on(visible_text):
        return UnparsedReason.RUNS_ON
    # Reasoning quotes the prompt: that of an answer that breaks off says only that it was cut.
    share = _CUT_ECHO_SHARE if reason is UnparsedReason.TRUNCATED else _ECHO_SHARE
    is_echo = prompt and echo_share(visible_text, prompt, quoted) >= share
    return UnparsedReason.ECHO if is_echo else reason


def is_cut(text: str) -> bool:
    """Return whether a text of several sentences ends within one of at least three words."""
    *_, before, last = "", *_SENTENCE_GAP.split(text.strip())
    return last.count(" ") > 1 and breaks_off(before, last)


def breaks_off(before: str, last: str) -> bool:
    """Return whether a text breaks off in its last sentence: it ends in a word or an open sign.

    Args:
        before: The sentence before, which has to be complete.
        last: The last sentence, without blanks around it.
    """
    return before.endswith((".", "!", "?", ":", ",")) and _OPEN_END.search(last) is not None


def refuses(text: str) -> bool:
    """Return whether an answer declines the request at its beginning."""
    return _REFUSAL.search(text, 0, _REFUSAL_LENGTH) is not None


def runs_on(text: str) -> bool:
    """Return whether a text has several turns of question and answer, or repeats itself.

    It repeats one line, or the items of a numbered list. One turn after other words is enough if it
    asks and answers. A heading alone is not: chat models repeat the facts before they reason.
    """
    beginning = text[:_EXAMINED]
    turns = list(_TURN.finditer(beginning))
    labels = Counter(turn["label"].lower().rstrip("s") for turn in turns)
    if max(labels.values(), default=0) >= _MIN_TURNS:
        return True
    later = [turn["label"] for turn in turns if beginning[: turn.start()].strip()]
    first = next((n for n, label in enumerate(later) if _QUESTION_TURN.match(label)), len(later))
    if any(_ANSWER_TURN.match(label) for label in later[first:]):
        return True
    lines = [line.strip() for line in beginning.splitlines() if line.strip()]
    runs = zip(lines, lines[1:], lines[2:], strict=False)
    if len(lines) >= _MIN_LINES and any(len(set(run)) == 1 for run in runs):
        return True
    items = _NUMBERED_LINE.findall(beginning)
    return len(items) >= _MIN_ITEMS and len(set(items)) < len(items) - 1
