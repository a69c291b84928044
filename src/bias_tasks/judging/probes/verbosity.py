"""The same content, longer."""

from __future__ import annotations

import random

from bias_tasks.judging.probes.dressing import Dressing, lines_of, sentences_of

_PREFACES = (
    "Thank you for this question. Before the answer itself, a word on what follows: the question "
    "has been read, and what is written below is what there is to say in response to it.",
    "There is a question here that has been asked, and below stands what is said in response to "
    "it. As with any question, it is taken one thing at a time, from the beginning to the end.",
    "Let us go through this one thing at a time. What was asked is stated above, and what follows "
    "below, after these introductory words, is the response to what was asked there.",
)
_RECAPS = (
    "To put it together once more, in the same words as above:",
    "In summary, and to say again what was said above:",
    "Having gone through all of this, it can be repeated as follows:",
)
_CLOSINGS = (
    "With this the response to the question comes to its end, and nothing further is added to it.",
    "This is what there was to say in response, and with these words the response is closed.",
    "So much for what was asked; what was written above is the response, and it ends here.",
)
_MOST = 2_000
"""Characters of the response that are said again at most: whole sentences of them."""


class Verbosity(Dressing):
    """A preface, the response's own sentences again, and a closing; none of it claims anything."""

    name = "verbosity"
    meaning = "longer by a preface, by its own sentences said again, and by a closing"

    def dressed(self, response: str, rng: random.Random) -> str:
        """The response in the middle as it was."""
        preface, recap, closing = map(rng.choice, (_PREFACES, _RECAPS, _CLOSINGS))
        parts = [preface, response.strip("\n")]
        again = _said_again(response)
        if again:
            parts.append(f"{recap} {again}")
        return "\n\n".join([*parts, closing])


def _said_again(response: str) -> str:
    """Its sentences, from the first one on, as far as there is room; empty where it has none."""
    kept: list[str] = []
    room = _MOST
    for line in lines_of(response):
        for sentence in sentences_of(line.text) if line.prose else ():
            room -= len(sentence) + 1
            if room < 0:
                return " ".join(kept)
            kept.append(sentence)
    return " ".join(kept)
