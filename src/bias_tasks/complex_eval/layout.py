"""How the responses of a judged item are written, and read back: steps and dialogues."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from bias_tasks.data.files import parsed_json

_STEP = re.compile(r"^Step (\d{1,9}): ?")


class Turn(NamedTuple):
    """What one character, or the environment, says and does."""

    role: str
    content: str


def steps_text(steps: Iterable[str]) -> str:
    """Steps of a solution, one a line, numbered from 0 as their positions are."""
    return "\n".join(f"Step {i}: {' '.join(step.split())}" for i, step in enumerate(steps))


def read_steps(text: str) -> list[str]:
    """The steps that `steps_text` wrote. A ValueError where a line is not numbered, or not by its
    position."""
    steps = []
    for position, line in enumerate(text.split("\n")):
        mark = _STEP.match(line)
        if mark is None or int(mark[1]) != position:
            raise ValueError(f"line {position + 1} does not begin with 'Step {position}:'")
        steps.append(line[mark.end() :])
    return steps


def dialogue_text(turns: Iterable[Turn]) -> str:
    """A dialogue as JSON, a list of {role, content}."""
    return json.dumps([turn._asdict() for turn in turns], ensure_ascii=False, indent=1)


def read_dialogue(text: str) -> list[Turn]:
    """The dialogue that `dialogue_text` wrote. A ValueError where the text is not JSON, or not a
    list of {role, content} with texts."""
    try:
        turns = parsed_json(text)
    except ValueError as error:
        raise ValueError(f"not valid JSON ({str(error)[:80]})") from error
    if not isinstance(turns, list) or not turns or not all(map(_is_turn, turns)):
        raise ValueError("not a list of objects with the texts `role` and `content` alone")
    return [Turn(**turn) for turn in turns]


def profiles_text(profiles: Mapping[str, str]) -> str:
    """What is known of each character, as part of an item's background."""
    return "\n\n".join(f"Profile of {role}:\n{profile}" for role, profile in profiles.items())


def _is_turn(turn: object) -> bool:
    return (
        isinstance(turn, dict)
        and turn.keys() == {"role", "content"}
        and all(isinstance(value, str) for value in turn.values())
    )
