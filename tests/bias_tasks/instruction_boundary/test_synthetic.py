"""Generated items: seeds, balance, worked examples; each answer found again from the text alone;
and no label to be told from the surface."""

import datetime
import itertools
import re
from collections import Counter
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from bias_tasks.data.synthetic.stream import is_example, stream
from bias_tasks.data.synthetic.words import all_names, all_nouns
from bias_tasks.instruction_boundary.data.synthetic import generate, generate_single
from bias_tasks.instruction_boundary.items import item_from_dict, item_to_dict
from bias_tasks.instruction_boundary.prompts.few_shot import few_shot_examples, paper_examples
from bias_tasks.names import content_hash

SEEDS = st.integers()
JUDGING, CHOICE = generate("judging", 2000, 17), generate("choice", 1500, 17)
SINGLE = generate_single(600, 17)


@given(seed=SEEDS, form=st.sampled_from(["judging", "choice"]), k=st.integers(0, 12))
def test_the_first_items_follow_the_seed_and_not_how_many_follow(seed, form, k):
    items = generate(form, 12, seed)
    assert items[:k] == generate(form, k, seed)
    assert not {item.id for item in items} & {item.id for item in generate(form, 12, seed + 1)}


def test_the_items_are_the_same_on_every_machine_and_survive_writing():
    """The hash moves only when generated numbers move: raise the tasks' versions with it."""
    items = [*generate("judging", 200, 0), *generate("choice", 200, 0), *generate_single(50, 0)]
    assert content_hash([item_to_dict(item) for item in items]) == "c48efd58f6"
    assert [item_from_dict(item_to_dict(item)) for item in items] == items


def test_labels_are_balanced_in_every_prefix():
    for n in range(1, 101):
        labels = Counter(item.label for item in JUDGING[:n])
        assert abs(labels["Unknown"] - n / 2) <= 0.5
        assert max(abs(labels[label] - n / 4) for label in ("True", "False")) <= 1
        kinds = Counter(item.label for item in CHOICE[:n])
        assert all(abs(kinds[label] - n / 3) < 1 for label in ("single", "multiple", "none"))


def test_items_are_unique_and_their_ids_hash_their_content():
    items = [*JUDGING, *CHOICE, *SINGLE]
    assert len({item.id for item in items}) == len(items)
    assert all(item.source == "synthetic" and item.cluster == item.id for item in items)
    judging, choice = JUDGING[0], CHOICE[0]
    content = ("judging", judging.context, judging.question, judging.answer)
    assert judging.id == "synthetic-" + content_hash(*content)
    content = ("choice", choice.context, choice.question, choice.options, choice.answer)
    assert choice.id == "synthetic-" + content_hash(*content)


def drawn_examples(form, examples, shots, seed=0):
    own = set(paper_examples())
    return [item for item in few_shot_examples(form, examples, shots, seed) if item not in own]


def test_examples_are_never_among_the_test_items():
    """By construction: the two are told apart by the id itself, whatever the seeds."""
    shown = [*drawn_examples("judging", "balanced", 30), *drawn_examples("choice", "balanced", 30)]
    assert len({item.id for item in shown}) == len(shown) == 90 + 87
    assert all(is_example(item.id) for item in shown)
    assert not any(is_example(item.id) for item in (*JUDGING, *CHOICE, *SINGLE))


def test_repeated_items_and_items_of_the_other_split_are_drawn_again():
    one, other = JUDGING[:2]
    example, another = drawn_examples("judging", "True", 2)

    def drawn(items, **split):
        draws = iter(items)
        return list(stream("test", 0, ["any", "any"], lambda rng, label: next(draws), **split))

    assert drawn([one, one, example, other]) == [one, other]
    assert drawn([one, example, other, another], examples=True) == [example, another]


def test_invented_words_are_different_and_take_the_article_a():
    nouns, names = all_nouns(), all_names()
    assert len(set(nouns)) == len(nouns) == 24 * 18
    assert len(set(names)) == len(names) == 20 * 16
    assert not {noun[0] for noun in nouns} & set("aeiou")


# Choice items, answered again from their text alone.

BASE_UNITS = {
    "mm": Fraction(1),
    "cm": Fraction(10),
    "m": Fraction(1000),
    "g": Fraction(1),
    "kg": Fraction(1000),
    "s": Fraction(1),
    "min": Fraction(60),
    "h": Fraction(3600),
}


def a_date(text):
    return datetime.datetime.strptime(text, "%d %B %Y").date()


def a_measure(text):
    return sum(
        Fraction(amount) * BASE_UNITS[unit] for amount, unit in re.findall(r"(\S+) (\S+)", text)
    )


def remainders(context, divisor, remainder=0):
    return lambda option: int(option) % int(divisor) == int(remainder)


def one_society(context, wanted, unwanted):
    lists = societies(context)
    return lambda option: option in lists[wanted] and option not in lists[unwanted]


