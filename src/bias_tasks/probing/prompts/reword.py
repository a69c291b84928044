"""The requests to the model in the role `rewriter`; each is a call of its own."""

from __future__ import annotations

from bias_tasks.prompts.templates import fill, template


def paraphrase_request(text: str) -> str:
    """To reword a text in its own language."""
    return fill(_text("paraphrase"), given=text)


def translation_request(text: str, language: str, into: str) -> str:
    """To translate a text from a language into another; a translation back is asked for alike."""
    return fill(_text("translate"), given=text, language=language, into=into)


def same_request(first: str, second: str) -> str:
    """To say whether two texts ask the same."""
    return fill(_text("same"), first=first, second=second)


def _text(name: str) -> str:
    return template(f"probing/{name}.txt")
