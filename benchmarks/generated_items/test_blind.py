"""Blind answers to generated items: Claude was asked to answer 42 items of each level at once.

`docs/core.md` states these shares. The items are those of seed 2026.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from bias_tasks.binary_qa.data.load import load_binary
from bias_tasks.generated.puzzles import LEVELS
from bias_tasks.instruction_boundary.data.load import load_items
from bias_tasks.instruction_boundary.items import ChoiceItem

SEED = 2026
ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "blind_answers.jsonl").read_text("utf-8").splitlines()
]


def list_correct_answers(level: int) -> Iterator[tuple[str, str]]:
    """Yield the id and the correct answer of each item of a level."""
    for form in ("judging", "choice"):
        for item in load_items("generated", form=form, n=15, level=level, seed=SEED).items:
            if isinstance(item, ChoiceItem):
                yield item.id, "".join("ABCD"[position] for position in item.answer) or "none"
            else:
                yield item.id, item.answer
    for question in load_binary(
        "generated", variants=["original"], n=12, level=level, seed=SEED
    ).items:
        yield question.id, question.answer


def test_shares_of_right_answers_are_those_of_the_page() -> None:
    shares = {}
    for level in LEVELS:
        gold = dict(list_correct_answers(level))
        answers = {row["id"]: row["answer"] for row in ROWS if row["level"] == level}
        assert answers.keys() == gold.keys()
        right = sum(answers[identifier] == gold[identifier] for identifier in gold)
        shares[level] = round(100 * right / len(gold))
    page = (Path(__file__).parents[2] / "docs/core.md").read_text("utf-8")
    assert ", ".join(map(str, shares.values())) in page.replace("\n", " ")
