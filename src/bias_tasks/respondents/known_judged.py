"""What judges judge, found again by the text of a judge's prompt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from bias_tasks.complex_eval.attacks.edits import kept
from bias_tasks.complex_eval.items import Criterion, JudgedItem, attacked_response
from bias_tasks.complex_eval.items import JudgedKind as Family
from bias_tasks.complex_eval.prompts.judge import read_blocks

LEAST_KEPT = 0.5
"""Share of an unattacked response's words that another text must hold to pass for an attack on it;
every valid attack on running text keeps more."""

_FORMS: Mapping[Family, str] = {
    "basic": '"score": ',
    "math": '"first_error": ',
    "role_playing": '"flaws": ',
    "creative_writing": '"scores": ',
}
"""The key of the verdict that each family's prompt asks for."""


@dataclass(frozen=True, slots=True)
class JudgePrompt:
    """A judge's prompt, whether its item is known or not."""

    family: Family
    blocks: Mapping[str, str]
    """The request, the response and the auxiliary information shown, by their blocks' names."""

    @property
    def request(self) -> str:
        """The query."""
        return self.blocks["request"]

    @property
    def response(self) -> str:
        """The text to be judged."""
        return self.blocks["response"]


@dataclass(frozen=True, slots=True)
class Judged:
    """A response of a known item, as a prompt shows it."""

    item: JudgedItem
    name: str
    """The response by its name: chosen, rejected or original, or what is attacked toward or with;
    empty for an attack on the item's response that the item does not hold."""
    siblings: tuple[JudgedItem, ...]
    """All known items of the family and the query, this one among them."""

    @property
    def base(self) -> str:
        """The unattacked response that the shown one is, or was made of."""
        return attacked_response(self.item) if self.attacked else self.name

    @property
    def attacked(self) -> bool:
        """Whether the shown response is none of the item's unattacked ones."""
        return self.name not in self.item.responses

    @property
    def text(self) -> str:
        """The unattacked response's text."""
        return self.item.responses[self.base]


def read_judge_prompt(prompt: str) -> JudgePrompt | None:
    """The parts of a judge's prompt; None for any other prompt."""
    blocks = read_blocks(prompt)
    if not {"request", "response"} <= blocks.keys():
        return None
    _, _, closing = prompt.rpartition("</response-")
    family = next((family for family, form in _FORMS.items() if form in closing), None)
    return None if family is None else JudgePrompt(family, blocks)


def find_judged(asked: JudgePrompt, known: Iterable[JudgedItem]) -> Judged | None:
    """The response that a prompt shows; None where its query or the response is not known.

    A text that no item of the query holds is an attack on the response that it is most like, if it
    holds enough of its words.

    Args:
        asked: the prompt.
        known: the known items of the prompt's query.
    """
    items = tuple(item for item in known if item.family == asked.family)
    held = [(item, item.responses) for item in items] + [(item, item.attacked) for item in items]
    for item, texts in held:
        for name, text in texts.items():
            if text == asked.response:
                return Judged(item, name, items)
    return max(_attacks(asked, items), key=lambda found: found[0], default=(0.0, None))[1]


def _attacks(asked: JudgePrompt, items: tuple[JudgedItem, ...]) -> Iterator[tuple[float, Judged]]:
    """The items of whose response the shown one may be made, with how alike the two are.

    That counts both ways: a short response's words may all stand in an attack on a longer one.
    """
    for item in items:
        base = item.responses[attacked_response(item)]
        share = kept(base, asked.response)
        if share >= LEAST_KEPT:
            yield share + kept(asked.response, base), Judged(item, "", items)


def asked_criteria(asked: JudgePrompt, item: JudgedItem) -> tuple[Criterion, ...]:
    """The criteria that the prompt's rubric has: all, or those of the item that it shows."""
    rubric = asked.blocks.get("rubric", "")
    shown = tuple(c for c in item.criteria if f"{c.name}:\n{c.description}" in rubric)
    return shown or item.criteria
