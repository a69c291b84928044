"""Generated statements are true, false or unknown as a plain search over all orders says."""

from collections import Counter
from itertools import islice, permutations

import pytest

from bias_tasks.generated.orders import Fact, JoinedRelations, Relation
from bias_tasks.generated.puzzles import LEVELS, Puzzle
from bias_tasks.generated.sentences import load_sentences
from bias_tasks.generated.statements import draw_options, draw_statements

TRUTHS = ("True", "False", "Unknown")


def holds(fact: Fact, order: tuple[int, ...]) -> bool:
    """Return whether a fact holds if thing i has the place order[i]."""
    if isinstance(fact, JoinedRelations):
        first, second = (holds(relation, order) for relation in fact.relations)
        return {"either": first != second, "same": first == second}.get(
            fact.join, second or not first
        )
    place = order[fact.first]
    if fact.kind == "at":
        value = place == fact.second
    else:
        distance = order[fact.second] - place
        value = {
            "before": distance > 0,
            "next": distance == 1,
            "adjacent": distance in (-1, 1),
        }[fact.kind]
    return value != fact.denied


def search(puzzle: Puzzle, relation: Relation, facts: tuple[Fact, ...] | None = None) -> str:
    """Return the truth of a relation by a search over all orders."""
    used = puzzle.facts if facts is None else facts
    orders = permutations(range(len(puzzle.things)))
    seen = {holds(relation, order) for order in orders if all(holds(f, order) for f in used)}
    return "Unknown" if len(seen) == 2 else str(seen.pop())


@pytest.mark.parametrize("level", LEVELS)
def test_statements_have_the_truth_that_a_search_finds(level: int) -> None:
    for puzzle, statements, _ in islice(draw_statements(level, 7, "test", TRUTHS), 6):
        assert {truth: search(puzzle, relation) for truth, relation in statements.items()} == {
            truth: truth for truth in TRUTHS
        }
        assert len({relation.kind for relation in statements.values()}) == 1


@pytest.mark.parametrize("level", [2, 5])
def test_no_single_fact_decides_a_statement(level: int) -> None:
    for puzzle, statements, _ in islice(draw_statements(level, 7, "test", TRUTHS), 9):
        for relation in statements.values():
            assert {search(puzzle, relation, (fact,)) for fact in puzzle.facts} == {"Unknown"}


@pytest.mark.parametrize(("options", "correct"), [(4, (1, 2, 0)), (10, (1,))])
def test_exactly_the_stated_options_must_be_true(options: int, correct: tuple[int, ...]) -> None:
    for questions, _ in islice(
        draw_options(5, 7, "test", options=options, correct=correct), 2 * options
    ):
        assert tuple(len(question.answer) for question in questions) == correct
        for question in questions:
            proved = [
                position
                for position, relation in enumerate(question.relations)
                if search(question.puzzle, relation) == "True"
            ]
            assert tuple(proved) == question.answer
            assert len(set(question.relations)) == options


def test_correct_options_take_each_position_equally_often() -> None:
    drawn = islice(draw_options(2, 7, "test", options=4, correct=(1,)), 40)
    positions = Counter(question.answer[0] for questions, _ in drawn for question in questions)
    assert positions == {0: 10, 1: 10, 2: 10, 3: 10}


def test_a_seed_repeats_its_puzzles_and_another_has_others() -> None:
    first, again, other = (
        [puzzle.context for puzzle, *_ in islice(draw_statements(3, seed, "test", TRUTHS), 5)]
        for seed in (1, 1, 2)
    )
    assert first == again
    assert not set(first) & set(other)


def test_every_wording_says_its_things() -> None:
    for name, subject in load_sentences().subjects.items():
        for kind in subject.relations:
            relation = Relation(kind, 0, 1)
            things = ("THIS", "THAT")
            for phrase in ("clauses", "denials", "questions", "opposites"):
                for wording in range(3):
                    text = subject.say(things, relation, phrase, wording)
                    assert "THIS" in text, (name, kind, text)
                    assert (subject.positions[1] if kind == "at" else "THAT") in text
                    assert text.endswith("?") == (phrase in ("questions", "opposites"))
