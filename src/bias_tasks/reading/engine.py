"""One reader for what models write: the same layers for every form of answer.

The first layer that says something decides: the form asked for (the whole text, or a lone last
line, is the value); the last announced value that stands (`Final answer: 2`, `\\boxed{2}`,
`"score": 7`); a lone first line, or the words that the text begins with; a last sentence that is
nothing but the value; and plain sentences that say what is right, where all of them agree.

What none says is unread, and so is a value behind which the text says another, or takes it back. A
value that its own sentence denies, supposes, quotes or leaves open is none. A form says which
values there are and how they are written (`Form`); the layers are the same for all. All patterns
are linear in the text, of which a bounded window is read.
"""

import re

from bias_tasks.reading.bounds import Window, skip
from bias_tasks.reading.claims import NEAR, clause_of
from bias_tasks.reading.echo import without_echo
from bias_tasks.reading.lists import heading, lines_of
from bias_tasks.reading.patterns import patterns
from bias_tasks.reading.types import ASKED_FOR, INVALID_FORMAT, Reading, Value, not_read
from bias_tasks.reading.why_unread import cut_off, refuses, refuses_outright

_SIDE_BY_SIDE = " .,\n/|()[]{}<>\"'$"


class Form:
    """What may be said, and how it is written."""

    cue: re.Pattern[str]
    """Words behind which a value is announced, in lower case."""
    opens = patterns.opening
    """Marks that may stand before a value."""
    ended: re.Pattern[str]
    """What must follow a value that opens a text."""

    def prepared(self, window: Window) -> Window:
        """The window as it is read."""
        return window

    def at(self, window: Window, start: int, end: int) -> Value | None:
        """The value that a stretch begins with."""
        raise NotImplementedError

    def alone(self, window: Window, start: int, end: int) -> Value | None:
        """The value that a stretch is, with nothing beside it but marks and its own text."""
        found = self.at(window, skip(self.opens, window.low, start, end), end)
        if found is None:
            return None
        return found if skip(patterns.closing, window.low, found.end, end) == end else None

    def opening(self, window: Window, start: int, end: int) -> Value | None:
        """The value that a text begins with, before it explains it."""
        begin = skip(self.opens, window.low, start, end)
        found = self.at(window, begin, end)
        if found is None or self.ended.match(window.low, found.end, end) is None:
            return None
        return found if stands(window.low, begin, found) else None

    def sentences(self, window: Window, start: int, end: int) -> list[Value]:
        """What plain sentences call right."""
        return []

    def gainsays(self, window: Window, found: Value, start: int) -> bool:
        """Whether sentences from `start` on call another value right."""
        behind = self.sentences(window, start, len(window.low))
        return any(each.said != found.said for each in behind)


def read(text: str, form: Form, prompt: str = "") -> Reading:
    """What an answer says: its label as the value is written, and its value.

    Args:
        text: the answer, any string, without reasoning in marks (`bias_tasks.reading.reasoning`).
        form: what may be said, and how it is written.
        prompt: what was asked, if known; what repeats it is nobody's answer.
    """
    window = Window.of(text, unstruck=True)
    if not window.low.strip():
        return not_read("an empty answer", "no_response")
    window = without_echo(window, prompt)
    if not window.low.strip():
        return _unread(window, "it repeats what it was asked")
    window = form.prepared(window)
    turn = patterns.turn.search(window.low)
    if turn is not None and window.low[: turn.start()].strip():
        first = _layers(window.blanked([(turn.start(), len(window.low))]), form)
        if not first.unread:
            return first
    return _layers(window, form)


def _layers(window: Window, form: Form) -> Reading:
    for name, layer in LAYERS:
        found = layer(window, form)
        if isinstance(found, str):
            return _unread(window, found)
        if found is not None:
            span = window.span(found.start, max(found.end, found.start + 1))
            return Reading(str(found.said), found.said, (), window.note(name), span)
    return _unread(window, "no value is stated")


def _asked_for(window: Window, form: Form) -> Value | str | None:
    """The whole text, or a last line that nothing but the value stands in."""
    found = form.alone(window, 0, len(window.low))
    if found is not None:
        return found
    lines = lines_of(window.low, 0, len(window.low))
    if not lines:
        return None
    start, end = lines[-1]
    (said, right), empty = heading(window.low, start), window.low[start:end].rstrip()[-1:] == ":"
    if empty or right is False or patterns.reasons.search(said):
        return None  # a heading, behind which nothing came; what it calls wrong, or goes through
    found, above = form.alone(window, start, end), lines[-2:-1]
    others = [form.alone(window, *line) for line in above]
    return None if any(found and each and each.said != found.said for each in others) else found


