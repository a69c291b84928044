"""Whether a judge's reasons cite the reference (appendix C)."""

import re

_REASONING = re.compile(r'"reasoning"\s*:\s*"((?:[^"\\]|\\.)*+)"', re.DOTALL)
_QUOTE = re.compile(r'"quote"\s*:\s*"(?:[^"\\]|\\.)*+"', re.DOTALL)
_CITED = re.compile(
    r"\b(?:the|this|that|its|to|with|from|in|unlike)\s+(?:\w+\s+){0,2}reference\b(?!\s+to\b)"
    r"|\breference\s+(?:answer|solution|response|dialogue|conversation|text|story)s?\b"
    r"|\b(?:official|canonical|sample|model)\s+(?:solution|answer|response|dialogue|conversation)\b"
    r"|\boriginal\s+(?:dialogue|conversation|scene)\b"
    r"|\bin\s+the\s+original\b(?!\s+\w+)",
    re.IGNORECASE,
)
"""Names of a reference in the prompts and in the paper's example.

A text that makes "a reference to" something, or "references", cites none.
"""


def cites_reference(text: str) -> float | None:
    """Return whether the reasons in a judge's answer name the reference.

    The reasons are the text `reasoning` of a JSON object, or else prose without quotations.

    Returns:
        1 or 0; None if there are no reasons.
    """
    match = _REASONING.search(text)
    prose = "" if text.lstrip().startswith("{") else _QUOTE.sub("", text)
    reasons = match[1] if match else prose
    return float(_CITED.search(reasons) is not None) if reasons.strip() else None
