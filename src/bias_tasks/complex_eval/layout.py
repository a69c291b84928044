"""How responses are written as text and read again: steps of a solution, turns of a dialogue."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from bias_tasks.data.files import parse_json

_STEP = re.compile(r"^Step (\d{1,9}): ?")


class Turn(NamedTuple):
    """What one character, or the environment, says and does."""

    role: str
    content: str


def format_steps(steps: Iterable[str]) -> str:
    """Return the steps of a solution, one per line, numbered from 0 like their positions."""
    return "\n".join(f"Step {i}: {' '.join(step.split())}" for i, step in enumerate(steps))


def read_steps(text: str) -> list[str]:
    """Return the steps that `format_steps` wrote.

    Raises:
        ValueError: A line does not begin with the number of its position.
    """
    steps = []
    for position, line in enumerate(text.split("\n")):
        match = _STEP.match(line)
        if match is None or int(match[1]) != position:
            raise ValueError(f"line {position + 1} does not begin with 'Step {position}:'")
        steps.append(line[match.end() :])
    return steps


def format_dialogue(turns: Iterable[Turn]) -> str:
    """Return a dialogue as JSON, a list of {role, content}."""
    return json.dumps([turn._asdict() for turn in turns], ensure_ascii=False, indent=1)


def read_dialogue(text: str) -> list[Turn]:
    """Return the dialogue that `format_dialogue` wrote.

    Raises:
        ValueError: The text is not JSON, or not a list of {role, content} with texts.
    """
    try:
        turns = parse_json(text)
    except ValueError as error:
        raise ValueError(f"not valid JSON ({str(error)[:80]})") from error
    if not isinstance(turns, list) or not turns or not all(map(_is_turn, turns)):
        raise ValueError("not a list of objects that have only the texts `role` and `content`")
    return [Turn(**turn) for turn in turns]


def format_profiles(profiles: Mapping[str, str]) -> str:
    """Return the profiles of characters as part of an item's background."""
    return "\n\n".join(f"Profile of {role}:\n{profile}" for role, profile in profiles.items())


def _is_turn(turn: object) -> bool:
    return (
        isinstance(turn, dict)
        and turn.keys() == {"role", "content"}
        and all(isinstance(value, str) for value in turn.values())
    )
