"""One reader for what models write: the same layers for every form of answer.

The first layer that says something decides:

1. the form asked for: the whole text, or a lone last line, is the value;
2. an announced value (`Final answer: 2`, `\\boxed{2}`, `[[A]]`, `"score": 7`): the last one that
   stands;
3. a lone first line, or the words that the text begins with;
4. a last sentence that is nothing but the value;
5. plain sentences that call a value right, where all of them agree.

What none says is unread. A value that its own sentence denies, supposes, quotes or leaves open is
none. A form says which values there are and how they are written (`Form`); the layers are the same
for all. All patterns are linear in the text, of which a bounded window is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from bias_tasks.reading.bounds import Window, skip
from bias_tasks.reading.echo import without_echo
from bias_tasks.reading.types import INVALID_FORMAT
from bias_tasks.reading.why_unread import cut_off, refuses, refuses_outright


class Value(NamedTuple):
    """A value as it stands in a text."""

    said: Any
    """What is said, of a kind that the form knows; it can be compared and hashed."""
    start: int
    end: int


class Form(Protocol):
    """What the layers ask of a form of answer."""

    cue: re.Pattern[str]
    """Words behind which a value is announced, in lower case."""

    def whole(self, window: Window, start: int, end: int) -> Value | None:
        """The value that a stretch is, with nothing beside it but marks and its own text."""

    def item(self, window: Window, start: int, end: int) -> bool:
        """Whether a line may be an item of a list, whose others are no less the answer."""

    def at(self, window: Window, start: int, end: int) -> Value | None:
        """The value that a stretch begins with."""

    def opening(self, window: Window, start: int, end: int) -> Value | None:
        """The value that a text begins with, before it explains it."""

    def sentences(self, window: Window, start: int, end: int) -> list[Value]:
        """What plain sentences call right."""


MARKED = re.compile(
    r"\\(?:boxed|fbox)\{|\[\[|<(?:final[ _]?)?(?:answer|verdict|score|rating|choice)>"
    r"|(?:final|improved|revised|updated) (?:answer|verdict|choice|decision|rating|score)\b"
)
"""What announces an answer in every form."""
_IS = (
    r"(?: ?(?::|=|→)| -(?= )| (?:is|are|was|were|would be|must be|should be|will be"
    r"|remains|changes to|lautet)\b"
    r"(?: (?:still|therefore|thus|clearly|then|indeed|also|as follows))?:?(?: that)?)"
)
_NOUN = (
    r"(?:answer|aswer|answr|anwser|selection|conclusion|decision|verdict|label|judge?ment"
    r"|result|prediction)"
)
SAID = (
    rf"{MARKED.pattern}(?:[\"'}}]{{0,2}} ?(?::|=|is)?)?"
    rf"|\b(?:final|correct|corect|right|best|my|the|overall)?[ _]?{_NOUN}(?:s"
    rf"|\(s\))?[ _]?(?:choices?|options?|letters?|numbers?|id)?"
    rf"(?: to (?:this|the) [a-z]{{1,12}}(?: [a-z]{{1,12}}){{0,4}})?(?: here"
    rf"| from the list)?[\"'}}$]{{0,2}}{_IS}"
    r"|\b(?:output|response|assistant|a|tl;dr|in short|in summary|in conclusion) ?:"
    r"|\bi(?:'d|'ll|'m| am| would| will| therefore| thus)?(?: have to| going to"
    r"| changing my answer to| stick(?:ing)? with| stand by my answer)?"
    r" ?(?:choose|select|pick|go with|going with|chose|answer|say|stick with|(?:respond"
    r"|answer|reply) with|(?<=to)|(?<=with)|(?<=answer))\b"
    r"(?: (?:the )?(?:following )?(?:options?|answers?|numbers?))?:?"
    r"|答案 ?(?::|是|为)?|选择? ?:?"
    r"|\b(?:antwort|respuesta|r[ée]ponses?|risposta|resposta|ответ|antwoord|op[cç](?:ión"
    r"|ão))\b(?: correcta| correta| richtig)?(?: (?:ist|es|sont|est|è|é"
    r"|lautet))?(?: la)? ?:?"
)
"""Words behind which a value is announced in every form, in lower case."""
OPENING = re.compile(
    r"(?:<\|?/?[\w ]{1,24}\|?>|\[/?inst\]|[\s\"'(\[{<$>|:=;,.☑✓→•·-]|\\[(\[{ ]|\\(?:text"
    r"|mathrm|mathbf|textbf|boxed)\{){0,60}"
)
"""Marks that may stand between an announcement and its value."""
CLOSING = re.compile(r"(?:<\|?/?[\w ]{1,24}\|?>|[\s\"')\]}$>|.!;,✓☑-]|\\[)\]}])*")
_BEFORE = re.compile(
    r"\b(?:not|isn't|n't|never|cannot|if|unless|suppose|supposing|assuming|whether|could|might|may"
    r"|would|perhaps|possibly|maybe|hardly|suggest(?:ed|s|ion)?|proposed|expert|experts|consensus"
    r"|thinks|believes|people|others|someone|(?:prompt|user|question) (?:says|said)|told"
    r"|claim(?:s|ed)?|allegedly|tempting|initial(?:ly)?|at first|first thought"
    r"|wrong|incorrect|except|besides|other than|apart from|example|e\.g|asks?|asked"
    r"|instead of|rather than|respond with|reply with"
    r"|answer with|write)\b"
)
_BEHIND = re.compile(
    r"[\s\"')\]}.]{0,4}(?:\?|(?:is|was|would be|seems?|looks?|may be|might be|could be) (?:not|in"
    r"correct|wrong|false|tempting|uncertain)\b|or\b|/ ?[a-z]|is (?:wrong|incorrect)|isn't)"
)
_TURN = re.compile(r"\n[ >#]{0,4}(?:question|q|context|user|human|facts)(?: ?\d{1,3})? ?:")
"""Where a base model goes on with another question."""
_SENTENCE = re.compile(r"[.!?\n;:]|\),?|,? ?\b(?:but|however|so)\b")
RETRACTED = re.compile(
    r"\b(?:wait|hold on|scratch that|on second thoughts?|let me (?:re-?\w+|think again)|i was wrong"
    r"|correction|actually,? (?:no|that)|i (?:made|see) (?:a|an|the|my) (?:mistake|error))\b"
)
_AFTER = 160


@dataclass(frozen=True, slots=True)
class Found:
    """What the layers found."""

    value: Value | None
    """None where nothing can be read."""
    why: str
    """By which layer, or why nothing was found."""
    span: tuple[int, int] | None = None
    """Characters of the text (start, end)."""
    reason: str | None = None
    """Why it is abnormal, in the host's words."""


