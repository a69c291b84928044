"""One reader for what models write: the same layers for every form of answer.

The first layer that says something decides: the form asked for (the whole text, or a lone last
line, is the value); the last announced value that stands (`Final answer: 2`, `\\boxed{2}`,
`"score": 7`); verdicts on every option, one by one; a lone first line, or the words that the text
begins with; a last sentence that is nothing but the value; plain sentences that call a value right,
where all of them agree; and a sentence that says one thing of several options, where none says it
of others.

What none says is unread, and so is a value behind which the text says another, or takes it back. A
value that its own sentence denies, supposes, quotes or leaves open is none. A form says which
values there are and how they are written (`Form`); the layers are the same for all. All patterns
are linear in the text, of which a bounded window is read.
"""

import re
from importlib.resources import files

import yaml

from bias_tasks.reading.bounds import Window, skip
from bias_tasks.reading.echo import without_echo
from bias_tasks.reading.types import ASKED_FOR, INVALID_FORMAT, Reading, Value, not_read
from bias_tasks.reading.why_unread import cut_off, refuses, refuses_outright


def _patterns() -> dict[str, str]:
    found: dict[str, str] = {}
    written = files(__package__).joinpath("patterns.yaml").read_text(encoding="utf-8")
    for name, row in yaml.safe_load(written).items():
        text = f"(?:{'|'.join(row)})" if isinstance(row, list) else "".join(row.splitlines())
        found[name] = _REFERENCE.sub(lambda match: found[match[1]], text)
    return found


_REFERENCE = re.compile(r"\{([a-z_]+)\}")
PATTERNS = _patterns()
"""How values are written and announced, by name; they stand in `patterns.yaml`."""


def pattern(name: str) -> re.Pattern[str]:
    """A row of `patterns.yaml`, in lower case as the text that it is looked for in."""
    return re.compile(PATTERNS[name])


OPENING, CLOSING, RETRACTED = map(pattern, ("opening", "closing", "retracted"))
_BEFORE, _BEHIND, _TURN, _LEAD = map(pattern, ("before", "behind", "turn", "lead"))
_DENIED = re.compile(rf"\b(?:{PATTERNS['denied']}|{PATTERNS['wrong']})\b")
_SENTENCE = re.compile(
    r"[.!?\n;:]|\$\$|\),?|,? ?\b(?:but|however|so)\b|, (?:and|thus|hence|therefore)\b"
    r"|\b(?:while|whereas|(?:al)?though|since|because)\b[^.,!?\n;:]{1,120},(?= )"
)
_SIDE_BY_SIDE = " .,\n/|()[]{}<>\"'$"
_AFTER = 160
"""Characters beside a value in which its sentence, or what gainsays it, is looked for."""


class Form:
    """What may be said, and how it is written."""

    cue: re.Pattern[str]
    """Words behind which a value is announced, in lower case."""
    opens = OPENING
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
        return found if skip(CLOSING, window.low, found.end, end) == end else None

    def opening(self, window: Window, start: int, end: int) -> Value | None:
        """The value that a text begins with, before it explains it."""
        begin = skip(self.opens, window.low, start, end)
        found = self.at(window, begin, end)
        if found is None or self.ended.match(window.low, found.end, end) is None:
            return None
        return found if stands(window.low, begin, found) else None

    def affirmed(self, window: Window) -> Value | None:
        """What a sentence says to be so, where nothing is called right."""
        return None

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
    turn = _TURN.search(window.low)
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
    above = lines[-2] if len(lines) > 1 else (0, 0)
    heading = window.low[slice(*above)].rstrip()
    if heading.endswith(":") and _DENIED.search(heading) is not None:
        return None
    if window.low[start:end].rstrip().endswith(":"):
        return None  # a heading, behind which nothing came
    found, other = form.alone(window, start, end), form.alone(window, *above)
    return None if found is None or (other is not None and other.said != found.said) else found


def _announced(window: Window, form: Form) -> Value | str | None:
    """The last announced value that stands."""
    low, last, seen, words, beside = window.low, None, 0, "", False
    for cue in form.cue.finditer(low):
        found = form.at(window, skip(OPENING, low, cue.end(), len(low)), len(low))
        if found is None or cue.start() < seen or not _stands(low, cue, found):
            continue
        gap = low[cue.end() : found.start]
        if "\n" in gap and (cue[0].endswith("|") or _TICKED.search(gap + low[found.end :])):
            continue  # the head of a column, or of options that are ticked one by one
        if len(cue[0].strip(" :")) == 1 and form.at(window, cue.start(), len(low)) is not None:
            continue  # `Option A: Paris`
        between = low[seen : cue.start()]
        apart = between.strip(_SIDE_BY_SIDE) and _OBJECTS.fullmatch(between) is None
        again = cue[0].strip() == words and not apart
        beside = last is not None and again and (beside or last.said != found.said)
        last, seen, words = found, found.end, cue[0].strip()
    if beside:
        return "two values are announced side by side"
    final = (_FINAL if last is None else _EITHER).search(low, seen)
    if final is not None:
        return "a final answer that says no value"
    return _unless_gainsaid(window, form, last)


