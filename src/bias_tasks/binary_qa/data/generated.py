"""Yes/no questions with all rewordings from generated puzzles."""

import random
from functools import lru_cache
from itertools import islice

from bias_tasks.binary_qa.items import BinaryItem, BinaryLabel
from bias_tasks.generated.orders import Relation, Truth
from bias_tasks.generated.puzzles import Puzzle
from bias_tasks.generated.sentences import load_sentences
from bias_tasks.generated.source import GENERATED
from bias_tasks.generated.statements import draw_statements

_ANSWERS: dict[Truth, BinaryLabel] = {"True": "Yes", "False": "No"}


@lru_cache(maxsize=32)
def generate_binary_items(n: int, *, level: int, seed: int) -> tuple[BinaryItem, ...]:
    """Generate yes/no questions, one with each answer about each puzzle; domains are subjects.

    They are kept, since drawing puzzles takes time, and a profile plans what it runs.

    Args:
        n: Minimum number of questions.
        level: Level of the puzzles.
        seed: Seed of the puzzles.
    """
    sampled = islice(draw_statements(level, seed, "binary", tuple(_ANSWERS)), -(-n // 2))
    return tuple(
        _build_item(puzzle, relation, _ANSWERS[truth], level, rng)
        for puzzle, statements, rng in sampled
        for truth, relation in statements.items()
    )


def _build_item(
    puzzle: Puzzle, relation: Relation, answer: BinaryLabel, level: int, rng: random.Random
) -> BinaryItem:
    sentences, first = load_sentences(), rng.randrange(2)
    clause = puzzle.say(relation, "clauses", rng.randrange(3))
    return BinaryItem(
        id=f"{puzzle.id}-{answer.lower()}",
        question=puzzle.say(relation, "questions", first),
        answer=answer,
        domain=puzzle.subject,
        source=GENERATED,
        cluster=puzzle.id,
        context=puzzle.context,
        reformulations={
            "synonym": puzzle.say(relation, "questions", first + 1),
            "polite": rng.choice(sentences.polite).format(p=clause),
            "contradictory": puzzle.say(relation, "opposites", rng.randrange(2)),
            "false": rng.choice(sentences.untrue).format(p=clause),
        },
        columns={"difficulty": level, "topic": puzzle.subject},
    )
