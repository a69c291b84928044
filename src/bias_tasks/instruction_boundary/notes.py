"""What must be said wherever a run's figures are shown: what was asked, and of how many items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from bias_tasks.instruction_boundary.items import ChoiceItem
from bias_tasks.instruction_boundary.prompts.distractors import own_and_extra
from bias_tasks.instruction_boundary.prompts.missing import loss_of
from bias_tasks.instruction_boundary.questions import SettingQuestion
from bias_tasks.instruction_boundary.settings import MISCELLANY


def notes_on(questions: Sequence[SettingQuestion]) -> tuple[str, ...]:
    """Notes on questions that could not be asked as the setting has it."""
    return (*_on_distractors(questions), *_on_missing_choices(questions))


def _on_distractors(questions: Sequence[SettingQuestion]) -> Iterator[str]:
    """How many items have fewer wrong options than were asked for, and what they show instead."""
    asked: dict[int, list[tuple[int, int]]] = {}
    for question in questions:
        item, params = question.item, question.params
        if question.under == MISCELLANY and isinstance(item, ChoiceItem):
            shown = own_and_extra(item, params.distractors, params.protocol)
            asked.setdefault(params.distractors, []).append(shown)
    for level, pairs in asked.items():
        short = Counter(pair for pair in pairs if pair[0] < level)
        if short:
            yield (
                f"distractors={level}: {_of(short.total(), len(pairs))} have fewer wrong options "
                f"of their own ({_kinds(short)})"
            )
    judging = sum(q.under == MISCELLANY and q.item.form == "judging" for q in questions)
    if judging:
        yield (
            f"distractors: {judging} judging items show table 2's two extra options, whatever the "
            "number"
        )


def _kinds(short: Counter[tuple[int, int]]) -> str:
    """How many items show how many wrong options of their own, and of table 2's beside them."""
    return ", ".join(
        f"{count} show {own}{f' and {extra} of table 2' if extra else ''}"
        for (own, extra), count in sorted(short.items())
    )


def _on_missing_choices(questions: Sequence[SettingQuestion]) -> Iterator[str]:
    """How many items have no option that could be left out."""
    losses = [
        loss_of(question.item, question.params.seed)
        for question in questions
        if question.under == "missing_choices"
        and isinstance(question.item, ChoiceItem)
        and question.params.protocol == "corrected"
    ]
    if "nothing" in losses:
        yield (
            f"missing_choices: {_of(losses.count('nothing'), len(losses))} have no option that "
            "could be left out, and are asked with all of theirs"
        )


def _of(count: int, total: int) -> str:
    return f"{count} of {total} choice items"
