"""Checks that a rewritten prompt still asks the same question with the same gold."""

import re

from bias_tasks.instruction_boundary.items import Item
from bias_tasks.instruction_boundary.prompts.render import RenderedQuestion
from bias_tasks.prompts.edits import normalize_text

_LEADING_BULLET = re.compile(r"^[-+•\s]{1,8}")


def find_losses(polished: str, rendered: RenderedQuestion, item: Item) -> tuple[str, ...]:
    """Return what a rewriting lost or changed, in words; empty if nothing.

    The question and every line of the facts must occur. The options must be on lines of their own,
    in their order, each with its number, so that the gold number keeps its meaning. No further
    option may follow them. Case, blanks, bullets and Markdown marks do not count.

    Args:
        polished: The rewritten prompt.
        rendered: The vanilla prompt that was rewritten.
        item: The item.
    """
    text, lines = normalize_text(polished), _normalize_lines(polished)
    losses = [] if normalize_text(item.question) in text else ["the question"]
    lost_facts = [line for line in _normalize_lines(item.context or "") if line not in text]
    losses += [f"the fact {line!r}" for line in lost_facts[:1]]
    lines_after: list[str] | None = None
    for option in reversed(_normalize_lines("\n".join(rendered.option_lines))):
        if option not in lines:
            return (*losses, f"the option {option!r} with its number")
        # The last occurrence counts, since facts may be numbered, too.
        index = len(lines) - 1 - lines[::-1].index(option)
        if lines_after is None:
            lines_after = lines[index + 1 :]
        lines = lines[:index]
    first_number = 1 if rendered.options is None else rendered.options.first_number
    next_number = rendered.n_options + first_number
    if lines_after and re.match(rf"{next_number}[.):] ", lines_after[0]):
        losses.append(f"the end of the options, by adding {lines_after[0]!r}")
    return tuple(losses)


def _normalize_lines(text: str) -> list[str]:
    """Return the lines that are not blank, each normalized and without a bullet."""
    lines = (_LEADING_BULLET.sub("", normalize_text(line)) for line in text.splitlines())
    return [line for line in lines if line]
