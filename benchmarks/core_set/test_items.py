"""The core set is balanced, and without near-duplicates."""

import re
from collections import Counter

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer

from benchmarks.core_set.core_texts import LABELS, Row, passage, question_text, read_rows
from bias_tasks.data.core import core_parts, core_rows

PARTS = core_parts()
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
GENRES = {
    "dialogue": r"(?m)^(From|To) [^\n]+, \d+ \w+\n|^[A-Z]\w+( \w+)?: ",
    "narrative": r"'[^'\n]+[,.?!]' ",
    "table": r"(?m)^\| |\S {3,}\S",
    "instructions": r"(?m)^1\. ",
}
"""What a passage of each genre contains; the other passages are notices without any of these."""
MIN_PER_GENRE = 10
CURRENCY = re.compile(r"\b(euro|pound|dollar|yen|rupee|kron|franc|peso|zloty)|\d won\b")
MAX_SIMILARITY = 0.6
"""Of the sets of three-character sequences of two items' questions (Jaccard index)."""


def test_parts_are_balanced() -> None:
    for part, group in BALANCED.items():
        groups = Counter(map(group, core_rows(part)))
        assert len(set(groups.values())) == 1, (part, groups)
    assert Counter(row["answer_type"] for row in read_rows("formats")) == ANSWER_TYPES


def test_passages_have_a_statement_of_each_label() -> None:
    """So that nothing in a passage tells the label of a statement about it."""
    for part, n_passages in (("judging", 80), ("choice", 50)):
        rows = [row for row in read_rows(part) if row.get("context")]
        labels: dict[str, set[str]] = {}
        for row in rows:
            labels.setdefault(passage(row), set()).add(LABELS[part](row))
        assert len(labels) == n_passages
        assert len(rows) == 3 * n_passages
        assert {len(found) for found in labels.values()} == {3}


def test_passages_have_several_genres_and_currencies() -> None:
    rows = [*read_rows("judging"), *read_rows("choice")]
    texts = {row["context"] for row in rows if row.get("context")}
    for genre, pattern in GENRES.items():
        assert sum(bool(re.search(pattern, text)) for text in texts) >= MIN_PER_GENRE, genre
    currencies = Counter(found[1] for text in texts if (found := CURRENCY.search(text)))
    assert len(currencies) >= 6
    assert currencies["euro"] < sum(currencies.values()) / 2


@pytest.mark.parametrize("part", PARTS)
def test_a_third_of_the_items_has_each_level(part: str) -> None:
    """Overall and, up to rounding, in each of the balanced groups."""
    rows = read_rows(part)
    levels = Counter(row["difficulty"] for row in rows)
    assert set(levels) == {1, 2, 3}
    assert min(levels.values()) >= len(rows) // 3 - max(2, len(rows) // 30), levels
    assert len({row["topic"] for row in rows}) >= 6 or len(rows) < 100


def test_no_two_items_are_alike() -> None:
    rows: list[Row] = [row for part in PARTS for row in read_rows(part)]
    texts = [question_text(row) for row in rows]
    grams = CountVectorizer(analyzer="char_wb", ngram_range=(3, 3), binary=True)
    matrix = grams.fit_transform(texts).astype(np.int32)
    shared = (matrix @ matrix.T).toarray()
    sizes = shared.diagonal()
    similarity = shared / (sizes[:, None] + sizes[None, :] - shared)
    np.fill_diagonal(similarity, 0)
    alike = np.argwhere(np.triu(similarity) >= MAX_SIMILARITY)
    assert [(texts[one][:80], texts[other][:80]) for one, other in alike] == []
