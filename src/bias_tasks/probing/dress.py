"""How the options of a finished prompt look, and the way back from an answer to it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bias_tasks.probing.options_block import Options, find_options

_ENDS = r"(?=\s{0,3}(?:$|\n|[).\],:;*_<\"'$]|because\b|since\b))"
"""What may stand behind a label: "Answer: I" names one, "Answer: I think ..." does not."""
_ANSWER = re.compile(
    r"\b(?:answer|option|choice)[*_]{0,2}\s{0,4}(?:is\b|:|=)?[:*_]{0,4}\s{0,4}[(\[\"'$*_>]{0,4}"
    rf"(?P<label>[A-Za-z0-9]{{1,5}}){_ENDS}",
    re.IGNORECASE,
)
_LEAD = (
    r"\b(?:answers?|options?|choices?)[*_]{0,2}\s{0,4}(?:is\b|are\b|:|=)?"
    r"[:*_]{0,4}\s{0,4}[(\[\"'$*_>]{0,4}"
)
_APART = r"(?:\s{0,3}[,;&/]\s{0,3}(?:and\s{1,3})?|\s{1,3}and\s{1,3})"
"""What stands between labels where an answer names several."""
_BARE = re.compile(rf"^\s{{0,20}}[*_(\[\"'$]{{0,4}}(?P<label>[A-Za-z0-9]{{1,5}}){_ENDS}")
_LONGEST = 100_000
"""Characters of an answer in which its label is looked for: the last ones."""


@dataclass(frozen=True, slots=True)
class Dress:
    """Other labels, marks and lines for the same options."""

    labels: tuple[str, ...] = ()
    """Empty for the task's own."""
    mark: str = ""
    """How a label is set, `({label}) `; empty for the task's own way."""
    between: str = ""
    """What stands between two options; empty for the task's own."""
    capitals: str = ""
    """`upper` or `lower` for the words of the options; empty as they are."""

    def options_of(self, prompt: str, count: int | None = None) -> Options | None:
        """The options that it would dress; None where the prompt has none that can be found."""
        found = find_options(prompt, count)
        if found is None or (self.labels and len(found.labels) > len(self.labels)):
            return None
        return found

    def prompt(self, prompt: str, count: int | None = None) -> str:
        """The prompt with its options dressed.

        Where the instruction names the labels ("one of A,B,C,D"), it names the new ones.

        Raises:
            ValueError: the prompt prints no options that can be found.
        """
        found = self.options_of(prompt, count)
        if found is None:
            raise ValueError("the prompt prints no options that can be found")
        texts = found.texts
        if self.capitals:
            texts = tuple(getattr(text, self.capitals)() for text in texts)
        labels = self.labels[: len(found.labels)] or found.labels
        block = found.printed(labels, texts, self.mark, self.between)
        before, behind = prompt[: found.begin], prompt[found.end :]
        if self.labels:
            before, behind = (_renamed(part, found.labels, labels) for part in (before, behind))
        return f"{before}{block}{behind}"

    def answer(self, text: str, own: tuple[str, ...]) -> str:
        """An answer with the task's own label where it names one of the new.

        Args:
            text: what the model said.
            own: the task's own labels, as many as there are options.
        """
        if not self.labels:
            return text
        several = self._several(text, own)
        if several is not None:
            return several
        back = {label.casefold(): own[place] for place, label in enumerate(self.labels[: len(own)])}
        start = max(len(text) - _LONGEST, 0)
        head, tail = text[:start], text[start:]
        named = [each for each in _ANSWER.finditer(tail) if each["label"].casefold() in back]
        bare = _BARE.match(text)
        if named:
            match = named[-1]
            label = back[match["label"].casefold()]
            return f"{head}{tail[: match.start('label')]}{label}{tail[match.end('label') :]}"
        if bare is not None and bare["label"].casefold() in back:
            label = back[bare["label"].casefold()]
            return f"{text[: bare.start('label')]}{label}{text[bare.end('label') :]}"
        return text

    def _several(self, text: str, own: tuple[str, ...]) -> str | None:
        """An answer that names several labels with all of them the task's own; None for others."""
        new = self.labels[: len(own)]
        label = f"(?:{'|'.join(sorted(map(re.escape, new), key=len, reverse=True))})"
        listed = re.compile(
            rf"(?:^\s{{0,20}}|{_LEAD})(?P<all>{label}(?:{_APART}{label}){{1,25}})(?!\w)",
            re.IGNORECASE,
        )
        found = list(listed.finditer(text, max(len(text) - _LONGEST, 0)))
        if not found:
            return None
        back = dict(zip((each.casefold() for each in new), own, strict=True))
        one = re.compile(rf"(?<!\w){label}(?!\w)", re.IGNORECASE)
        begin, end = found[-1].span("all")
        named = one.sub(lambda match: back[match[0].casefold()], text[begin:end])
        return f"{text[:begin]}{named}{text[end:]}"


def _renamed(text: str, own: tuple[str, ...], new: tuple[str, ...]) -> str:
    """A text with a list of all labels renamed: `A,B,C,D`, `A, B, C, or D`, `A/B/C/D`, `A-D`."""
    apart = r"(?:, ?(?:or |and )?| ?/ ?| or | and )"
    listed = re.compile(rf"\b{apart.join(own)}\b")
    whole = re.compile(rf"\b{own[0]}(?P<to> ?[-\u2013] ?| to | through ){own[-1]}\b")
    text = listed.sub(lambda _: ", ".join(new), text)
    return whole.sub(lambda match: f"{new[0]}{match['to']}{new[-1]}", text)
