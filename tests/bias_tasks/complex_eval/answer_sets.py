"""Judgements as models write them, of `answers/`, and how each is read beside a human's reading."""

from pathlib import Path

import yaml

from bias_tasks.complex_eval.reading.scores import (
    read_criterion_scores,
    read_first_error,
    read_flaws,
    read_score,
)
from bias_tasks.reading.reasoning import Spoken

FOLDER = Path(__file__).with_name("answers")
SCALE = (1, 10)


def answers(name, part):
    """The answers of one part, `realistic` or `adversarial`, of a set."""
    return yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))[part]


def value_of(answer):
    """What is read of an answer, in the form of the set."""
    text, kind = Spoken.of(answer["text"]).text, answer["kind"]
    if kind == "score":
        return read_score(text, SCALE).value
    if kind == "criteria":
        return read_criterion_scores(text, answer["criteria"], SCALE).value
    if kind == "first_error":
        return read_first_error(text, answer["n_steps"]).value
    flaws = read_flaws(text, answer["dimensions"], tuple(answer["scale"])).value
    return None if flaws is None else [flaw._asdict() for flaw in flaws]


def verdict(answer):
    """How an answer is read: `right`, `unread`, or `wrong`, which is to read what is not there."""
    value = value_of(answer)
    if value == answer["value"]:
        return "right"
    return "unread" if value is None else "wrong"
