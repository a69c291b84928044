"""Load the papers' prompt templates and fill them in."""

import itertools
import random
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from bias_tasks.names import content_hash

_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


@cache
def template(path: str) -> str:
    """Return a template of a family without its last line break.

    Args:
        path: The family's name and the path in its folder `prompts/templates`, such as
            `binary_qa/question.txt`.
    """
    family, _, name = path.partition("/")
    folder = files("bias_tasks").joinpath(family, "prompts", "templates")
    return folder.joinpath(name).read_text(encoding="utf-8").removesuffix("\n")


@cache
def grader_template() -> str:
    """Return the request to a grader, with `{question}`, `{answer}` and `{values}`."""
    return files(__package__).joinpath("grader.txt").read_text(encoding="utf-8")


def fill(text: str, **fields: str) -> str:
    """Return `text` with every `{name}` replaced in one pass; braces inside values are kept.

    Raises:
        KeyError: A field is missing.
    """
    return _PLACEHOLDER.sub(lambda match: fields[match.group(1)], text)


_CUE = "Answer:"
STOP_SEQUENCES = ("\n\n", "\nQuestion:", "\nContext:", "\nAnswer:")
"""Texts that end an answer after a cue; providers accept at most four."""


def with_cue(prompt: str) -> str:
    """Return the prompt with a last line `Answer:`, after which the answer follows."""
    return prompt if prompt.rstrip().endswith(_CUE) else f"{prompt}\n{_CUE}"


def find_unused_mark(texts: Iterable[str]) -> str:
    """Return ten hex digits that occur in none of the texts, always the same for the same texts."""
    folded = [text.casefold() for text in texts]
    marks = (content_hash(attempt, *folded) for attempt in itertools.count())
    return next(mark for mark in marks if not any(mark in text for text in folded))


def seeded_random(seed: int, *names: str) -> random.Random:
    """Return a separate random generator for a seed and a purpose, which `names` identify."""
    return random.Random(content_hash(seed, *names))
