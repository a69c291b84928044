"""Judging items: facts and rules about invented people, and a statement they settle or not.

Every item holds two chains of rules of the same length, one that leads to the statement and one
that leads to its negation. At most one of them is whole: the first for True, the second for
False, neither for Unknown. A chain is broken in one place by a condition, a fact or a person that
does not fit. All three labels therefore have the same kinds and numbers of sentences, and
negations are drawn by coin, so that counting words tells nothing about the label.

What follows is classical and open-world: True iff the facts entail the statement, False iff they
entail its negation, else Unknown. Rules speak of one person at a time, so each person is decided
on their own.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from bias_tasks.data.synthetic.words import names, nouns
from bias_tasks.instruction_boundary.data.synthetic.logic import (
    Clause,
    Literal,
    decide,
    derivation_depth,
    every_world,
    satisfying,
)
from bias_tasks.instruction_boundary.items import JudgingItem, JudgingLabel
from bias_tasks.names import content_hash

DEPTHS = range(1, 7)
DISTRACTORS = range(0, 13)

_DEFAULT_DEPTHS = range(1, 5)
_DEFAULT_DISTRACTORS = range(2, 6)
_PEOPLE = 3
_SUBJECT = 0  # the person whom the statement is about
_SIDE_CONDITION = 0.5  # share of items whose chains have a rule with a second condition
_CONTRAPOSED = 0.25  # share of rules printed so that they must be used backwards

_Sentence = tuple[int | None, Clause]
"""A fact (person, (literal,)), or a rule (None, clause) printed with its last literal as the
conclusion."""


@dataclass(frozen=True, slots=True)
class _Theory:
    """The sentences of one item. Atom 1 is the statement's; the last two stand in no chain."""

    atoms: int
    sentences: tuple[_Sentence, ...]
    possible: tuple[int, ...]
    """For each person, the worlds that the sentences leave possible."""

    def plus(self, sentence: _Sentence) -> _Theory:
        who, clause = sentence
        holds = satisfying(clause, self.atoms)
        possible = tuple(
            left & holds if who in (None, person) else left
            for person, left in enumerate(self.possible)
        )
        return _Theory(self.atoms, (*self.sentences, sentence), possible)


@dataclass(frozen=True, slots=True)
class _Chain:
    """Rules that lead from the grounds, facts about the subject, to a conclusion."""

    rules: list[Clause]
    grounds: list[Literal]
    spare: Literal
    """A literal that the chain does not need, said of another person."""


def judging_item(
    rng: random.Random,
    label: JudgingLabel,
    depth: int | None = None,
    distractors: int | None = None,
) -> JudgingItem:
    """One judging item with the given label.

    Args:
        rng: the only source of chance.
        label: the gold label; decided from the finished facts, which are redrawn if it differs.
        depth: rules that must be applied one after another to settle the statement (for Unknown,
            the length of the broken chains), in `DEPTHS`; drawn from 1 to 4 by default.
        distractors: sentences beside the two chains, in `DISTRACTORS`; 2 to 5 by default.
    """
    depth = rng.choice(_DEFAULT_DEPTHS) if depth is None else depth
    distractors = rng.choice(_DEFAULT_DISTRACTORS) if distractors is None else distractors
    while True:
        theory, statement = _two_chains(rng, label, depth)
        if _settles(theory, statement, label, depth):
            break
    while distractors:
        distractor = _distractor(rng, theory.atoms)
        longer = theory.plus(distractor)
        if not _is_said(distractor, theory) and _settles(longer, statement, label, depth):
            theory = longer
            distractors -= 1
    return _worded(rng, theory, statement, label)


def _settles(theory: _Theory, statement: Literal, label: JudgingLabel, depth: int) -> bool:
    """Whether the facts are consistent and give the statement this label at this depth."""
    if not all(theory.possible):
        return False
    if decide(theory.possible[_SUBJECT], statement, theory.atoms) != label:
        return False
    if label == "Unknown":
        return True
    settled = statement if label == "True" else -statement
    known = [clause for who, clause in theory.sentences if who in (None, _SUBJECT)]
    return derivation_depth(known, settled) == depth