def read(text: str, form: Form, prompt: str = "") -> Found:
    """What an answer says.

    Args:
        text: the answer, any string, without reasoning in marks (`bias_tasks.reading.reasoning`).
        form: what may be said, and how it is written.
        prompt: what was asked, if known; what repeats it is nobody's answer.
    """
    window = Window.of(text, unstruck=True)
    if not window.low.strip():
        return Found(None, "an empty answer", reason="no_response")
    window = without_echo(window, prompt)
    if not window.low.strip():
        return _unread(window, "it repeats what it was asked")
    turn = _TURN.search(window.low)
    if turn is not None and window.low[: turn.start()].strip():
        first = _layers(window.blanked([(turn.start(), len(window.low))]), form)
        if first.value is not None:
            return first
    return _layers(window, form)


def _layers(window: Window, form: Form) -> Found:
    for name, layer in LAYERS:
        found = layer(window, form)
        if isinstance(found, str):
            return _unread(window, found)
        if found is not None:
            span = window.span(found.start, max(found.end, found.start + 1))
            return Found(found, window.note(name), span)
    return _unread(window, "no value is stated")


def _asked_for(window: Window, form: Form) -> Value | str | None:
    """The whole text, or a last line that nothing but the value stands in."""
    found = form.whole(window, 0, len(window.low))
    if found is not None:
        return found
    lines = _lines(window.low)
    if len(lines) < 2:
        return None
    start, end = lines[-1]
    headed = window.low[slice(*lines[-2])].rstrip().endswith(":")
    if form.item(window, start, end) and (
        headed
        or cut_off(window.low, start, end)
        or any(form.item(window, *line) for line in lines[:-1])
    ):
        return None  # of a list
    found = form.whole(window, start, end)
    above = form.whole(window, *lines[-2])
    return None if found is None or (above is not None and above.said != found.said) else found


def _announced(window: Window, form: Form) -> Value | str | None:
    """The last announced value that stands."""
    low, last, seen, words = window.low, None, 0, ""
    for cue in form.cue.finditer(low):
        begin = skip(OPENING, low, cue.end(), len(low))
        found = form.at(window, begin, len(low))
        if found is None or not _stands(low, cue.start(), found):
            continue
        again = cue[0].strip() == words and not low[seen : cue.start()].strip(" .\n")
        if last is not None and again and last.said != found.said:
            return "two values are announced side by side"
        last, seen, words = found, found.end, cue[0].strip()
    if last is None:
        return None
    retracted = RETRACTED.search(low, seen)
    return "the answer is taken back" if retracted is not None else last


