"""How the options of a finished prompt look, and the way back from an answer to it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bias_tasks.probing.named import named_labels
from bias_tasks.probing.options_block import Options, find_options


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

    def answer(self, text: str, own: tuple[str, ...], choices: tuple[str, ...] = ()) -> str:
        """An answer with the task's own labels where it names the new.

        All that it names are put back, not the last alone: which of them counts is for the task's
        own reader to say, as it is of a plain answer.

        Args:
            text: what the model said.
            own: the task's own labels, as many as there are options.
            choices: their words, in the order shown.
        """
        if not self.labels:
            return text
        for each in reversed(named_labels(text, self.labels[: len(own)], choices)):
            text = f"{text[: each.begin]}{own[each.place]}{text[each.end :]}"
        return text


def _renamed(text: str, own: tuple[str, ...], new: tuple[str, ...]) -> str:
    """A text with a list of all labels renamed: `A,B,C,D`, `A, B, C, or D`, `A/B/C/D`, `A-D`."""
    apart = r"(?:, ?(?:or |and )?| ?/ ?| or | and )"
    listed = re.compile(rf"\b{apart.join(own)}\b")
    whole = re.compile(rf"\b{own[0]}(?P<to> ?[-\u2013] ?| to | through ){own[-1]}\b")
    text = listed.sub(lambda _: ", ".join(new), text)
    return whole.sub(lambda match: f"{new[0]}{match['to']}{new[-1]}", text)
