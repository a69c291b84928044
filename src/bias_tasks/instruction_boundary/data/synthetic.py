"""Unlimited generated items with exact labels, for runs that no training set has seen.

Everything follows from the seed: the same arguments give the same items on every machine, and the
first k of n items are those of a call with n = k. Nothing is fetched.

A judging item is facts and rules about invented people, and a statement that they settle or not. It
holds two chains of rules of the same length, one that leads to the statement and one that leads to
its negation. At most one of them is whole: the first for True, the second for False, neither for
Unknown. A chain is broken in one place by a condition, a fact or a person that does not fit. All
three labels therefore have the same kinds and numbers of sentences, and negations are drawn by
coin, so that counting words tells nothing about the label.

What follows is classical and open-world: True iff the facts entail the statement, False iff they
entail its negation, else Unknown. Rules speak of one person at a time, so each person is decided
on their own. Literals are written as in the DIMACS format: atom `k` (from 1) is `k`, its negation
`-k`. A clause is a tuple of literals of which at least one holds. Entailment is decided by the
whole truth table, held in one integer: bit `w` stands for the assignment in which atom `k` is true
iff bit `k - 1` of `w` is set, and what several clauses leave possible is the `&` of their integers.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

from bias_tasks.data.synthetic.choices import draw_choice
from bias_tasks.data.synthetic.stream import stream
from bias_tasks.data.synthetic.words import names, nouns
from bias_tasks.instruction_boundary.items import (
    ChoiceItem,
    ChoiceLabel,
    Form,
    Item,
    JudgingItem,
    JudgingLabel,
)
from bias_tasks.names import content_hash

Literal = int
Clause = tuple[Literal, ...]

# The shares of the paper's data (section 3.1), in an order that keeps every prefix balanced.
_JUDGING_PATTERN: tuple[JudgingLabel, ...] = ("Unknown", "True", "Unknown", "False")
_CHOICE_PATTERN: tuple[ChoiceLabel, ...] = ("single", "multiple", "none")
_RIGHT: Mapping[ChoiceLabel, tuple[int, ...]] = {"none": (0,), "single": (1,), "multiple": (2, 3)}
"""How many options may be right under each label."""
_DEPTHS = range(1, 5)
"""Rules that must be applied one after another to settle the statement (for Unknown, the length of
the broken chains)."""
_DISTRACTORS = range(2, 6)
"""Sentences beside the two chains."""
_PEOPLE = 3
_SUBJECT = 0  # the person whom the statement is about
_SIDE_CONDITION = 0.5  # share of items whose chains have a rule with a second condition
_CONTRAPOSED = 0.25  # share of rules printed so that they must be used backwards

_Sentence = tuple[int | None, Clause]
"""A fact (person, (literal,)), or a rule (None, clause) printed with its last literal as the
conclusion."""


def generate(form: Form, n: int, seed: int) -> list[Item]:
    """`n` generated test items; another seed gives others.

    Judging labels are half Unknown, a quarter True and a quarter False; choice items are in equal
    parts single, multiple and none, with four options.
    """
    if form == "judging":
        labels = itertools.islice(itertools.cycle(_JUDGING_PATTERN), n)
        return list(stream("judging", seed, labels, judging_item))
    kinds = itertools.islice(itertools.cycle(_CHOICE_PATTERN), n)
    return list(stream("choice", seed, kinds, choice_item))


def generate_single(n: int, seed: int) -> list[ChoiceItem]:
    """Test items with exactly one right option of ten, for disturbing_miscellany."""
    labels: Iterator[ChoiceLabel] = itertools.repeat("single", n)
    return list(stream("single", seed, labels, partial(choice_item, n_options=10)))


def choice_item(rng: random.Random, label: ChoiceLabel, n_options: int = 4) -> ChoiceItem:
    """One choice item with the given label.

    None of the options is right, one (single), or two or three and never all (multiple). They are
    in random order.
    """
    drawn = draw_choice(rng, _RIGHT[label], n_options)
    fields = (drawn.context, drawn.question, list(drawn.options), drawn.answer)
    identity = f"synthetic-{content_hash('choice', *fields)}"
    return ChoiceItem(
        id=identity,
        context=drawn.context,
        question=drawn.question,
        options=drawn.options,
        answer=drawn.answer,
        source="synthetic",
        cluster=identity,
    )


def judging_item(rng: random.Random, label: JudgingLabel) -> JudgingItem:
    """One judging item with the given label, which is decided from the finished facts: they are
    drawn anew where it differs."""
    depth = rng.choice(_DEPTHS)
    distractors = rng.choice(_DISTRACTORS)
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


@cache
def every_world(atoms: int) -> int:
    """All assignments to `atoms` atoms."""
    return (1 << (1 << atoms)) - 1


def satisfying(clause: Clause, atoms: int) -> int:
    """The assignments in which the clause holds."""
    found = 0
    for literal in clause:
        found |= _worlds_of(literal, atoms)
    return found


def decide(possible: int, literal: Literal, atoms: int) -> JudgingLabel:
    """Whether the literal holds in all, in none or in some of the worlds, of which there is one."""
    holds = possible & _worlds_of(literal, atoms)
    if holds == possible:
        return "True"
    return "Unknown" if holds else "False"


def derivation_depth(clauses: Sequence[Clause], literal: Literal) -> int | None:
    """Rounds of unit propagation until the literal is known: rules applied one after another.

    Returns:
        0 when the literal is itself a clause, None when unit propagation does not reach it.
    """
    known: set[Literal] = set()
    depth = 0
    while True:
        derived = {
            undecided[0]
            for clause in clauses
            if len(undecided := [part for part in clause if -part not in known]) == 1
        }
        if literal in derived:
            return depth
        if derived <= known:
            return None
        known |= derived
        depth += 1


@cache
def _worlds_of(literal: Literal, atoms: int) -> int:
    if literal > 0:
        return every_world(atoms) ^ _worlds_of(-literal, atoms)
    # Runs of 2^(k-1) ones and as many zeros in turn, from one run by doubling.
    run = 1 << (-literal - 1)
    found, width = (1 << run) - 1, 2 * run
    while width < 1 << atoms:
        found |= found << width
        width *= 2
    return found
