"""Judging items are re-decided from their text, by truth tables over all atoms."""

import itertools
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.instruction_boundary.data.synthetic import (
    decide,
    derivation_depth,
    every_world,
    generate,
    satisfying,
)
from tests.bias_tasks.examples import examples

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


@examples(50)
@given(seed=st.integers())
def test_a_truth_table_over_the_text_gives_the_label(seed):
    for item in generate("judging", 8, seed):
        assert decided(item) == item.answer


@pytest.mark.parametrize("distractors", [0, 12])
@pytest.mark.parametrize("depth", [1, 2, 5])
def test_a_truth_table_agrees_at_every_size(depth, distractors):
    for item in generate("judging", 8, 7, depth=depth, distractors=distractors):
        assert decided(item) == item.answer


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


@pytest.mark.parametrize("depth", range(1, 7))
def test_depth_is_the_length_of_the_shortest_proof(depth):
    items = generate("judging", 40, 3, depth=depth)
    assert {shortest_proof(item) for item in items if item.answer != "Unknown"} == {depth}


def test_depths_one_to_four_all_occur_by_default():
    items = generate("judging", 400, 3)
    depths = Counter(shortest_proof(item) for item in items if item.answer != "Unknown")
    assert sorted(depths) == [1, 2, 3, 4]
    assert min(depths.values()) > 25


@pytest.mark.parametrize("distractors", [0, 3, 12])
def test_distractors_are_as_many_as_asked(distractors):
    # Two chains of 2 rules, each with 2 facts or, with a side condition, 3.
    for item in generate("judging", 40, 5, depth=2, distractors=distractors):
        assert len(item.context.split("\n")) - distractors in {2 * 2 + 2 * 2, 2 * 2 + 2 * 3}


def test_no_sentence_is_repeated_and_none_is_the_statement():
    for item in generate("judging", 400, 11):
        lines = item.context.split("\n")
        assert len(set(lines)) == len(lines)
        assert item.question not in lines


def test_facts_and_rules_stand_in_no_order():
    first = [item.context.split("\n")[0] for item in generate("judging", 400, 12)]
    assert 0.4 < sum(FACT.fullmatch(line) is None for line in first) / len(first) < 0.6


def test_conditions_can_be_needed_backwards():
    """Some items need contraposition: forward chaining alone would call them Unknown."""

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

    settled = [item for item in generate("judging", 400, 2) if item.answer != "Unknown"]
    assert 0.2 < sum(not forward(item) for item in settled) / len(settled) < 0.8


# Logic, decided by hand.


def possible(clauses, atoms):
    left = every_world(atoms)
    for clause in clauses:
        left &= satisfying(clause, atoms)
    return left


@pytest.mark.parametrize(
    ("clauses", "statement", "label"),
    [
        ([], 1, "Unknown"),
        ([(1,)], 1, "True"),
        ([(1,)], -1, "False"),
        ([(-1, 2), (1,)], 2, "True"),
        ([(-1, 2), (-2,)], 1, "False"),  # contraposition
        ([(-1, 2), (2,)], 1, "Unknown"),  # affirming the consequent
        ([(-1, 2), (-1,)], 2, "Unknown"),  # denying the antecedent
        ([(-1, 2), (1, 2)], 2, "True"),  # by cases, which forward chaining misses
        ([(-1, -2, 3), (1,), (-3,)], 2, "False"),
    ],
)
def test_entailment_of_textbook_cases(clauses, statement, label):
    assert decide(possible(clauses, 3), statement, 3) == label


def test_inconsistent_facts_are_refused():
    with pytest.raises(ValueError, match="inconsistent"):
        decide(possible([(1,), (-1, 2), (-2,)], 2), 1, 2)


@pytest.mark.parametrize(
    ("clauses", "depth"),
    [
        ([(3,)], 0),
        ([(1,), (-1, 3)], 1),
        ([(1,), (-1, 2), (-2, 3)], 2),
        ([(1,), (-1, 2), (-2, 3), (-1, 3)], 1),  # the shorter of two ways
        ([(1,), (-1, 2), (-1, -2, 3)], 2),
        ([(-1, 3), (1, 3)], None),  # by cases only
        ([], None),
    ],
)
def test_derivation_depth_by_hand(clauses, depth):
    assert derivation_depth(clauses, 3) == depth