def _two_chains(rng: random.Random, label: JudgingLabel, depth: int) -> tuple[_Theory, Literal]:
    """The chains to the statement and to its negation, and the statement."""
    side_condition = rng.random() < _SIDE_CONDITION
    # The statement's atom; for each chain its steps, its spare and its side condition; two more.
    atoms = 1 + 2 * (depth + 1 + side_condition) + 2
    theory = _Theory(atoms, sentences=(), possible=(every_world(atoms),) * _PEOPLE)
    unused = iter(range(2, atoms - 1))
    statement = _signed(rng, 1)
    for conclusion, whole in ((statement, label == "True"), (-statement, label == "False")):
        chain = _chain(rng, unused, depth, conclusion, side_condition)
        for sentence in _stated(rng, chain, whole):
            theory = theory.plus(sentence)
    return theory, statement


def _chain(
    rng: random.Random, unused: Iterator[int], depth: int, conclusion: Literal, side_condition: bool
) -> _Chain:
    steps = [_signed(rng, next(unused)) for _ in range(depth)] + [conclusion]
    rules: list[Clause] = [(-steps[i], steps[i + 1]) for i in range(depth)]
    grounds = [steps[0]]
    if side_condition:
        condition = _signed(rng, next(unused))
        place = rng.randrange(depth)
        rules[place] = (-condition, *rules[place])
        grounds.append(condition)
    return _Chain(rules, grounds, spare=_signed(rng, next(unused)))


def _stated(rng: random.Random, chain: _Chain, whole: bool) -> list[_Sentence]:
    """The chain's sentences, with one alteration that breaks it unless it is to be whole."""
    rules, subject, spare = list(chain.rules), list(chain.grounds), chain.spare
    if not whole:
        ground = rng.randrange(len(subject))
        match rng.choice(("condition", "fact", "person")):
            case "condition":
                place = rng.randrange(len(rules))
                *side, condition, conclusion = rules[place]
                rules[place] = (*side, -condition, conclusion)
            case "fact":
                subject[ground] = -subject[ground]
            case "person":
                subject[ground], spare = spare, subject[ground]
    facts = [(_SUBJECT, literal) for literal in subject]
    facts.append((rng.randrange(1, _PEOPLE), spare))
    return [
        *((who, (literal,)) for who, literal in facts),
        *((None, _turned(rng, rule)) for rule in rules),
    ]


def _turned(rng: random.Random, rule: Clause) -> Clause:
    """The same clause, sometimes with one of the conditions in the conclusion's place."""
    if rng.random() >= _CONTRAPOSED:
        return rule
    place = rng.randrange(len(rule) - 1)
    return (*rule[:place], *rule[place + 1 :], rule[place])


def _distractor(rng: random.Random, atoms: int) -> _Sentence:
    """A random rule or fact; it shares an atom with the chains but does not extend them."""
    idle = _signed(rng, rng.choice((atoms - 1, atoms)))
    if rng.random() < 0.5:
        shared = _signed(rng, rng.randrange(2, atoms - 1))
        return None, rng.choice(((idle, shared), (shared, idle)))
    person = rng.randrange(_PEOPLE)
    return person, (idle if person == _SUBJECT else _signed(rng, rng.randint(1, atoms)),)


def _is_said(sentence: _Sentence, theory: _Theory) -> bool:
    """Whether one of the theory's sentences says the same, perhaps the other way round."""
    who, clause = sentence
    return any(who == other and set(clause) == set(parts) for other, parts in theory.sentences)


def _signed(rng: random.Random, atom: int) -> Literal:
    return atom if rng.random() < 0.5 else -atom


def _worded(
    rng: random.Random, theory: _Theory, statement: Literal, label: JudgingLabel
) -> JudgingItem:
    people = names(rng, _PEOPLE)
    predicates = nouns(rng, theory.atoms)

    def phrase(literal: Literal) -> str:
        return ("a " if literal > 0 else "not a ") + predicates[abs(literal) - 1]

    sentences = []
    for who, (*negated, last) in theory.sentences:
        if who is not None:
            sentences.append(f"{people[who]} is {phrase(last)}.")
            continue
        conditions = " and is ".join(phrase(-literal) for literal in negated)
        if rng.random() < 0.5:
            sentences.append(f"Anyone who is {conditions} is {phrase(last)}.")
        else:
            sentences.append(f"If someone is {conditions}, then they are {phrase(last)}.")
    rng.shuffle(sentences)
    context = "\n".join(sentences)
    question = f"{people[_SUBJECT]} is {phrase(statement)}."
    identity = f"synthetic-{content_hash('judging', context, question, label)}"
    return JudgingItem(identity, context, question, label, source="synthetic", cluster=identity)