def both_societies(context, first, second):
    lists = societies(context)
    return lambda option: option in lists[first] and option in lists[second]


def societies(context):
    rows = re.findall(r"The members of the (\w+) Society are (.+)\.", context)
    return {society: set(re.split(r", | and ", people)) for society, people in rows}


def creatures(context):
    """{creature: what it eats and where it lives}"""
    rows = re.findall(r"The (\w+) eats only (\w+) and lives only in the (\w+)\.", context)
    return {name: set(traits) for name, *traits in rows}


def one_trait(context, wanted, unwanted):
    traits = creatures(context)
    return lambda option: wanted in traits[option] and unwanted not in traits[option]


def both_traits(context, food, habitat):
    traits = creatures(context)
    return lambda option: traits[option] == {food, habitat}


def age(context, relation, limit):
    known = {}
    for line in context.split("\n"):
        name, years, how, other = re.fullmatch(
            r"(\w+) is (\d+) years? (old|older|younger)(?: than (\w+))?\.", line
        ).groups()
        step = -int(years) if how == "younger" else int(years)
        known[name] = step + (known[other] if other else 0)
    sign = 1 if relation == "older" else -1
    return lambda option: sign * known[option] > sign * int(limit)


def weekday(context, day):
    # Counted from the date that the passage gives.
    names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    start, name = re.fullmatch(r"(.+) is a (\w+)\.", context).groups()
    shift = names.index(day) - names.index(name)
    assert a_date(start).weekday() == names.index(name)
    return lambda option: ((a_date(option) - a_date(start)).days - shift) % 7 == 0


def period(context, start, end):
    return lambda option: a_date(start) < a_date(option) < a_date(end)


def measure(context, relation, limit):
    sign = 1 if relation in ("longer", "heavier") else -1
    return lambda option: sign * a_measure(option) > sign * a_measure(limit)


SOCIETY = r"the (\w+) Society"
KINDS = [
    (r"Which of the following numbers are divisible by (\d+)\?", remainders),
    (
        r"Which of the following numbers leave a remainder of (?P<remainder>\d+) "
        r"when divided by (?P<divisor>\d+)\?",
        remainders,
    ),
    (
        rf"Which of the following people are members of {SOCIETY} but not of {SOCIETY}\?",
        one_society,
    ),
    (
        rf"Which of the following people are members of both {SOCIETY} and {SOCIETY}\?",
        both_societies,
    ),
    (
        r"According to the passage, which of the following creatures "
        r"eat (\w+) but do not live in the (\w+)\?",
        one_trait,
    ),
    (
        r"According to the passage, which of the following creatures "
        r"live in the (\w+) but do not eat (\w+)\?",
        one_trait,
    ),
    (
        r"According to the passage, which of the following creatures "
        r"eat (\w+) and live in the (\w+)\?",
        both_traits,
    ),
    (r"Which of the following people are (older|younger) than (\d+)\?", age),
    (r"Which of the following dates fall on a (\w+)\?", weekday),
    (r"Which of the following dates lie after (.+) and before (.+)\?", period),
    (r"Which of the following lengths are (longer|shorter) than (.+)\?", measure),
    (r"Which of the following weights are (heavier|lighter) than (.+)\?", measure),
    (r"Which of the following durations are (longer|shorter) than (.+)\?", measure),
]


def read(item):
    """Which kind of question it is (place in KINDS), and the positions that are right."""
    for kind, (pattern, decide) in enumerate(KINDS):
        if found := re.fullmatch(pattern, item.question):
            named = found.groupdict()
            is_right = decide(item.context, *(() if named else found.groups()), **named)
            return kind, tuple(k for k, option in enumerate(item.options) if is_right(option))
    raise AssertionError(f"no kind asks {item.question!r}")


def test_the_text_of_a_choice_item_alone_gives_the_answer():
    seen = Counter()
    for item in (*CHOICE, *SINGLE):
        kind, answer = read(item)
        assert answer == item.answer
        seen[kind, item.label] += 1
    assert len(seen) == 3 * len(KINDS)
    assert {item.label for item in SINGLE} == {"single"}


def test_options_are_different_and_right_ones_stand_anywhere():
    counts = Counter(len(item.answer) for item in CHOICE)
    assert counts[0] == counts[1] == counts[2] + counts[3] == 500
    assert min(counts[2], counts[3]) > 150
    for items, n_options in ((CHOICE, 4), (SINGLE, 10)):
        assert all(len(set(item.options)) == len(item.options) == n_options for item in items)
        places = Counter(place for item in items for place in item.answer)
        assert chisquare([places[place] for place in range(n_options)]).pvalue > 1e-4


# Judging items, decided again by truth tables over all atoms.

PHRASE = r"(?:not )?a [a-z]+"
FACT = re.compile(rf"([A-Z][a-z]+) is ({PHRASE})\.")
RULE = re.compile(
    rf"(?:Anyone who is|If someone is) ({PHRASE}(?: and is {PHRASE})*)(?:, then they are| is) "
    rf"({PHRASE})\."
)


