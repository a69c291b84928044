"""One score for each of several criteria: lines `name: score`, or fields of an object."""

import re
from collections.abc import Sequence

from bias_tasks.parsing.parsed_answer import Level, ParsedAnswer, UnparsedReason, unparsed
from bias_tasks.parsing.plain_text import PlainText

_SCORE = (
    r"(?!\w)[\"']?(?:\s*\([^()\n]{0,40}\))?\s*(?:[:=|–—-]{1,3}|\bis\b)\s*"
    r"(?:\{[^{}]{0,2000}?\b(?:score|rating|value|grade)\b[\"']?\s*:\s*)?"
    r"[\"'(\[⟦]*(?P<score>-?\d{1,6}(?:\.\d{1,9})?)(?:\s?/\s?(?P<of>\d{1,6}))?"
    r"(?![\w%]|\.\d|\s?(?:-|–|to|or)\s?\d)"
)


def parse_criteria(
    plain_text: PlainText, criteria: Sequence[str], scale: tuple[float, float]
) -> ParsedAnswer:
    """Parse a score for every criterion; of several for one, the last counts.

    Args:
        plain_text: The answer.
        criteria: The names of the criteria; all of them need a score.
        scale: The lowest and the highest score, both included.
    """
    scores, spans = dict[str, float](), list[tuple[int, int]]()
    for name in criteria:
        words = r"[\s_*-]+".join(map(re.escape, re.split(r"[\s_-]+", name.strip())))
        found = list(re.finditer(rf"(?<!\w){words}{_SCORE}", plain_text.text, re.I))
        if not found:
            return unparsed(UnparsedReason.NO_VALUE, f"no score for {name}")
        score, highest = float(found[-1]["score"]), float(found[-1]["of"] or scale[1])
        if highest != scale[1] or not scale[0] <= score <= scale[1]:
            return unparsed(UnparsedReason.NOT_OFFERED, name)
        scores[name] = score
        spans.append(plain_text.span(*found[-1].span()))
    label = ", ".join(f"{score:g}" for score in scores.values())
    span = min(start for start, _ in spans), max(end for _, end in spans)
    return ParsedAnswer(label, scores, level=Level.FIELD, span=span)
