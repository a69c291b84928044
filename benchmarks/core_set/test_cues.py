"""No surface cue predicts a label of the core set, in either direction.

A ridge classifier learns the labels from words, or from lengths, of everything that a model sees,
with passages kept whole. Its accuracy lies within the central 99 % of what it reaches with permuted
labels, which keep one statement of each label per passage. Equal questions are kept whole, too: as
many of their answers are Yes as No, so that an answer left out would be the rarer one.
"""

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binomtest, chisquare
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from benchmarks.core_set.core_texts import (
    LABELS,
    Row,
    passage,
    prompted_text,
    question_text,
    read_rows,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
N_PERMUTATIONS, N_FOLDS, N_PARTITIONS = 400, 10, 5
PERCENTILES = (0.5, 99.5)
"""Between which an accuracy lies without a cue."""
WORDINGS = ("question", "synonym", "polite", "contradictory")
PAIR_CUES = {
    "words": CountVectorizer(binary=True, min_df=3, token_pattern=r"\w+"),
    "characters": CountVectorizer(binary=True, min_df=3, analyzer="char", ngram_range=(2, 4)),
}
"""What may differ between the responses of a pair: words, or two to four characters in a row."""
VIEWS = [
    *((part, "prompt") for part in LABELS),
    *((part, "question") for part in ("choice", "judging")),
    *(("binary", wording) for wording in WORDINGS),
]


def view_texts(rows: list[Row], view: str) -> list[str]:
    """Return the texts of one view of the items."""
    if view == "prompt":
        return [prompted_text(row) for row in rows]
    return [question_text(row) if view == "question" else row[view] for row in rows]


def features(texts: list[str]) -> Iterator[Floats]:
    """Yield the cues of texts: their words, and their standardised lengths."""
    words = CountVectorizer(binary=True, min_df=2, token_pattern=r"\w+").fit_transform(texts)
    yield words.toarray().astype(float)
    lengths = np.array([[len(text), len(text.split())] for text in texts], dtype=float)
    yield (lengths - lengths.mean(axis=0)) / lengths.std(axis=0)


def accuracies(cues: Floats, labels: Ints, groups: list[str], rng: np.random.Generator) -> Floats:
    """Return the cross-validated accuracy with the labels, then with permuted ones."""
    permuted = [permute(labels, groups, rng) for _ in range(N_PERMUTATIONS)]
    drawn = np.array([labels, *permuted])
    targets = np.eye(labels.max() + 1)[drawn]
    kernel = cues @ cues.T + 1
    penalty = np.mean(kernel.diagonal())
    names = list(dict.fromkeys(groups))
    fold_of = dict(zip(names, rng.permutation(len(names)) % N_FOLDS, strict=True))
    folds = np.array([fold_of[group] for group in groups])
    hits = np.zeros(len(drawn))
    for fold in range(N_FOLDS):
        train, test = folds != fold, folds == fold
        inverse = np.linalg.inv(kernel[np.ix_(train, train)] + penalty * np.eye(train.sum()))
        weights = kernel[np.ix_(test, train)] @ inverse
        centred = targets[:, train] - targets[:, train].mean(axis=1, keepdims=True)
        scores = np.einsum("ij,pjk->pik", weights, centred)
        hits += (scores.argmax(axis=2) == drawn[:, test]).sum(axis=1)
    return hits / len(labels)


def permute(labels: Ints, groups: list[str], rng: np.random.Generator) -> Ints:
    """Return permuted labels: within passages of several items, and among all other items."""
    sizes = Counter(groups)
    keys = np.array([group if sizes[group] > 1 else "" for group in groups])
    permuted = labels.copy()
    for key in np.unique(keys):
        indices = np.flatnonzero(keys == key)
        permuted[indices] = labels[rng.permutation(indices)]
    return permuted


def assert_at_chance(found: float, chance: Floats) -> None:
    low, high = np.percentile(chance, PERCENTILES)
    assert low <= found <= high


@pytest.mark.parametrize(("part", "view"), VIEWS)
def test_words_and_lengths_do_not_predict_a_label(part: str, view: str) -> None:
    rows = read_rows(part)
    names = [LABELS[part](row) for row in rows]
    labels = np.array([sorted(set(names)).index(name) for name in names])
    texts = view_texts(rows, view)
    groups = texts if part == "binary" else [passage(row) for row in rows]
    for cues in features(texts):
        found, *chance = accuracies(cues, labels, groups, np.random.default_rng(0))
        assert_at_chance(found, np.array(chance))


@pytest.mark.parametrize("wording", [*WORDINGS, "false"])
def test_a_question_asked_of_several_texts_has_as_many_answers_yes_as_no(wording: str) -> None:
    rows = read_rows("binary")
    yes, no = (
        Counter(row[wording] for row in rows if row["answer"] == label) for label in ("Yes", "No")
    )
    for question, n_items in (yes + no).items():
        assert n_items == 1 or yes[question] == no[question], question


@pytest.mark.parametrize("part", LABELS)
def test_nearest_neighbours_have_the_same_label_as_often_as_by_chance(part: str) -> None:
    """Look-alike questions would carry equal labels, or opposite ones."""
    rows = read_rows(part)
    labels = np.array([LABELS[part](row) for row in rows])
    groups = [passage(row) for row in rows]
    texts = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 3)).fit_transform(
        [question_text(row) for row in rows]
    )
    similarity = (texts @ texts.T).toarray()
    same_passage = np.array(groups)[:, None] == np.array(groups)[None, :]
    similarity[same_passage] = -1
    nearest = similarity.argmax(axis=1)
    rng = np.random.default_rng(0)
    drawn = [permute(np.arange(len(rows)), groups, rng) for _ in range(N_PERMUTATIONS)]
    chance = [np.mean(labels[one] == labels[one][nearest]) for one in drawn]
    assert_at_chance(float(np.mean(labels == labels[nearest])), np.array(chance))


