"""The answer to a generated question cannot be told from its surface: chance is a half."""

import re

import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from bias_tasks.binary_qa.data.synthetic import SYNTHETIC_DOMAINS, generate_binary

WITH_PASSAGE = ("reading", "multi_hop", "numerical")
BARELY_ABOVE_A_HALF = 0.55
ITEMS = {domain: generate_binary(1200, 17, [domain]) for domain in SYNTHETIC_DOMAINS}


def accuracy(model, inputs, items):
    return cross_val_score(model, inputs, [item.answer for item in items], cv=5).mean()


def words(longest=1):
    """A model of words, or of runs of up to so many."""
    counts = CountVectorizer(token_pattern=r"[^\s?.]+", ngram_range=(1, longest))
    return make_pipeline(counts, MultinomialNB())


def forest():
    return RandomForestClassifier(30, min_samples_leaf=10, random_state=0)


@pytest.mark.parametrize("domain", SYNTHETIC_DOMAINS)
def test_the_words_of_the_question_do_not_tell_the_answer(domain):
    questions = [item.question for item in ITEMS[domain]]
    assert accuracy(words(), questions, ITEMS[domain]) < BARELY_ABOVE_A_HALF


@pytest.mark.parametrize("domain", WITH_PASSAGE)
def test_without_the_passage_no_run_of_words_tells_the_answer(domain):
    questions = [item.question for item in ITEMS[domain]]
    assert accuracy(words(3), questions, ITEMS[domain]) < BARELY_ABOVE_A_HALF


@pytest.mark.parametrize("domain", WITH_PASSAGE)
def test_neither_the_passage_alone_nor_all_words_together_tell_the_answer(domain):
    passages = [item.context for item in ITEMS[domain]]
    texts = [f"{item.context} {item.question}" for item in ITEMS[domain]]
    assert accuracy(words(), passages, ITEMS[domain]) < BARELY_ABOVE_A_HALF
    assert accuracy(words(), texts, ITEMS[domain]) < BARELY_ABOVE_A_HALF


def counts(item):
    """Lengths, numbers, negations, and how often the question's words stand in the passage."""
    sentences = (item.context or "").split(". ")
    shared = [word for word in re.findall(r"\w+", item.question) if word in (item.context or "")]
    naming = [sum(word in sentence for sentence in sentences) for word in shared]
    numbers = [int(number) for number in re.findall(r"\d+", item.context or "")] or [0]
    return [
        len(item.question),
        len(item.question.split()),
        len(item.context or ""),
        len(sentences),
        len(shared),
        sum(naming),
        max(naming, default=0),
        (item.context or "").count(" not "),
        sum(numbers) / len(numbers),
        min(numbers),
        max(numbers),
    ]


@pytest.mark.parametrize("domain", SYNTHETIC_DOMAINS)
def test_lengths_numbers_and_places_do_not_tell_the_answer(domain):
    features = [counts(item) for item in ITEMS[domain]]
    assert accuracy(forest(), features, ITEMS[domain]) < BARELY_ABOVE_A_HALF


@pytest.mark.parametrize("domain", WITH_PASSAGE)
@pytest.mark.parametrize("which", [0, -1], ids=["first", "last"])
def test_where_a_word_of_the_question_stands_does_not_tell_the_answer(domain, which):
    """One word at a time: that two stand in one sentence is what reading finds out."""

    def place(item):
        sentences = item.context.split(". ")
        found = re.findall(r"\w+", item.question.split(maxsplit=1)[1])
        naming = [[word in re.findall(r"\w+", text) for text in sentences] for word in found]
        # Words of one sentence or two name a person, a thing or a value.
        naming = [places for places in naming if 1 <= sum(places) <= 2]
        return naming[which].index(True) if naming else -1

    features = [[place(item)] for item in ITEMS[domain]]
    assert accuracy(forest(), features, ITEMS[domain]) < BARELY_ABOVE_A_HALF


@pytest.mark.parametrize("domain", WITH_PASSAGE)
def test_the_number_asked_about_does_not_tell_the_answer(domain):
    features = [
        [int((re.findall(r"\d+", item.question) or [0])[0]), " more than " in item.question]
        for item in ITEMS[domain]
    ]
    assert accuracy(forest(), features, ITEMS[domain]) < BARELY_ABOVE_A_HALF
