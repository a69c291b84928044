"""Loads the papers' prompt templates and fills them in."""

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
    """A family's template without its last line break, by the family's name and the path in its
    folder `prompts/templates`: `binary_qa/question.txt`."""
    family, _, name = path.partition("/")
    folder = files("bias_tasks").joinpath(family, "prompts", "templates")
    return folder.joinpath(name).read_text(encoding="utf-8").removesuffix("\n")


@cache
def grader_template() -> str:
    """What a grader of any family is asked, with `{question}`, `{answer}` and `{values}`."""
    return files(__package__).joinpath("grader.txt").read_text(encoding="utf-8")


def fill(text: str, **fields: str) -> str:
    """`text` with every `{name}` replaced, in one pass: braces inside a value stay as they are. A
    KeyError where a field is not given."""
    return _PLACEHOLDER.sub(lambda match: fields[match.group(1)], text)


_CUE = "Answer:"
STOPS = ("\n\n", "\nQuestion:", "\nContext:", "\nAnswer:")
"""Texts at which an answer behind a cue ends; providers take four at most."""


def with_cue(prompt: str) -> str:
    """The prompt, ending in a line on which the answer is to follow."""
    return prompt if prompt.rstrip().endswith(_CUE) else f"{prompt}\n{_CUE}"


def unused_mark(texts: Iterable[str]) -> str:
    """Ten hex digits that occur in none of the texts, whatever the case; the same each time."""
    folded = [text.casefold() for text in texts]
    marks = (content_hash(attempt, *folded) for attempt in itertools.count())
    return next(mark for mark in marks if not any(mark in text for text in folded))


def seeded(seed: int, *names: str) -> random.Random:
    """A generator of its own for one purpose (`names`) of one item under one seed."""
    return random.Random(content_hash(seed, *names))