def _announced(window: Window, form: Form) -> Value | str | None:
    """The last announced value that stands."""
    low, last, seen, words, beside = window.low, None, 0, "", False
    for cue in form.cue.finditer(low):
        found = form.at(window, skip(patterns.opening, low, cue.end(), len(low)), len(low))
        if found is None or cue.start() < seen or not _stands(low, cue, found):
            continue
        between = low[seen : cue.start()]
        apart = between.strip(_SIDE_BY_SIDE) and patterns.objects_beside.fullmatch(between) is None
        again = cue[0].strip() == words and not apart
        beside = last is not None and again and (beside or last.said != found.said)
        last, seen, words = found, found.end, cue[0].strip()
    if beside:
        return "two values are announced side by side"
    final = (patterns.final if last is None else patterns.final_either).search(low, seen)
    if final is not None:
        return "a final answer that says no value"
    return _unless_gainsaid(window, form, last)


def _opening(window: Window, form: Form) -> Value | str | None:
    lines = lines_of(window.low, 0, len(window.low))
    if not lines:
        return None
    start, end = lines[0]
    found = form.alone(window, start, end) if len(lines) > 1 else None
    last = form.alone(window, *lines[-1])
    if found is not None and last is not None and found.said != last.said:
        return "its lines say different values"
    return _unless_gainsaid(window, form, found or form.opening(window, start, len(window.low)))


def _unless_gainsaid(window: Window, form: Form, found: Value | None) -> Value | str | None:
    """A value behind which nothing takes it back or says another."""
    if found is None:
        return None
    low, last = window.low, _closing(window, form)
    retracted = patterns.retracted.search(low, found.end)
    if retracted is not None:
        again = last is not None and last.start >= retracted.end()
        return last if again else "the answer is taken back"
    if last is not None and last.start > found.end and last.said != found.said:
        own = not low[found.end : last.start].strip(" .:)")  # `4. None of the above`
        return found if own else "its end says another"
    if form.gainsays(window, found, max(found.end, len(low) - NEAR)):
        return "what stands behind it says another"
    return found


def _stated(window: Window, form: Form) -> Value | str | None:
    """What all plain sentences agree on."""
    retracted = [each.end() for each in patterns.retracted.finditer(window.low)]
    found = form.sentences(window, max(retracted, default=0), len(window.low))
    if not found:
        return None
    if len({value.said for value in found}) > 1:
        return "its sentences name different values"
    if refuses_outright(window.low):
        return "the question is refused"
    if cut_off(window.low, 0, len(window.low)):
        return "cut off within a sentence"
    return found[-1]


def _closing(window: Window, form: Form) -> Value | None:
    """The last sentence, where it is nothing but the value behind a word that concludes."""
    low = window.low
    end = len(low.rstrip())
    last = end - len(low[:end].rstrip(_SIDE_BY_SIDE))
    breaks = [each.end() for each in patterns.last.finditer(low, max(0, end - NEAR), end - last)]
    if not breaks:
        return None
    before = low[: breaks[-1]].rstrip()
    said, right = heading(low, breaks[-1])
    if before.endswith(":") and (right is False or patterns.reasons.search(said)):
        return None
    found = form.alone(window, skip(patterns.lead, low, breaks[-1], end), end)
    return found if found and skip(patterns.closing, low, found.end, end) == end else None


LAYERS = (
    (ASKED_FOR[0], _asked_for),
    ("announced", _announced),
    ("begins with it", _opening),
    ("ends with it", _closing),
    ("a plain sentence", _stated),
)


def _stands(low: str, cue: re.Match[str], found: Value) -> bool:
    """Whether the sentence of an announced value means it."""
    begin = clause_of(low, cue.start())
    return not _quoted(low, begin, cue, found) and stands(low, begin, found, cue.start())


def _quoted(low: str, begin: int, cue: re.Match[str], found: Value) -> bool:
    """Whether an announcement stands in quotation marks with its value, behind other words."""
    line = low.rfind("\n", 0, begin) + 1
    before = low[line : cue.start()]
    if before.count('"') % 2 == 0 or '"' in cue[0] or '"' not in low[found.end - 1 : found.end + 3]:
        return False
    return bool(before[: before.rfind('"')].strip())


def stands(low: str, start: int, found: Value, end: int | None = None) -> bool:
    """Whether a value is meant: neither the words of its sentence from `start` on (to `end`, or to
    the value) nor those behind it take it back."""
    before = patterns.before.search(low, start, found.start if end is None else end)
    return before is None and patterns.behind.match(low, found.end) is None


SENTENCES = re.compile(r"(?:[^.!?\n]|\.(?=[\w]))+")
"""The sentences of a text, each without what ends it."""


def _unread(window: Window, why: str) -> Reading:
    refused = refuses(window.low) or refuses_outright(window.low)
    return not_read(window.note(why), "refusal" if refused else INVALID_FORMAT)
