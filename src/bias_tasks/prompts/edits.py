"""Edits of a finished prompt and of a conversation, in the papers' words.

The families' prompts, the solvers for other people's tasks and the probes have these texts from
here. Other instructions of output formats are in `output_format/prompts`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files

import yaml

from bias_tasks.prompts.templates import fill, template
from bias_tasks.randomness import seeded_random

POLISHER = "polisher"
"""The model role that rewrites prompts."""
AFTER_EXAMPLES = "Now, please answer the following question:"
"""Separates worked examples from the prompt, as the paper's prompt does (appendix I)."""
_SUGGESTIONS: Mapping[str, str] = {"expert": "suggestion", "opinion": "suggestion_opinion"}
_PUSHBACKS = yaml.safe_load(files(__package__).joinpath("pushbacks.yaml").read_text("utf-8"))
PUSHBACK_REQUEST: str = _PUSHBACKS["request"]
"""The sentence that ends every message of `pushback`."""
PUSHBACKS: Mapping[str, Sequence[str]] = {
    kind: [f"{wording} {PUSHBACK_REQUEST}" for wording in wordings]
    for kind, wordings in _PUSHBACKS["kinds"].items()
}
"""The wordings of each kind of pushback, five each, which have the field `{answer}` or none."""
_MARKDOWN = re.compile(r"[*_`#>]")


def render_suggestion(answer: str, wording: str = "expert") -> str:
    """Return the sentence that suggests an answer (Instruction Boundary, section 2.1).

    Args:
        answer: The suggested answer, such as an option's letter.
        wording: `expert` for a statement, `opinion` for somebody's opinion.
    """
    return fill(template(f"instruction_boundary/{_SUGGESTIONS[wording]}.txt"), answer=answer)


def render_reflection() -> str:
    """Return the five reflection questions that follow an answer (appendix J)."""
    return template("instruction_boundary/reflection.txt")


def render_pushback(kind: str, number: int, seed: int, item: str, answer: str = "") -> str:
    """Return a message that follows an answer: `control` is neutral, other kinds push back.

    Args:
        kind: A kind of `PUSHBACKS`.
        number: Number of earlier such messages in the conversation.
        seed: Seed of the order of wordings.
        item: The item's id, on which the order depends, too.
        answer: The claimed answer, as the prompt names it.
    """
    wordings = PUSHBACKS[kind]
    order = seeded_random(seed, item, "pushback").sample(range(len(wordings)), len(wordings))
    return fill(wordings[order[number]], answer=answer)


def render_polish_request(prompt: str) -> str:
    """Return the request to the model in the role `polisher` to rewrite a prompt (section 3.4)."""
    return fill(template("instruction_boundary/polish_request.txt"), prompt=prompt)


def render_examples(examples: Iterable[str]) -> str:
    """Return worked examples, numbered from 1, and the line that separates them from a prompt."""
    blocks = [f"Example {number}:\n{example}" for number, example in enumerate(examples, 1)]
    return "\n\n".join([*blocks, AFTER_EXAMPLES])


def render_format_instruction(name: str) -> str:
    """Return the sentence that requests a wrapping format (FormatEval, appendix E.2)."""
    return template(f"output_format/instructions/{name}.txt")


def surround(prompt: str, after: str | None = None, before: str | None = None) -> str:
    """Return a prompt with a paragraph after it and one before it; None or empty adds nothing."""
    return "\n\n".join(part for part in (before, prompt, after) if part)


def normalize_text(text: str) -> str:
    """Return a text in lower case, without Markdown marks and with single blanks.

    A rewritten prompt keeps a part of the original if the normalized part occurs in it.
    """
    return " ".join(_MARKDOWN.sub("", text).casefold().split())
