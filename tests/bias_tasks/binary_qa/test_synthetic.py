"""Generated yes/no questions: seeds, balance, wordings; the passage decides the answer, and
nothing on the surface tells it."""

import operator
import re
from collections import Counter
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from bias_tasks.binary_qa.data.synthetic import SYNTHETIC_DOMAINS, generate_binary
from bias_tasks.binary_qa.items import REFORMULATIONS, VARIANTS
from bias_tasks.names import content_hash

SOME_DOMAINS = st.sets(st.sampled_from(SYNTHETIC_DOMAINS), min_size=1).map(sorted)
ITEMS = {domain: generate_binary(1200, 17, [domain]) for domain in SYNTHETIC_DOMAINS}


@given(seed=st.integers(), domains=SOME_DOMAINS, k=st.integers(0, 20))
def test_the_first_items_follow_the_seed_and_are_balanced(seed, domains, k):
    items = generate_binary(20, seed, domains)
    assert items[:k] == generate_binary(k, seed, domains)
    assert items[::4] != generate_binary(20, seed + 1, domains)[::4]
    counts = Counter()
    for n, item in enumerate(items, start=1):
        counts.update([item.domain, item.answer, (item.domain, item.answer)])
        assert abs(counts["Yes"] - n / 2) <= 1
        for domain in domains:
            assert abs(counts[domain] - n / len(domains)) < 1
            assert abs(counts[domain, "Yes"] - counts[domain, "No"]) <= 1


def test_the_items_are_the_same_on_every_machine():
    """Moves only when generated questions move: raise the tasks' versions with it."""
    rows = [asdict(item) for item in generate_binary(400, 0)]
    assert not any(row.pop("further") for row in rows)
    assert content_hash(rows) == "253aea83ad"


def test_a_thousand_questions_of_any_domain_are_all_different():
    for domain, items in ITEMS.items():
        assert len({(item.context, item.question) for item in items}) == len(items)
        assert len({item.id for item in items}) == len(items)
        assert {item.domain for item in items} == {domain}
    item = items[0]
    rewordings = [getattr(item.reformulations, kind) for kind in REFORMULATIONS]
    content = ("binary", item.domain, item.context, item.question, item.answer, rewordings)
    assert item.id == item.cluster == "synthetic-" + content_hash(*content)


def test_the_five_wordings_are_different_questions():
    for items in ITEMS.values():
        for item in items:
            texts = {item.wording(variant) for variant in VARIANTS}
            assert len(texts) == 5
            for text in texts:
                assert re.fullmatch(r"[A-Z][^?\n{}#]*\?", text)
                assert "n't" not in text
            assert item.wording("false").startswith("Is it false that ")
            stated = item.wording("polite").removeprefix("Would you say that ")
            assert item.wording("false") == f"Is it false that {stated}"


def words_of(text):
    return set(re.findall(r"\w+", text.lower().replace("'s ", " ")))


def test_one_sentence_of_the_passage_answers_a_question_of_reading():
    """Yes where one sentence has all those of the question's words that the passage has."""
    for item in ITEMS["reading"]:
        if not re.search(r"\bspeak", item.question):
            words = words_of(item.question) & words_of(item.context)
            told = any(words <= words_of(sentence) for sentence in item.context.split(". "))
            assert told == (item.answer == "Yes"), item


def test_of_two_languages_one_is_spoken():
    asked = [item for item in ITEMS["reading"] if re.search(r"\bspeak", item.question)]
    assert len(asked) > 100
    for item in asked:
        who, language = re.findall(r"\b[A-Z]\w+", item.question)[-2:]
        [told] = [line for line in item.context.split(". ") if line.startswith(f"{who} ")]
        spoken = re.sub(r"(?:but|does) not (?:speak )?\w+", "", told)
        assert (language in spoken) == (item.answer == "Yes"), item


COMPARISONS = {
    "either more or fewer than": operator.ne,
    "either more or less than": operator.ne,
    "more than": operator.gt,
    "over": operator.gt,
    "at most": operator.le,
    "fewer than": operator.lt,
    "less than": operator.lt,
    "under": operator.lt,
    "at least": operator.ge,
    "exactly": operator.eq,
    "precisely": operator.eq,
}
COMPARED = re.compile(rf"\b({'|'.join(COMPARISONS)}) (\d+)")


def amount(context, text):
    """What a numerical question asks about, worked out from the passage."""
    lines = context.rstrip(".").split(". ")
    names = dict.fromkeys(re.match(r"\w+", line)[0] for line in lines)
    who = [name for name in names if re.search(rf"\b{name}\b", text)]
    own = [line for line in lines if line.startswith(tuple(who))]
    numbers = [[int(number) for number in re.findall(r"\d+", line)] for line in own]
    if "scored" in context:
        return len(own)
    if "collected" in context:
        return sum(count for [count] in numbers)
    if "years old" in context:
        return abs(numbers[0][0] - numbers[1][0])
    if "career" in context:
        return numbers[0][1] - numbers[0][0]
    had, bought, given_away = numbers[0]
    return had + bought - given_away


def test_the_passage_answers_a_numerical_question_in_every_wording():
    styles = Counter()
    for item in ITEMS["numerical"]:
        for variant in ("original", *REFORMULATIONS):
            text = item.wording(variant)
            comparison, number = COMPARED.search(text).groups()
            holds = COMPARISONS[comparison](amount(item.context, text), int(number))
            assert (holds != (variant == "false")) == (item.gold(variant) == "Yes"), (item, text)
        styles[" exactly " in item.question, item.answer] += 1
    assert set(styles.values()) == {300}  # half thresholds, half exact numbers


BARELY_ABOVE_A_HALF = 0.55


def accuracy(model, inputs, items):
    return cross_val_score(model, inputs, [item.answer for item in items], cv=5).mean()


def counts_of(item):
    """Lengths, numbers, negations, and how often the question's words stand in the passage."""
    context = item.context or ""
    sentences = context.split(". ")
    shared = [word for word in re.findall(r"\w+", item.question) if word in context]
    naming = [sum(word in sentence for sentence in sentences) for word in shared]
    numbers = [int(number) for number in re.findall(r"\d+", context)] or [0]
    return [
        len(item.question),
        len(context),
        len(sentences),
        sum(naming),
        max(naming, default=0),
        context.count(" not "),
        sum(numbers) / len(numbers),
        max(numbers),
        int((re.findall(r"\d+", item.question) or [0])[0]),
        " more than " in item.question,
    ]


@pytest.mark.parametrize("domain", SYNTHETIC_DOMAINS)
def test_the_answer_cannot_be_told_from_the_surface(domain):
    items = ITEMS[domain]
    texts = [[item.question for item in items]]
    if items[0].context:
        texts.append([item.context for item in items])
        texts.append([f"{item.context} {item.question}" for item in items])
    for inputs in texts:
        words = make_pipeline(CountVectorizer(token_pattern=r"[^\s?.]+"), MultinomialNB())
        assert accuracy(words, inputs, items) < BARELY_ABOVE_A_HALF
    forest = RandomForestClassifier(30, min_samples_leaf=10, random_state=0)
    assert accuracy(forest, [counts_of(item) for item in items], items) < BARELY_ABOVE_A_HALF
