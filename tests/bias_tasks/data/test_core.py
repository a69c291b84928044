"""The core set is unchanged since it was frozen, and no surface cue predicts its labels."""

from collections import Counter

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

from bias_tasks.data.core import _FOLDER, core_digest, core_origin, core_rows
from bias_tasks.names import content_hash

DIGEST = "5292f086209d3822"
PARTS = {
    "judging": (150, lambda row: row["answer"]),
    "choice": (150, lambda row: min(len(row["answer"]), 2)),
    "distractors": (50, lambda row: row["answer"][0]),
    "binary": (200, lambda row: (row["domain"], row["answer"])),
    "pairs": (120, lambda row: row["domain"]),
    "math": (60, lambda row: row["label"] < 0),
}
"""Number of items of a part, and the groups over which they are balanced."""
SIZES = {"formats": 230, "role_playing": 24, "writing": 24, "attention": 10}
LABELLED = {
    "judging": (lambda row: row["question"], lambda row: row["answer"]),
    "choice": (
        lambda row: " ".join([row["question"], *row["options"]]),
        lambda row: str(min(len(row["answer"]), 2)),
    ),
    "binary": (lambda row: row["question"], lambda row: row["answer"]),
    "math": (lambda row: " ".join(row["steps"]), lambda row: str(row["label"] < 0)),
}
"""The text of an item, and its label."""


def test_the_core_set_never_changes():
    """A changed core set needs another name, because its metrics are not comparable."""
    assert core_digest() == DIGEST
    assert core_origin()["name"] == "bias-core 1"
    assert sum(path.stat().st_size for path in _FOLDER.iterdir()) < 2_000_000
    for part in (*PARTS, *SIZES):
        rows = core_rows(part)
        contents = [{name: row[name] for name in row if name != "id"} for row in rows]
        hashes = [f"core-{content_hash(part, content)}" for content in contents]
        assert [row["id"] for row in rows] == hashes, part


def test_parts_have_their_sizes_and_are_balanced():
    for part, (size, group) in PARTS.items():
        groups = Counter(map(group, core_rows(part)))
        assert len(core_rows(part)) == size, part
        assert len(set(groups.values())) == 1, (part, groups)
    assert {part: len(core_rows(part)) for part in SIZES} == SIZES


@pytest.mark.parametrize("part", LABELLED)
def test_no_surface_cue_predicts_a_label(part):
    """Words and lengths predict no better than chance (99 %, ten-fold cross-validation)."""
    get_text, get_label = LABELLED[part]
    texts = [get_text(row) for row in core_rows(part)]
    labels = np.array([get_label(row) for row in core_rows(part)])
    words = CountVectorizer(binary=True, min_df=2, token_pattern=r"\w+").fit_transform(texts)
    sizes = np.array([[len(text), len(text.split())] for text in texts], dtype=float)
    sizes = (sizes - sizes.mean(axis=0)) / sizes.std(axis=0)
    chance = max(Counter(labels).values()) / len(labels)
    bound = chance + 2.5 * (chance * (1 - chance) / len(labels)) ** 0.5
    for cues in (words.toarray(), sizes):
        model = LogisticRegression(C=0.3, max_iter=2000)
        assert (cross_val_predict(model, cues, labels, cv=10) == labels).mean() <= bound
