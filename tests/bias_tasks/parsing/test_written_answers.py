"""Written answers of seven kinds, none of which may be parsed as something that it does not say.

People who had not seen the parser wrote `written_answers.jsonl`: 60 of its 260 answers restate what
a prompt suggests, in words of all sorts, before they give their own value or none.
"""

import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from bias_tasks.parsing import parse_answer
from tests.bias_tasks.parsing.recorded import outcome, value_of

ROWS = [
    json.loads(line)
    for line in Path(__file__)
    .with_name("written_answers.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
MIN_RIGHT = {
    "restated suggestion": 46,
    "chain of thought": 30,
    "sets, denials, lists, JSON": 27,
    "contradictions, several values, templates, cut off": 6,
    "other languages": 18,
    "judges": 28,
    "judging and yes/no": 23,
}
"""Answers of each kind that are parsed right."""


def counts_by_kind(**arguments):
    """The outcomes of the answers of each kind, and the texts that are parsed as another value."""
    counts, false = defaultdict(Counter), defaultdict(list)
    for row in ROWS:
        parsed = parse_answer(row["text"], form=row["form"], **row["options"], **arguments)
        found = outcome(value_of(parsed, row["form"]), row["says"])
        counts[row["kind"]][found] += 1
        if found in ("wrong", "invented"):
            false[row["kind"]].append(row["text"])
    return counts, false


@pytest.mark.parametrize("kind", MIN_RIGHT)
def test_answers_of_a_kind(kind):
    counts, false = counts_by_kind()
    assert not false[kind]
    assert counts[kind]["right"] >= MIN_RIGHT[kind], counts[kind]


def test_the_last_resort_adds_values_and_changes_none():
    with_it, _ = counts_by_kind()
    without, false = counts_by_kind(last_resort=False)
    assert not any(false.values())
    right = [sum(each["right"] for each in counts.values()) for counts in (with_it, without)]
    assert right[0] >= right[1] + 5
