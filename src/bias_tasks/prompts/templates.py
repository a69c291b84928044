"""Load the papers' prompt templates and fill them in."""

import re
from functools import cache
from importlib.resources import files

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


_ANSWER_CUE = "Answer:"
STOP_SEQUENCES = ("\n\n", "\nQuestion:", "\nContext:", "\nAnswer:")
"""Texts that end an answer after a cue; providers accept at most four."""


def with_cue(prompt: str) -> str:
    """Return the prompt with a last line `Answer:`, after which the answer follows."""
    return prompt if prompt.rstrip().endswith(_ANSWER_CUE) else f"{prompt}\n{_ANSWER_CUE}"
