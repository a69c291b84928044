"""The core set is unchanged since it was frozen, balanced, and without near-duplicates."""

import hashlib
from collections import Counter

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer

from bias_tasks.data.core import core_digest, core_origin, core_parts, core_rows
from bias_tasks.digests import content_hash
from tests.bias_tasks.data.core_texts import FOLDER, LABELS, Row, passage, question_text, read_rows

DIGEST = "aafc6869f4eee2c1"
SIZES = {
    "choice": 300,
    "judging": 240,
    "distractors": 60,
    "binary": 300,
    "formats": 340,
    "pairs": 240,
    "math": 120,
    "role_playing": 40,
    "writing": 40,
    "attention": 16,
}
BALANCED = {
    "choice": LABELS["choice"],
    "judging": LABELS["judging"],
    "distractors": lambda row: row["answer"][0],
    "binary": lambda row: (row["domain"], row["answer"]),
    "pairs": lambda row: row["domain"],
    "math": LABELS["math"],
}
"""The groups that have equally many items, by part."""
ANSWER_TYPES = {"text": 110, "number": 50, "option_letter": 80, "string_list": 60, "mapping": 40}
MAX_SIMILARITY = 0.6
"""Of the sets of three-character sequences of two items' questions (Jaccard index)."""


def test_the_core_set_never_changes():
    """A changed core set needs another name, because its metrics are not comparable."""
    assert core_digest() == DIGEST
    assert core_origin()["name"] == "bias-core 2"
    assert set(core_parts()) == set(SIZES)
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 5_000_000
    for part in SIZES:
        rows = read_rows(part)
        contents = [{name: row[name] for name in row if name != "id"} for row in rows]
        hashes = [f"core-{content_hash(part, content)}" for content in contents]
        assert [row["id"] for row in rows] == hashes, part


def test_the_licence_and_the_digests_stand_beside_the_items():
    """A copy of the folder alone says who wrote the items and under which licence."""
    names = {path.name for path in FOLDER.iterdir()}
    assert "LICENSE-CC-BY-4.0.txt" in names
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert "CC BY 4.0" in readme
    for part in SIZES:
        digest = hashlib.sha256((FOLDER / f"{part}.jsonl").read_bytes()).hexdigest()[:16]
        assert f"| `{part}` | {len(core_rows(part))} | `{digest}` |" in readme


def test_parts_have_their_sizes_and_are_balanced():
    assert {part: len(core_rows(part)) for part in SIZES} == SIZES
    for part, group in BALANCED.items():
        groups = Counter(map(group, core_rows(part)))
        assert len(set(groups.values())) == 1, (part, groups)
    assert Counter(row["answer_type"] for row in read_rows("formats")) == ANSWER_TYPES


def test_passages_have_a_statement_of_each_label():
    """So that nothing in a passage tells the label of a statement about it."""
    for part, n_passages in (("judging", 80), ("choice", 50)):
        rows = [row for row in read_rows(part) if row.get("context")]
        labels: dict[str, set[str]] = {}
        for row in rows:
            labels.setdefault(passage(row), set()).add(LABELS[part](row))
        assert len(labels) == n_passages
        assert len(rows) == 3 * n_passages
        assert {len(found) for found in labels.values()} == {3}


@pytest.mark.parametrize("part", SIZES)
def test_a_third_of_the_items_has_each_level(part):
    """Overall and, up to rounding, in each of the balanced groups."""
    rows = read_rows(part)
    levels = Counter(row["difficulty"] for row in rows)
    assert set(levels) == {1, 2, 3}
    assert min(levels.values()) >= len(rows) // 3 - max(2, len(rows) // 30), levels
    assert len({row["topic"] for row in rows}) >= 6 or len(rows) < 100


def test_no_two_items_are_alike():
    rows: list[Row] = [row for part in SIZES for row in read_rows(part)]
    texts = [question_text(row) for row in rows]
    grams = CountVectorizer(analyzer="char_wb", ngram_range=(3, 3), binary=True)
    matrix = grams.fit_transform(texts).astype(np.int32)
    shared = (matrix @ matrix.T).toarray()
    sizes = shared.diagonal()
    similarity = shared / (sizes[:, None] + sizes[None, :] - shared)
    np.fill_diagonal(similarity, 0)
    alike = np.argwhere(np.triu(similarity) >= MAX_SIMILARITY)
    assert [(texts[one][:80], texts[other][:80]) for one, other in alike] == []