def literal(phrase):
    """(predicate, whether it is affirmed)."""
    return phrase.split()[-1], not phrase.startswith("not ")


def negated(part):
    return part[0], not part[1]


def parse(item):
    """Facts as {person: [literal]}, rules as lists of literals, and the statement."""
    facts, rules = {}, []
    for line in item.context.split("\n"):
        if fact := FACT.fullmatch(line):
            facts.setdefault(fact[1], []).append(literal(fact[2]))
            continue
        rule = RULE.fullmatch(line)
        assert rule, line
        conditions = [literal(phrase) for phrase in rule[1].split(" and is ")]
        rules.append([*map(negated, conditions), literal(rule[2])])
    person, phrase = FACT.fullmatch(item.question).groups()
    return facts, rules, person, literal(phrase)


def truth_table(clauses, predicates):
    """Rows of the truth table that satisfy every clause."""
    place = {predicate: k for k, predicate in enumerate(predicates)}
    rows = (np.arange(2 ** len(place))[:, None] >> np.arange(len(place))) & 1 == 1
    for clause in clauses:
        rows = rows[np.any([rows[:, place[name]] == sign for name, sign in clause], axis=0)]
    return rows, place


def decided(item):
    facts, rules, person, (predicate, affirmed) = parse(item)
    predicates = {name for clause in rules for name, _ in clause} | {predicate}
    predicates |= {name for known in facts.values() for name, _ in known}
    for who in facts:
        rows, place = truth_table([*rules, *([fact] for fact in facts[who])], sorted(predicates))
        assert len(rows), "the facts are inconsistent"
        if who == person:
            values = set((rows[:, place[predicate]] == affirmed).tolist())
    return {(True,): "True", (False,): "False", (False, True): "Unknown"}[tuple(sorted(values))]


def test_a_truth_table_over_the_text_of_a_judging_item_gives_the_label():
    for item in JUDGING[:400]:
        assert decided(item) == item.answer
        lines = item.context.split("\n")
        assert len(set(lines)) == len(lines)
        assert item.question not in lines


def shortest_proof(item):
    """Rounds of applying every rule whose conditions are known, forwards or backwards."""
    facts, rules, person, statement = parse(item)
    goal = statement if item.answer == "True" else negated(statement)
    directed = [
        ([negated(part) for part in clause if part != conclusion], conclusion)
        for clause in rules
        for conclusion in clause
    ]
    known = set(facts[person])
    for rounds in itertools.count():
        if goal in known:
            return rounds
        derived = {last for conditions, last in directed if known.issuperset(conditions)}
        assert not derived <= known, "no proof without reasoning by cases"
        known |= derived


def test_depths_one_to_four_all_occur_and_conditions_are_needed_backwards():
    """Some items need contraposition: forward chaining alone would call them Unknown."""
    settled = [item for item in JUDGING[:400] if item.answer != "Unknown"]
    depths = Counter(map(shortest_proof, settled))
    assert sorted(depths) == [1, 2, 3, 4]
    assert min(depths.values()) > 25

    def forward(item):
        facts, rules, person, statement = parse(item)
        known = set(facts[person])
        while True:
            derived = {
                clause[-1] for clause in rules if known.issuperset(map(negated, clause[:-1]))
            }
            if derived <= known:
                return {statement, negated(statement)} & known
            known |= derived

    assert 0.2 < sum(not forward(item) for item in settled) / len(settled) < 0.8


# The label cannot be told from an item's surface: chance is a third (or a half).

BARELY_ABOVE_A_THIRD, BARELY_ABOVE_A_HALF = 0.40, 0.55


def accuracy(model, inputs, labels):
    return cross_val_score(model, inputs, labels, cv=5).mean()


def forest():
    return RandomForestClassifier(30, min_samples_leaf=10, random_state=0)


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


def test_neither_words_nor_counts_tell_the_label():
    for items, counted in ((JUDGING, judging_counts), (CHOICE, choice_counts)):
        by_label = {
            label: [i for i in items if i.label == label] for label in {i.label for i in items}
        }
        items = [item for some in by_label.values() for item in some[:500]]
        labels = [item.label for item in items]
        assert set(Counter(labels).values()) == {500}
        texts = [
            " ".join([item.context or "", item.question, *getattr(item, "options", ())])
            for item in items
        ]
        words = make_pipeline(CountVectorizer(token_pattern=r"\S+"), MultinomialNB())
        assert accuracy(words, texts, labels) < BARELY_ABOVE_A_THIRD
        assert accuracy(forest(), [counted(item) for item in items], labels) < BARELY_ABOVE_A_THIRD
    for label in ("True", "False", "Unknown"):
        negative = [" not " in item.question for item in JUDGING if item.label == label]
        assert 0.42 < np.mean(negative) < 0.58


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