_TICK = re.compile("[✓✗☐☑]")
_TICKED = re.compile("[✓✗☐☑][^\n]*\n[^\n]{0,4}[✓✗☐☑]")
_OBJECTS = re.compile(r"[^{}]*\},\s*\{\s*")
_FINAL = re.compile(r"final answer\W{0,6}:\s*\w")
_EITHER = re.compile(r"final answer\W{0,6}:\s*either\b")


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
    retracted = RETRACTED.search(low, found.end)
    if retracted is not None:
        again = last is not None and last.start >= retracted.end()
        return last if again else "the answer is taken back"
    if last is not None and last.start > found.end and last.said != found.said:
        return found if _own_text(low, found, last) else "its end says another"
    if form.gainsays(window, found, max(found.end, len(low) - _AFTER)):
        return "what stands behind it says another"
    return found


def _own_text(low: str, found: Value, other: Value) -> bool:
    """Whether a value is the text of the option before it, as in `4. None of the above`."""
    return not low[found.end : other.start].strip(" .:)")


def _stated(window: Window, form: Form) -> Value | str | None:
    """What all plain sentences agree on."""
    found = form.sentences(window, 0, len(window.low))
    if not found:
        return None
    if len({value.said for value in found}) > 1:
        return "its sentences name different values"
    if refuses_outright(window.low):
        return "the question is refused"
    if cut_off(window.low, 0, len(window.low)):
        return "cut off within a sentence"
    return found[-1]


def _affirmed(window: Window, form: Form) -> Value | str | None:
    found = form.affirmed(window)
    return "the question is refused" if found and refuses_outright(window.low) else found


def _closing(window: Window, form: Form) -> Value | None:
    """The last sentence, where it is nothing but the value behind a word that concludes."""
    low = window.low
    end = len(low.rstrip())
    last = end - len(low[:end].rstrip(_SIDE_BY_SIDE))
    breaks = [each.end() for each in _LAST.finditer(low, max(0, end - _AFTER), end - last)]
    if not breaks:
        return None
    before = low[: breaks[-1]].rstrip()
    if _TICKED.search(low) is not None and _TICK.search(low, breaks[-1], end) is not None:
        return None  # the last one of a list
    if before.endswith(":") and _DENIED.search(before, clause_of(before, len(before) - 1)):
        return None
    found = form.alone(window, skip(_LEAD, low, breaks[-1], end), end)
    return found if found and skip(CLOSING, low, found.end, end) == end else None


_LAST = pattern("last")
"""Where the last sentence may begin; behind what numbers a line, such as `B. `, none does."""


LAYERS = (
    (ASKED_FOR[0], _asked_for),
    ("announced", _announced),
    ("begins with it", _opening),
    ("ends with it", _closing),
    ("a plain sentence", _stated),
    ("affirmed of several", _affirmed),
)


def _stands(low: str, cue: re.Match[str], found: Value) -> bool:
    """Whether the sentence of an announced value means it."""
    begin = clause_of(low, cue.start())
    return not _quoted(low, begin, cue, found) and stands(low, begin, found, cue.start())


def clause_of(low: str, end: int) -> int:
    """Where the clause begins that goes on at `end`."""
    start = max(0, end - _AFTER)
    return max([start, *(each.end() for each in _SENTENCE.finditer(low, start, end))])


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
    before = _BEFORE.search(low, start, found.start if end is None else end)
    return before is None and _BEHIND.match(low, found.end) is None


def lines_of(low: str, start: int, end: int) -> list[tuple[int, int]]:
    """The lines of a stretch that hold more than marks."""
    return [line.span() for line in _LINE.finditer(low, start, end) if _SAID.search(line[0])]


SENTENCES = re.compile(r"(?:[^.!?\n]|\.(?=[\w]))+")
"""The sentences of a text, each without what ends it."""
_LINE, _SAID = re.compile(r"[^\n]+"), re.compile("[\\w✓✗☐☑∅\ue000-\uf8ff]|\\[\\]")


def _unread(window: Window, why: str) -> Reading:
    refused = refuses(window.low) or refuses_outright(window.low)
    return not_read(window.note(why), "refusal" if refused else INVALID_FORMAT)
