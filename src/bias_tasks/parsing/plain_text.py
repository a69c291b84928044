"""The words of an answer without markup, and the place of each in the answer.

Markers such as `\\boxed{B}`, `[[B]]` and `<answer>B</answer>` become `⟦B⟧`; a labelled line becomes
`label: value`. A very long answer is reduced to both ends, where its value is.
"""

import re
from collections.abc import Iterable, Sequence
from copy import copy

from bias_tasks.parsing.echo import find_echoes
from bias_tasks.parsing.spelling import SPELLING

HEAD, TAIL = 4_000, 16_000
"""Characters kept of the beginning and the end of a very long answer."""
_END_TOKEN = re.compile(
    r"(?<=[^\s>])\s*(?:<\|[^|<>\n]{1,30}\|>|</?(?:s|eos|bos|pad|eoa|eop|eot|unk|end_of_turn)>)"
)
_FORMATTED = (
    r"\\(?:text|textbf|textit|mathrm|mathbf|bf|rm|boldsymbol|mathsf)\s*\{(?P<kept>[^{}]*)\}"
)
_BRACED = r"(?P<kept>(?:[^{}\n]|\{(?:[^{}\n]|\{[^{}\n]{0,80}\}){0,80}\}){0,200})"
# Each pattern, and what replaces its words before and after the kept ones.
_MARKUP: Sequence[tuple[re.Pattern[str], str, str]] = [
    (re.compile(pattern, re.I | re.M), before, behind)
    for pattern, before, behind in (
        (r"~~[^~\n]{1,400}~~|<(?P<struck>s|del)>[^<\n]{1,400}</(?P=struck)>", "", ""),
        (r"(?<! )[ ]*\n\s*", "\n", ""),
        (r"(?<=[ ]{4})[ ]+|<\|[^|<>\n]{1,30}\|>|</?(?:s|p|b|i|u|em|strong|br) ?/?>", "", ""),
        (rf"\\?\bf?boxed\s*\{{{_BRACED}\}}", "⟦", "⟧"),
        (r"\\?\bboxed\s*\[(?P<kept>[^\[\]\n]{0,80})\]", "⟦", "⟧"),
        (r"(?<=\\)[dt](?=frac)|\\[,;! ]|~", "", ""),
        (r"\{\\(?:bf|rm|it)\s+(?P<kept>[^{}]*)\}", "", ""),
        *((_FORMATTED, "", ""),) * 3,
        (r"\[\[(?P<kept>[^\[\]\n]{0,80}(?:\[[^\[\]\n]{0,20}\])?)\]\]", "⟦", "⟧"),
        (
            r"<(?P<tag>answer|choice|verdict|score|rating|label)>(?P<kept>[^<]{0,200})</(?P=tag)>",
            "⟦",
            "⟧",
        ),
        (r"【(?P<kept>[^】\n]{1,20})】\s*:?", "\n", ": "),
        (r"^\s*\[(?P<kept>[A-Za-z ]{4,20})\]\s*:?\s*(?=\S)", "", ": "),
        (r"^[ ]*#{4}[ ]*(?=[^#\s]{1,9}[ ]*$)", "Answer: ", ""),
        (r"\*\*|__|^[ ]*`{3,}[ ]*\w*|`+|\$|\\[()\[\]]|^[ ]*(?:#{1,6}|\|)[ ]*", "", ""),
        (r"^[ ]*>[ ]*", "›", ""),
        (r"⟦\s*(?P<kept>[A-Za-z ]{3,20})\s*⟧\s*:", "", ": "),
        (r"(?<=\d)½", ".5", ""),
    )
]
Edit = tuple[int, int, str]
"""Start and end of what is replaced, and its replacement."""


class PlainText:
    """A text with the place in the answer of each character.

    Attributes:
        text: The words.
    """

    def __init__(
        self, visible_text: str, prompt: str = "", options: Sequence[str] = (), quoted: str = ""
    ) -> None:
        """Remove the markup of a text.

        Args:
            visible_text: An answer without reasoning, or an option.
            prompt: The prompt, if known; repetitions of it are removed.
            options: The texts of its options, which an answer may repeat.
            quoted: The model's own earlier answer, if the prompt quotes it.
        """
        length = len(visible_text)
        tail = max(HEAD, length - TAIL)
        kept = visible_text[:HEAD] + visible_text[tail:]
        self.text = kept.translate(SPELLING)
        self._offsets = [*range(min(HEAD, length)), *range(tail, length)]
        if len(self.text) < len(kept):
            spelled = zip(self._offsets, kept, strict=True)
            self._offsets = [at for at, char in spelled if SPELLING[ord(char)] is not None]
        echoes = find_echoes(self.text, prompt, options, quoted)
        self.replace(
            (start, end, "\n" if "\n" in self.text[start:end] else " ") for start, end in echoes
        )
        end = _END_TOKEN.search(self.text)
        self.replace([(end.start(), len(self.text), "")] if end else [])
        for pattern, before, behind in _MARKUP:
            if pattern.search(self.text):
                matches = pattern.finditer(self.text)
                self.replace(edit for match in matches for edit in _keep(match, before, behind))

    def replace(self, edits: Iterable[Edit]) -> None:
        """Replace parts of the text.

        Args:
            edits: The parts from left to right; none overlaps another.
        """
        pieces, offsets, at = list[str](), list[int](), 0
        for start, end, new in edits:
            pieces += [self.text[at:start], new]
            offsets += self._offsets[at:start] + self._offsets[start : start + 1] * len(new)
            at = end
        self.text = "".join([*pieces, self.text[at:]])
        self._offsets = offsets + self._offsets[at:]

    def until(self, end: int) -> "PlainText":
        """Return the beginning of the text.

        Args:
            end: Index behind its last character.
        """
        beginning = copy(self)
        beginning.text, beginning._offsets = self.text[:end], self._offsets[:end]
        return beginning

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the visible text that a non-empty span comes from.

        Args:
            start: Index of its first character in the plain text.
            end: Index behind its last character.
        """
        return self._offsets[start], self._offsets[end - 1] + 1


def _keep(match: re.Match[str], before: str, behind: str) -> tuple[Edit, Edit]:
    """Return the edits that leave of a match its kept words alone."""
    start, end = match.span("kept") if "kept" in match.re.groupindex else (match.end(),) * 2
    return (match.start(), start, before), (end, match.end(), behind)


def plain(text: str) -> str:
    """Return a short text without markup.

    Args:
        text: The text of an option, or a literal of a prompt.
    """
    return PlainText(text).text.strip()
