"""Judging and choice items from generated puzzles."""

from functools import lru_cache
from itertools import islice

from bias_tasks.generated.puzzles import Puzzle
from bias_tasks.generated.sentences import load_sentences, to_sentence
from bias_tasks.generated.source import GENERATED
from bias_tasks.generated.statements import draw_options, draw_statements
from bias_tasks.instruction_boundary.items import (
    JUDGING_LABELS,
    ChoiceItem,
    Form,
    Item,
    JudgingItem,
)

_CORRECT = (1, 2, 0)
"""Number of correct options of a puzzle's questions: single, multiple and none."""


@lru_cache(maxsize=32)
def generate_items(
    form: Form, n: int, *, level: int, seed: int, ten_options: bool = False
) -> tuple[Item, ...]:
    """Generate the items of a form, equally many of each label.

    They are kept, since drawing puzzles takes time, and a profile plans what it runs.

    Args:
        form: Form of the items.
        n: Minimum number of items; each puzzle has one item of each label.
        level: Level of the puzzles.
        seed: Seed of the puzzles.
        ten_options: Whether choice items have ten options, one of them correct.
    """
    return tuple(
        _generate_judging(n, level, seed)
        if form == "judging"
        else _generate_choice(n, level, seed, ten_options)
    )


def _generate_judging(n: int, level: int, seed: int) -> list[Item]:
    count = -(-n // len(JUDGING_LABELS))
    sampled = islice(draw_statements(level, seed, "judging", JUDGING_LABELS), count)
    return [
        JudgingItem(
            id=f"{puzzle.id}-{label.lower()}",
            context=puzzle.context,
            question=to_sentence(puzzle.say(relation, "clauses", rng.randrange(3))),
            answer=label,
            source=GENERATED,
            cluster=puzzle.id,
            columns=_describe(puzzle, level),
        )
        for puzzle, statements, rng in sampled
        for label, relation in statements.items()
    ]


def _generate_choice(n: int, level: int, seed: int, ten_options: bool) -> list[Item]:
    options, correct = (10, (1,)) if ten_options else (4, _CORRECT)
    purpose = f"choice of {options}"
    sampled = draw_options(level, seed, purpose, options=options, correct=correct)
    items: list[Item] = []
    for questions, rng in islice(sampled, -(-n // len(correct))):
        for question in questions:
            puzzle = question.puzzle
            items.append(
                ChoiceItem(
                    id=f"{puzzle.id}-{len(question.answer)}",
                    context=puzzle.context,
                    question=rng.choice(load_sentences().choice_questions),
                    options=tuple(
                        to_sentence(puzzle.say(relation, "clauses", rng.randrange(3)))
                        for relation in question.relations
                    ),
                    answer=question.answer,
                    source=GENERATED,
                    cluster=puzzle.id,
                    columns=_describe(puzzle, level),
                )
            )
    return items


def _describe(puzzle: Puzzle, level: int) -> dict[str, object]:
    """Return what no prompt shows, as core items have it."""
    return {"difficulty": level, "topic": puzzle.subject}