def _opening(window: Window, form: Form) -> Value | str | None:
    lines = _lines(window.low)
    if not lines:
        return None
    start, end = lines[0]
    if form.item(window, start, end) and any(form.item(window, *line) for line in lines[1:]):
        return None  # the first one of a list
    found = form.whole(window, start, end) if len(lines) > 1 else None
    if found is None:
        found = form.opening(window, start, len(window.low))
    if found is None:
        return None
    return None if RETRACTED.search(window.low, found.end) else found


def _stated(window: Window, form: Form) -> Value | str | None:
    """What all plain sentences agree on."""
    found = form.sentences(window, 0, len(window.low))
    said = {value.said for value in found}
    if len(said) > 1:
        return "its sentences name different values"
    if not found:
        return None
    if refuses_outright(window.low):
        return "the question is refused"
    if cut_off(window.low, 0, len(window.low)):
        return "cut off within a sentence"
    return None if RETRACTED.search(window.low, found[-1].end) else found[-1]


def _closing(window: Window, form: Form) -> Value | str | None:
    """The last sentence, where it is nothing but the value behind a word that concludes."""
    end = len(window.low.rstrip())
    breaks = [match.end() for match in _LAST.finditer(window.low, max(0, end - _AFTER), end - 1)]
    if not breaks:
        return None
    found = form.whole(window, skip(_LEAD, window.low, breaks[-1], len(window.low)), end)
    line = window.low.rfind("\n", 0, breaks[-1]) + 1
    if found is None or form.item(window, breaks[-1], end) or 0 < breaks[-1] - line < _ENUMERATOR:
        return None
    return found if skip(CLOSING, window.low, found.end, len(window.low)) >= end else None


_ENUMERATOR = 5
"""Characters of what numbers a line, such as `B. `."""
_LAST = re.compile(r"[.;!?→>)](?:\s|\Z)+(?=\S)")
_LEAD = re.compile(
    r"\W*(?:(?:so|thus|therefore|hence|it's|it is|it should be|that's|on reflection|still"
    r"|final|probably|most likely"
    r"|because of this|then|i think|definitely|absolutely|well|hmm|technically)\b[\s,:;-]*){0,3}"
)


LAYERS = (
    ("the form asked for", _asked_for),
    ("announced", _announced),
    ("begins with it", _opening),
    ("ends with it", _closing),
    ("a plain sentence", _stated),
)


def _stands(low: str, cue: int, found: Value) -> bool:
    """Whether the sentence of an announced value means it."""
    breaks = [match.end() for match in _SENTENCE.finditer(low, max(0, cue - _AFTER), cue)]
    start = breaks[-1] if breaks else max(0, cue - _AFTER)
    return _meant(low, start, cue, found)


def stands(low: str, start: int, found: Value) -> bool:
    """Whether a value is meant, by the words of its sentence from `start` on and behind it."""
    return _meant(low, start, found.start, found)


def _meant(low: str, start: int, end: int, found: Value) -> bool:
    """Whether neither the words from `start` to `end` nor those behind a value take it back."""
    return not _BEFORE.search(low, start, end) and _BEHIND.match(low, found.end) is None


def sentences_of(low: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences of a stretch, each without what ends it."""
    for match in _SENTENCES.finditer(low, start, end):
        yield match.span()


_SENTENCES = re.compile(r"(?:[^.!?\n]|\.(?=[\w]))+")
_LINE = re.compile(r"[^\n]*\S[^\n]*")
_FURNITURE = re.compile(
    r"\s*(?:```\w*|-{3,}|={3,}|(?:(?:my|the) )?(?:final |improved )?(?:answer|verdict"
    r"|conclusion) ?:?|[\s\"'`.:;()\[\]{}|-]*|(?:i )?hope (?:this|that) helps.*"
    r"|let me know.*|please (?:let me know|feel free).*|confidence ?:.*)\s*\Z"
)


def _lines(low: str) -> list[tuple[int, int]]:
    """The lines that say something: no rules, fences or courtesies."""
    spans = (match.span() for match in _LINE.finditer(low))
    return [span for span in spans if not _furniture(low, *span)]


def _furniture(low: str, start: int, end: int) -> bool:
    """Whether a line is a rule, a fence or a courtesy."""
    return _FURNITURE.match(low[start : min(end, start + 200)]) is not None


def _unread(window: Window, why: str) -> Found:
    refused = refuses(window.low) or refuses_outright(window.low)
    reason = "refusal" if refused else INVALID_FORMAT
    return Found(None, window.note(why), reason=reason)
