"""The label of a generated item cannot be told from its surface: chance is a third (or a half)."""

import re

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from bias_tasks.instruction_boundary.data.synthetic import generate

PER_LABEL = 500
BARELY_ABOVE_A_THIRD = 0.40
BARELY_ABOVE_A_HALF = 0.55


def evenly(items):
    """As many items of each label."""
    labels = sorted({item.label for item in items})
    taken = [[item for item in items if item.label == label][:PER_LABEL] for label in labels]
    assert {len(some) for some in taken} == {PER_LABEL}
    return [item for some in taken for item in some]


JUDGING = evenly(generate("judging", 4 * PER_LABEL, 17))
CHOICE = evenly(generate("choice", 3 * PER_LABEL, 17))


def accuracy(model, inputs, labels):
    return cross_val_score(model, inputs, labels, cv=5).mean()


def bag_of_words():
    return make_pipeline(CountVectorizer(token_pattern=r"\S+"), MultinomialNB())


def forest():
    return RandomForestClassifier(30, min_samples_leaf=10, random_state=0)


def text(item):
    return " ".join([item.context or "", item.question, *getattr(item, "options", ())])


def judging_counts(item):
    """Lengths, negations, and how often the statement's name and predicate occur, and how."""
    lines = item.context.split("\n")
    name, predicate = item.question.split()[0], item.question.split()[-1].rstrip(".")
    own = [line for line in lines if line.startswith(name)]
    denied = len(re.findall(rf"\bnot a {predicate}\b", item.context))
    named = len(re.findall(rf"\b{predicate}\b", item.context))
    negative = " not " in item.question
    return [
        len(lines),
        len(item.context),
        item.context.count(" not "),
        sum(line.startswith(("Anyone", "If")) for line in lines),
        len(own),
        sum(" not " in line for line in own),
        negative,
        named,
        denied if negative else named - denied,  # in the statement's own polarity
        sum(line.endswith(f" {predicate}.") for line in lines),
    ]


def choice_counts(item):
    lengths = [len(option) for option in item.options]
    numbers = [float((re.findall(r"[\d.]+", option) or [0])[0]) for option in item.options]
    return [
        len(item.context or ""),
        len(item.question),
        sum(lengths),
        np.std(lengths),
        np.std(numbers),
        max(numbers),
        min(numbers),
    ]


@pytest.mark.parametrize(
    ("items", "counts"),
    [(JUDGING, judging_counts), (CHOICE, choice_counts)],
    ids=["judging", "choice"],
)
def test_neither_words_nor_counts_tell_the_label(items, counts):
    labels = [item.label for item in items]
    words = accuracy(bag_of_words(), [text(item) for item in items], labels)
    numbers = accuracy(forest(), [counts(item) for item in items], labels)
    assert words < BARELY_ABOVE_A_THIRD
    assert numbers < BARELY_ABOVE_A_THIRD


def test_the_statement_is_negated_as_often_under_every_label():
    for label in ("True", "False", "Unknown"):
        negated = [" not " in item.question for item in JUDGING if item.label == label]
        assert 0.42 < np.mean(negated) < 0.58


def test_an_option_does_not_look_right_or_wrong():
    options, right = [], []
    for item in CHOICE:
        if item.answer:
            wrong = next(k for k in range(len(item.options)) if k not in item.answer)
            options += [item.options[item.answer[0]], item.options[wrong]]
            right += [True, False]
    characters = make_pipeline(
        CountVectorizer(analyzer="char", ngram_range=(1, 2)), MultinomialNB()
    )
    lengths = [[len(option), len(option.split())] for option in options]
    assert accuracy(characters, options, right) < BARELY_ABOVE_A_HALF
    assert accuracy(forest(), lengths, right) < BARELY_ABOVE_A_HALF
