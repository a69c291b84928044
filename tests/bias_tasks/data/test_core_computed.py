"""The answers that can be computed are: `tools/core_checks` states the facts and computes them."""

import importlib
import inspect

import pytest

from tests.bias_tasks.data.core_texts import Row, read_rows

PARTS = ("binary", "choice", "distractors", "formats", "judging", "math")


def gold_of(part: str, row: Row) -> object:
    """Return the answer of an item as the functions return it."""
    if part in ("choice", "distractors"):
        return [row["options"][index] for index in row["answer"]]
    return row["label"] if part == "math" else row["answer"]


@pytest.mark.parametrize("part", PARTS)
def test_computed_answers_are_the_gold_answers(part):
    rows = {row["id"].replace("-", "_"): row for row in read_rows(part)}
    module = importlib.import_module(f"tools.core_checks.{part}")
    functions = dict(inspect.getmembers(module, inspect.isfunction))
    assert functions
    for name, compute in functions.items():
        computed, gold = compute(), gold_of(part, rows[name])
        assert computed == gold or [computed] == gold or str(computed) == str(gold), name
