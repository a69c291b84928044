"""Statements about puzzles: one of each truth, or several as the options of a question.

All statements of a puzzle are of one kind of relation, so that neither the facts nor the kind tell
which of them is true.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle

from bias_tasks.generated.orders import Relation, RelationKind, Truth
from bias_tasks.generated.puzzles import RELATION_KINDS, Puzzle, draw_puzzles

_PAIR_KINDS: tuple[RelationKind, ...] = ("before", "next", "adjacent")
"""Kinds of which a statement can be true while others are unknown, unlike a place."""


@dataclass(frozen=True, slots=True)
class GeneratedOptions:
    """Statements as the options of a question."""

    puzzle: Puzzle
    relations: tuple[Relation, ...]
    answer: tuple[int, ...]
    """Positions of the statements that must be true, sorted."""


def draw_statements(
    level: int, seed: int, purpose: str, truths: Sequence[Truth]
) -> Iterator[tuple[Puzzle, Mapping[Truth, Relation], random.Random]]:
    """Yield puzzles without end, each with one statement of each truth.

    The kinds of relations take turns. Statements about places are all about the same one.

    Args:
        level: A key of `LEVELS`.
        seed: Seed of the puzzles.
        purpose: Kind of the items.
        truths: Truths of the statements.
    """
    kinds = cycle(_PAIR_KINDS if "Unknown" in truths else RELATION_KINDS)
    kind = next(kinds)
    for puzzle, rng in draw_puzzles(level, seed, purpose):
        statements = _select_statements(puzzle, kind, level, truths, rng)
        if statements is not None:
            yield puzzle, statements, rng
            kind = next(kinds)


def draw_options(
    level: int, seed: int, purpose: str, *, options: int, correct: Sequence[int]
) -> Iterator[tuple[list[GeneratedOptions], random.Random]]:
    """Yield the questions of puzzles without end.

    Args:
        level: A key of `LEVELS`.
        seed: Seed of the puzzles.
        purpose: Kind of the items.
        options: Number of options of a question.
        correct: Number of correct options of each question of a puzzle.
    """
    first = 0
    for puzzle, rng in draw_puzzles(level, seed, purpose):
        kind = rng.choice(_PAIR_KINDS)
        proved, other = _split_by_proof(puzzle, kind, level)
        if len(proved) < max(correct) or len(other) < options - min(correct):
            continue
        questions = []
        for count in correct:
            # The first correct option takes each position in turn.
            others = [position % options for position in range(first + 1, first + options)]
            answer = [first % options, *rng.sample(others, count - 1)] if count else []
            true, wrong = rng.sample(proved, count), rng.sample(other, options - count)
            relations = [(true if p in answer else wrong).pop() for p in range(options)]
            questions.append(GeneratedOptions(puzzle, tuple(relations), tuple(sorted(answer))))
        first += 1
        yield questions, rng


def _select_statements(
    puzzle: Puzzle, kind: RelationKind, level: int, truths: Sequence[Truth], rng: random.Random
) -> Mapping[Truth, Relation] | None:
    """Return a statement of the level of each truth; None if the puzzle has none of one of them."""
    by_position: dict[int, dict[Truth, list[Relation]]] = {}
    for relation, truth in puzzle.find_truths(kind).items():
        position = relation.second if kind == "at" else 0
        by_position.setdefault(position, {}).setdefault(truth, []).append(relation)
    for position in rng.sample([*by_position], len(by_position)):
        statements: dict[Truth, Relation] = {}
        for truth in truths:
            candidates = by_position[position].get(truth, [])
            for relation in rng.sample(candidates, len(candidates)):
                if puzzle.is_of_level(relation, level):
                    statements[truth] = relation
                    break
        if len(statements) == len(truths):
            return statements
    return None


def _split_by_proof(
    puzzle: Puzzle, kind: RelationKind, level: int
) -> tuple[list[Relation], list[Relation]]:
    """Return the statements that must be true, and those that are false or unknown."""
    truths = puzzle.find_truths(kind)
    fitting = [relation for relation in truths if puzzle.is_of_level(relation, level)]
    proved = [relation for relation in fitting if truths[relation] == "True"]
    return proved, [relation for relation in fitting if truths[relation] != "True"]