NUMBER = re.compile(r"-?\b\d[\d,]*(?:\.\d+)?(?:st|nd|rd|th)?\b")
MIN_RANKED, N_OPTIONS = 30, 10


def find_rank(row: Row) -> int | None:
    """Return the rank of the right one of ten numbers, 0 for the least, or None without numbers."""
    if len({NUMBER.sub("#", option) for option in row["options"]}) > 1:
        return None
    values = [
        [float(re.sub(r"[^-.\d]", "", number)) for number in NUMBER.findall(option)]
        for option in row["options"]
    ]
    return sorted(values).index(values[row["answer"][0]])


def test_the_right_one_of_ten_numbers_has_any_rank() -> None:
    """Otherwise, a guess at the middle numbers would be right more often than by chance."""
    ranks = [rank for row in read_rows("distractors") if (rank := find_rank(row)) is not None]
    assert len(ranks) >= MIN_RANKED
    counts = np.bincount(ranks, minlength=N_OPTIONS)
    assert chisquare(counts).pvalue > 0.2
    for extreme in (counts[:2], counts[-2:]):
        assert 0.12 <= extreme.sum() / len(ranks) <= 0.28


def pair_kernel(rows: list[Row], cues: CountVectorizer) -> Floats:
    """Return how similar the pairs' differences are, in what only one of their responses has."""
    cues.fit([row[name] for row in rows for name in ("chosen", "rejected")])
    chosen, rejected = (
        cues.transform([row[name] for row in rows]).astype(float) for name in ("chosen", "rejected")
    )
    differences = chosen - rejected
    return np.asarray((differences @ differences.T).toarray())


def pair_accuracies(kernel: Floats, signs: Floats, folds: Ints) -> Floats:
    """Return the cross-validated accuracy with each vector of signs of the pairs."""
    penalty = np.mean(kernel.diagonal())
    hits = np.zeros(len(signs))
    for fold in range(N_FOLDS):
        train, test = folds != fold, folds == fold
        inverse = np.linalg.inv(kernel[np.ix_(train, train)] + penalty * np.eye(train.sum()))
        scores = signs[:, train] @ (kernel[np.ix_(test, train)] @ inverse).T
        hits += (scores * signs[:, test] > 0).sum(axis=1)
    return hits / len(kernel)


@pytest.mark.parametrize("cues", PAIR_CUES.values(), ids=PAIR_CUES)
def test_wording_does_not_tell_the_better_response(cues: CountVectorizer) -> None:
    """A classifier learns which response of a pair is better, in several partitions into folds."""
    rows = read_rows("pairs")
    kernel = pair_kernel(rows, cues)
    rng = np.random.default_rng(0)
    signs = np.vstack([np.ones(len(rows)), rng.choice([-1.0, 1.0], (N_PERMUTATIONS, len(rows)))])
    partitions = [rng.permutation(len(rows)) % N_FOLDS for _ in range(N_PARTITIONS)]
    found, *chance = np.mean([pair_accuracies(kernel, signs, one) for one in partitions], axis=0)
    assert_at_chance(found, np.array(chance))


def test_the_better_response_is_the_longer_one_in_half_of_the_pairs() -> None:
    longer = np.mean([len(row["chosen"]) > len(row["rejected"]) for row in read_rows("pairs")])
    assert 0.42 <= longer <= 0.58


LAYOUT = {
    "list items": r"(?m)^\s*(?:[-*•] |\d+[.)] |\|)",
    "lines": r"(?m)^.*\S",
    "bold": r"\*\*",
    "characters": r"(?s).",
    "sentences": r"(?m)(?<=\D)[.!?](?=\s|$)",
    "numbers": r"\d+",
    "brackets": r"\(",
}
"""What a judge could prefer without reading: regular expressions of parts that are counted."""


@pytest.mark.parametrize("pattern", LAYOUT.values(), ids=LAYOUT)
def test_layout_does_not_tell_the_better_response(pattern: str) -> None:
    """Of the pairs that differ, the better response has more in half, within 99 % of chance."""
    differences = [
        len(re.findall(pattern, row["chosen"])) - len(re.findall(pattern, row["rejected"]))
        for row in read_rows("pairs")
    ]
    n_more, n_fewer = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
    assert binomtest(n_more, n_more + n_fewer).pvalue > 0.01
