"""Remove the reasoning that models write into the same text as their answer.

This is the only place that knows how chat templates mark reasoning. Text between an opening and a
closing tag is removed, and so is everything before a closing tag without an opening one, because
templates often print the opening tag themselves. Reasoning that never ends was cut off: if its
opening tag begins a line, the rest is removed. A tag that is quoted, or part of a JSON answer,
marks nothing. Removal is idempotent: the visible text has no tag left that marks reasoning.
"""

import re
from dataclasses import dataclass
from itertools import islice

_NAMES = (
    "think|thinking|thoughts?|thought_process|thinking_process|reasoning|internal_reasoning"
    "|inner_monologue|scratchpad|reflection|cot|seed:think|longcat_think|mm:think"
)
# Tags of DeepSeek-R1, Qwen3, GLM, Granite 3.3, EXAONE, Seed-OSS and LongCat; marks of Mistral,
# Sky-T1, Command, Kimi, Apertus, MedGemma and Gemma; channels of gpt-oss, also with special tokens
# skipped; headings of Granite 3.2 and of servers that print reasoning.
_REASONING_TAG = re.compile(
    rf"(?P<open_tag>(?:<|&lt;) ?(?:{_NAMES}) ?(?:>|&gt;)"
    r"|\[THINK\]|<\|(?:begin_of_thought|START_THINKING|inner_prefix|think)\|>|◁think▷"
    r"|<unused94>(?:thought\b)?|<\|channel>thought\b)"
    rf"|(?P<close>(?:<|&lt;) ?/ ?(?:{_NAMES}) ?(?:>|&gt;)"
    r"|\[/THINK\]|<\|(?:end_of_thought|END_THINKING|inner_suffix|/think)\|>|◁/think▷"
    r"|<unused95>|<channel\|>|<\|channel\|>final\b[^<\n]{0,80}<\|message\|>|assistantfinal)"
    r"(?:\s{0,50}<response>)?"  # Granite 3.3 encloses its answer, too
    r"|(?P<open_channel><\|channel\|>(?:analysis|commentary)\b[^<\n]{0,80}<\|message\|>)"
    r"|(?P<end><\|(?:end|call)\|>|assistantcommentary)"
    r"|(?P<open_words>Here is my thought process:|Thinking\.\.\.(?=\n)"
    r"|(?-i:analysis(?=[A-Z\"'*])))"
    r"|(?P<end_words>Here is my response:|\.\.\.done thinking\.)"
    r"|(?P<mark><\|(?:begin_of_solution|end_of_solution|START_RESPONSE|END_RESPONSE|return"
    r"|message)\|>|<\|start\|>(?:assistant)?)",
    re.I,
)
_HINTS = ("<", "&lt;", "[", "◁", "tantf", "tantc", "analy", "my thought", "...")
"""One of these is in every text with reasoning, in lower case. Looking for them is fast. They have
no i, k and s, which match other characters, too, if case is ignored."""
_RESPONSE_END = re.compile(r"</response>\s*\Z")
MAX_TAGS = 10_000
"""Tags of an answer; one with more never ends its reasoning."""
_LOOK_BACK = 200
"""Characters before a tag in which visible text is looked for."""
_QUOTES = frozenset("\"'`“”‘’«»")
_AFTER_QUOTE = frozenset((*" \n\t,.;:!?)}]", ""))


@dataclass(frozen=True, slots=True)
class VisibleText:
    """An answer without its reasoning."""

    text: str
    """The pieces outside of reasoning, joined by blanks."""
    unfinished: bool
    """Whether the answer ends within its reasoning."""
    _pieces: tuple[tuple[int, int], ...] = ((0, 0),)
    """For each piece its position in `text` and in the answer."""

    @classmethod
    def from_text(cls, answer: str) -> "VisibleText":
        """Remove the reasoning from an answer, any string, in linear time."""
        low = answer.lower()
        is_plain = low[:200].lstrip().startswith("{") or not any(hint in low for hint in _HINTS)
        if is_plain or _REASONING_TAG.search(answer) is None:
            return cls(answer, False)
        spans, unfinished = _visible_spans(answer)
        kept = [span for span in spans if not answer[slice(*span)].isspace()] or spans[-1:]
        pieces, length = [], 0
        for start, end in kept:
            pieces.append((length, start))
            length += end - start + 1
        text = " ".join(answer[start:end] for start, end in kept)
        return cls(text, unfinished, tuple(pieces) or ((0, 0),))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the answer that a non-empty span of `text` comes from."""
        return self._offset(start), self._offset(end - 1) + 1

    def _offset(self, position: int) -> int:
        begin, offset = next(piece for piece in reversed(self._pieces) if piece[0] <= position)
        return offset + position - begin


def without_reasoning(answer: str) -> str:
    """Return an answer without its reasoning and the white space around it."""
    return VisibleText.from_text(answer).text.strip()


def _visible_spans(answer: str) -> tuple[list[tuple[int, int]], bool]:
    """Return the spans outside of reasoning, and whether the answer ends within reasoning."""
    tags = list(islice(_REASONING_TAG.finditer(answer), MAX_TAGS))
    if len(tags) == MAX_TAGS:
        return [], True
    tags = [tag for tag in tags if not _is_quoted(answer, tag)]
    closing = (tag.end() for tag in tags if tag.lastgroup in ("close", "end", "end_words"))
    last_close = max(closing, default=0)
    spans: list[tuple[int, int]] = []
    start, thinking, visible = 0, False, False
    for tag in tags:
        kind = tag.lastgroup or ""
        if thinking:
            if kind in ("close", "end", "end_words"):
                start, thinking = tag.end(), False
            continue
        before = answer[max(start, tag.start() - _LOOK_BACK) : tag.start()]
        visible = visible or bool(before.strip())
        in_line = bool(before.rpartition("\n")[2].strip())
        spoken_of = {
            "open_words": visible,
            "open_tag": in_line and tag.start() >= last_close,
            "end_words": True,
        }
        if spoken_of.get(kind, False):
            visible = True
            continue
        if kind == "close":
            spans.clear()
            visible = False
        else:
            spans.append((start, tag.start()))
        start, thinking = tag.end(), kind.startswith("open")
    if not thinking:
        is_response = answer.endswith("<response>", 0, start)
        end = _RESPONSE_END.search(answer, start) if is_response else None
        spans.append((start, end.start() if end else len(answer)))
    return [(begin, end) for begin, end in spans if begin < end], thinking


def _is_quoted(answer: str, tag: re.Match[str]) -> bool:
    """Return whether a quotation ends right after a tag, which is then spoken about."""
    after = answer[tag.end() : tag.end() + 2]
    return after[:1] in _QUOTES and after[1:] in _AFTER_QUOTE
