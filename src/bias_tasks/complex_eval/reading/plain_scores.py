"""A score that is said in words: "Score: 7", "I give it a 7", "7/10", or a number alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from bias_tasks.complex_eval.reading.asserted import own, replaced, within_quotes
from bias_tasks.complex_eval.reading.numbers_said import (
    END,
    NUMBER,
    OF_TEN,
    VALUE,
    Claim,
    claim,
    on_another_scale,
)
from bias_tasks.complex_eval.reading.phrases import one_of
from bias_tasks.complex_eval.reading.said import Said
from bias_tasks.complex_eval.reading.score_values import Scale, in_range
from bias_tasks.reading.bounds import Window

_NOUN = (
    r"(?:(?:scores?|ratings?|grade|mark)\b|"
    + one_of(
        "puntuación puntaje calificación bewertung punktzahl punteggio valutazione pontuação оценка"
        " балл 评分 分数 得分 总分 打分 评价 スコア 評価 点数 採点 점수 평점"
    )
    + ")"
)
_FINAL = (
    r"(?P<final>(?:\b(?:final|overall|total|aggregate|combined|global)\b"
    r"|最终|最后|总体|综合|最終|총) ?)?"
)
_RANGE = r"(?:(?:on )?(?:a |the )?scale )?(?:from |of )?[01] ?(?:-|to) ?10"
_SCALE = rf"(?: ?[(\[]{_RANGE}[)\]]| {_RANGE}| ?[(\[](?:out )?of 10[)\]])?"
_OF_THIS = (
    r"(?: (?:awarded|assigned|given|(?:that )?i(?:'d| would)? (?:give|assign|award|settle on)))?"
    r"(?: (?:for|of|to) (?:this|the|their|its|your)\b[^:\n.,;]{0,40})?"
)
_LINK = (
    r"(?:[ \n:=>|;,\])\"']|-(?= )|→|->){0,8}"
    rf"(?:{one_of('is of at as would_be will_be to_be remains stays stands')}\b:?){{0,2}}"
    r"[ \n\"'(\[|$]{0,6}(?:\\f?boxed ?\{ ?|\\text ?\{ ?)?(?:an? )?"
)
_LABELLED = re.compile(rf"{_FINAL}{_NOUN}{_SCALE}{_OF_THIS}{_LINK}{VALUE}")
# "Overall: 8/10": a heading that needs no noun.
_HEADED = re.compile(
    r"\b(?:overall(?: (?:impression|quality|performance|result))?|final(?:ly)?|conclusion|in total"
    rf"|bottom line|answer|on a {_RANGE}"
    r"|(?:my |final |overall )?(?:verdict|judge?ment|assessment|evaluation))"
    rf"(?: {{0,4}}[:=|>,] ?| is ){_LINK}{VALUE}"
)
_BOXED = re.compile(rf"(?:\\f?boxed ?\{{|\[\[)[ $]{{0,4}}(?:\\text ?\{{)?(?:{_NOUN}: ?)?{VALUE}")
_RATES = one_of("rat(?:e|ing) scor(?:e|ing) award(?:ing)? earns? deserves? merits?")
_MOVES = one_of(
    "giv(?:e|ing) gave assign(?:ing)? settl(?:e|ing) go(?:ing)? went land(?:ing)? lean(?:ing)?"
    " stay(?:ing)? stick(?:ing)? keep(?:ing)? stand put(?:ting)? make say choose lower(?:ing)?"
    " rais(?:e|ing) reduc(?:e|ing) chang(?:e|ing) adjust(?:ing)? revis(?:e|ing) drop(?:ping)? call"
    " plac(?:e|ing)"
)
_GIVES = (
    rf"(?:{_RATES}|(?:i|we|let's|let me)(?:'d|'ll|'m)?(?: \w{{1,12}}){{0,4}}? {_MOVES}"
    r"|(?:(?:it|this|that)(?:'s| is)(?: worth)?|gets?|receives?|giving (?:it|this))"
    r"(?= (?:about |around |roughly )?an? ))"
)
"""What gives a number: words of rating, whoever is spoken of, and others where the judge does."""
_TO_WHAT = one_of(
    "it this that the them my one here overall final response answer text reply piece score rating"
    " grade follows of to as at with on for by up down an? about around roughly solid strong fair"
    " good decent weak generous firm clear full perfect"
    " one two three four five six seven eight nine ten"
)
_GIVEN = re.compile(
    rf"\b{_GIVES}(?: {_TO_WHAT}){{0,9}}(?:(?<! a)(?<! an) ?: ?| )[\"'(\[]{{0,3}}{VALUE}"
)
# "From 8 to 6", of a score that was changed.
_CHANGED = re.compile(
    rf"\b(?:lower|rais|chang|revis|adjust|reduc|updat|correct|mov|drop|downgrad|upgrad|bump)\w{{0,4}}"
    rf"(?: {_TO_WHAT}){{0,3}} "
    rf"from (?P<before>(?:an? )?\d{{1,2}}(?:\.\d)?(?:{OF_TEN})?) (?:down |up )?to (?:an? )?{VALUE}"
)
# "I think a 7 is fair".
_FITTING = re.compile(
    rf"(?<!not )(?<!n't )(?:\b(?:an?|score of|rating of) ?|(?<![^\n])){VALUE}"
    r"(?= (?:is|feels|seems|sounds|looks) (?:about |quite |just |most )?(?:fair|right|appropriate"
    r"|fitting|justified|warranted|reasonable|deserved)\b)"
)
# All of an answer but its reason: "8 - clear and correct".
_OPENING = re.compile(
    rf"[\s\"'(\[]{{0,8}}{VALUE}[\"')\]]{{0,3}} {{0,4}}(?:[;,(]|-(?= ))"
    r"(?![^\n]{0,20}\b(?:scale|points?|reasons?)\b)[^\d]*\Z"
)
_COUNTED_OFF = re.compile(r"[.)] {0,4}\w")
_LABEL = re.compile(
    r"(?:(?<![^\n])|[|,;.(]) {0,4}[>-]? {0,4}(?:\d{1,2}[.)] {0,4})?"
    r"(?P<name>[^\W\d_]{2,20}(?:[ /&-]{1,3}[^\W\d_]{1,20}){0,3}) {0,4}[:=|-] {0,6}\Z"
)
_WHOLE = re.compile(
    r"(?:overall|final|total|my|general)\b.*|not[ae]"
    r"|(?:the |this )?(?:response|answer|result|quality|total)"
)
_BARE = re.compile(rf"(?P<value>{NUMBER}{OF_TEN})")
_ALONE = re.compile(
    r"\s{0,20}(?:(?:so|therefore|thus|hence|→)[,:]? {0,4}(?:an? )?)?"
    rf"(?:[\s\"'(\[{{$]|\\[\[(]|\\f?boxed|\\text){{0,20}}{VALUE}(?:[\s\"')\]}}$.]|\\[\])]){{0,20}}"
)


def score_claims(window: Window, *, stated: bool = False) -> list[Claim]:
    """The judge's own claims of the highest rank that there are, by place in the plain spelling.

    Ranks: the number that is all of the text; a boxed one; a final, overall or total score; a
    score; a number that is given; a number out of ten. Where the words before the last claim of a
    rank take back those before it, it is the only one.

    Args:
        window: of the judge's words.
        stated: only those that call it the score on a line of its own, or the final one.
    """
    low = window.low
    if stated:
        return [claim(match, low) for match in _stated(low) if _own(match, low)]
    alone = _ALONE.fullmatch(low) or _OPENING.match(low)
    if alone is not None:
        return [claim(alone, low)]
    other = on_another_scale(low)
    for rank in _ranks(low):
        claims = _last_word([claim(match, low) for match in rank if _own(match, low)], low)
        if claims:
            return [each._replace(value=None) for each in claims] if other else claims
    return []


def score_in_words(text: str, scale: Scale) -> Said[float] | None:
    """The score; None where none is stated, a value of None where it is no one valid score."""
    window = Window.of(text)
    claims = score_claims(window)
    if not claims:
        return None
    start, end = window.span(claims[-1].start, claims[-1].end)
    if len({each.value for each in claims}) > 1:
        return Said(None, "several different scores", start, end)
    value, why = in_range(claims[-1].value, scale)
    return Said(value, why if value is None else f"{why}, in words", start, end)


def _stated(low: str) -> list[re.Match[str]]:
    return [
        match
        for match in _LABELLED.finditer(low)
        if _assigned(match, low) and (match["final"] or _heads_line(match, low))
    ]


def _heads_line(match: re.Match[str], low: str) -> bool:
    line = low[max(low.rfind("\n", 0, match.start()) + 1, match.start() - 40) : match.start()]
    return line.strip(" >-") in ("", "my", "the", "so the", "so my")


def _ranks(low: str) -> Iterator[list[re.Match[str]]]:
    yield list(_BOXED.finditer(low))
    labelled = [match for match in _LABELLED.finditer(low) if _assigned(match, low)]
    yield [match for match in labelled if match["final"]] or [
        match for match in _HEADED.finditer(low) if _ends(match, low)
    ]
    yield labelled
    yield list(_CHANGED.finditer(low))
    yield list(_FITTING.finditer(low))
    yield [match for match in _GIVEN.finditer(low) if _ends(match, low)]
    yield [
        match
        for match in _BARE.finditer(low)
        if _ends(match, low) and not _of_something(match, low)
    ]


def _of_something(match: re.Match[str], low: str) -> bool:
    """Whether a label says that the number is no score of the whole: "Clarity: 8/10"."""
    label = _LABEL.search(low, max(0, match.start() - 80), match.start())
    return label is not None and _WHOLE.fullmatch(label["name"].strip()) is None


def _own(match: re.Match[str], low: str) -> bool:
    before = low[max(0, match.start() - 300) : match.start("number")]
    return own(before) is True and not within_quotes(low, match.start())


def _assigned(match: re.Match[str], low: str) -> bool:
    """Whether a score has the number: by a sign between, or since nothing is counted by it."""
    begins_line = not low[
        low.rfind("\n", 0, match.start("number")) + 1 : match.start("number")
    ].strip()
    if begins_line and _COUNTED_OFF.match(low, match.end("number")):
        return False
    said = match[0][: match.start("number") - match.start()]
    return said.rstrip(" \"'([{|$").endswith((":", "=", ">")) or _ends(match, low)


def _ends(match: re.Match[str], low: str) -> bool:
    """Whether the number is no count of something ("8 examples")."""
    return END.match(low, match.end()) is not None


def _last_word(claims: Sequence[Claim], low: str) -> list[Claim]:
    for first, second in reversed(list(pairwise(claims))):
        if first.value != second.value and replaced(low[first.end : second.since]):
            return list(claims[claims.index(second) :])
    return list(claims)
