"""Blind solvers agree with the gold answers of the core set, and hasty ones less at each level.

`blind_answers.jsonl` has the answers of solvers who saw items without their answers: `careful`
ones who worked each item out, and `hasty` ones who wrote answers at first sight. An item that was
mended after it was read was answered anew by a careful solver.
"""

import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from benchmarks.core_set.core_texts import Row, read_rows

ROWS: list[Row] = [
    json.loads(line)
    for line in Path(__file__)
    .with_name("blind_answers.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
PARTS = ("choice", "distractors", "judging", "binary", "formats", "pairs", "math", "attention")
OPPOSITE = {"Yes": "No", "No": "Yes"}
TURNED = ("contradictory", "false")
"""Wordings whose right answer is the opposite one."""
N_WORDINGS, N_FLAWS = 5, 20
MIN_AGREEMENT = 0.98


def gold_of(part: str, row: Row, wording: str | None) -> object:
    """Return the gold answer as solvers write it."""
    if part == "attention":
        [flaw] = [flaw for flaw in row["flaws"] if wording == f"turn {flaw['turn']}"]
        return [flaw["dimension"], flaw["criterion"]]
    if part == "pairs":
        return "chosen"
    answer = row["label"] if part == "math" else row["answer"]
    return OPPOSITE[answer] if wording in TURNED else answer


def fold(answer: object) -> str:
    return json.dumps(answer, ensure_ascii=False).casefold()


def agreements(part: str, mode: str) -> dict[int, list[bool]]:
    """Return for each answer whether it is the gold answer, by the item's level."""
    rows = {row["id"]: row for row in read_rows(part)}
    by_level: dict[int, list[bool]] = defaultdict(list)
    for answered in ROWS:
        if answered["part"] == part and mode in answered:
            row = rows[answered["id"]]
            gold = gold_of(part, row, answered.get("wording"))
            by_level[row["difficulty"]].append(fold(answered[mode]) == fold(gold))
    return by_level


@pytest.mark.parametrize("part", PARTS)
def test_careful_solvers_agree_with_the_gold_answers(part: str) -> None:
    agreed = [one for level in agreements(part, "careful").values() for one in level]
    rows = read_rows(part)
    per_item = {"binary": N_WORDINGS, "attention": N_FLAWS}.get(part, 1)
    assert len(agreed) >= 0.95 * per_item * len(rows)
    assert sum(agreed) / len(agreed) >= MIN_AGREEMENT


def test_every_item_was_answered_by_a_careful_solver() -> None:
    answered = Counter(row["part"] for row in ROWS if "careful" in row)
    expected = {part: len(read_rows(part)) for part in PARTS}
    expected |= {"binary": N_WORDINGS * expected["binary"]}
    del expected["attention"]  # of flaws that were mended, no reader has judged the new text
    assert {part: answered[part] for part in expected} == expected


def test_hasty_solvers_agree_less_from_level_to_level() -> None:
    pooled: dict[int, list[bool]] = defaultdict(list)
    for part in PARTS:
        by_level = agreements(part, "hasty")
        if by_level:
            assert _share(by_level[1]) >= _share(by_level[3]), part
        for level, agreed in by_level.items():
            pooled[level] += agreed
    assert _share(pooled[1]) > _share(pooled[2]) > _share(pooled[3])


def _share(agreed: list[bool]) -> float:
    return sum(agreed) / len(agreed)
