"""The same words, in the dress of Markdown."""

from __future__ import annotations

import random

from bias_tasks.judging.probes.dressing import Dressing, lines_of, sentences_of

HEADINGS = ("## Answer", "## Response", "## Solution")


class Formatting(Dressing):
    """A heading, the lead sentence in bold, and every further sentence as a bullet.

    What is set already, such as code, lists and tables, stays as it is.
    """

    name = "formatting"
    meaning = "in Markdown: a heading, its first sentence in bold, its other sentences as bullets"

    def dressed(self, response: str, rng: random.Random) -> str:
        """The same words in the same order, below a heading."""
        made = [rng.choice(HEADINGS), ""]
        lead = True
        for line in lines_of(response.strip("\n")):
            if not line.prose:
                made.append(line.text)
                continue
            for sentence in sentences_of(line.text):
                made += [_bold(sentence), ""] if lead else [f"- {sentence}"]
                lead = False
        return "\n".join(made).rstrip()


def _bold(sentence: str) -> str:
    """In bold; a sentence that has such marks of its own is left to them."""
    return sentence if "**" in sentence or "__" in sentence else f"**{sentence}**"
