"""The sentences of the generated items, by subject (`sentences.yaml`)."""

from functools import cache
from importlib.resources import files
from typing import Literal

import yaml
from pydantic import BaseModel

from bias_tasks.generated.orders import Join, Relation, RelationKind

Phrase = Literal["clauses", "denials", "questions", "opposites"]


class Phrases(BaseModel):
    """Wordings of one kind of relation."""

    clauses: list[str]
    denials: list[str]
    """Clauses that say the opposite."""
    questions: list[str]
    opposites: list[str]
    """Questions whose answer is the opposite."""


class Subject(BaseModel):
    """An everyday subject, in which things are in an order."""

    things: list[str]
    """Names of things; empty if people are in the order."""
    positions: list[str]
    intros: list[str]
    relations: dict[RelationKind, Phrases]

    def say(self, things: tuple[str, ...], relation: Relation, phrase: Phrase, wording: int) -> str:
        """Return a relation in words.

        Args:
            things: Names of the things.
            relation: A relation of them.
            phrase: Kind of the wording.
            wording: Number of the wording, counted from 0; beyond the last, from the first on.
        """
        wordings = getattr(self.relations[relation.kind], phrase)
        if relation.kind == "at":
            names = {"a": things[relation.first], "k": self.positions[relation.second]}
        else:
            names = {"a": things[relation.first], "b": things[relation.second]}
        return str(wordings[wording % len(wordings)].format(**names))


class Sentences(BaseModel):
    """All sentences."""

    joined: dict[Join, list[str]]
    choice_questions: list[str]
    """Questions of choice items."""
    polite: list[str]
    untrue: list[str]
    people: list[str]
    subjects: dict[str, Subject]


@cache
def load_sentences() -> Sentences:
    """Load the sentences."""
    text = files(__package__).joinpath("sentences.yaml").read_text(encoding="utf-8")
    return Sentences.model_validate(yaml.safe_load(text))


def to_sentence(clause: str) -> str:
    """Return a clause as a sentence, with a capital and a full stop."""
    return f"{clause[0].upper()}{clause[1:]}."
