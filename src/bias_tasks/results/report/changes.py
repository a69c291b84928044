"""Selects answers for the report: changed answers (one item, two variants), and unparsed ones."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from statistics import fmean
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from bias_tasks.results.answers import RunAnswers
from bias_tasks.results.run import ScoredAnswer
from bias_tasks.results.text import format_excerpt, truncate_middle

_MIN_CHANGE = 0.05
"""Smallest change of the normalized score that is counted."""
_MAX_REASONS = 6
OTHER_REASONS = "other reasons"
_MAX_COMPARED_LENGTH = 3000
"""Characters of a prompt that are compared."""
_MAX_SAME_LENGTH = 200
"""Characters that are shown between two differences of prompts."""
_BLOCK = re.compile(r"</[a-z]+-([0-9a-f]{10})>")
"""The end of a block of a judge's prompt, with its random mark."""
PromptPart: TypeAlias = tuple[Literal["same", "del", "ins"], str]
PartT = TypeVar("PartT")


class AnswerChange(NamedTuple):
    """An item's answers under two variants."""

    before: ScoredAnswer
    """The answer under the baseline variant."""
    after: ScoredAnswer
    change: float
    """Change of the normalized score, from -1 to 1; 0 if answers have no scores."""
    correct: tuple[bool | None, bool | None]
    """Whether each of them is correct; None if no answer to the item is correct or wrong."""

    @property
    def is_changed(self) -> bool:
        """Whether the answer is another one."""
        return self.before.outcome.answer != self.after.outcome.answer

    @property
    def description(self) -> str:
        """The change in words: between correct and wrong, or of scores; empty without one."""
        match self.correct:
            case (False, True):
                return "wrong → correct"
            case (True, False):
                return "correct → wrong"
        scores = [answer.outcome.score for answer in (self.before, self.after)]
        if None in scores or scores[0] == scores[1]:
            return ""
        return " → ".join(f"{score:.3g}" for score in scores)


class VariantChange(NamedTuple):
    """Number of changed answers between a variant and its baseline variant."""

    before: str
    """The baseline variant."""
    after: str
    items: int
    """Number of items, in each epoch, with a parsed answer under both variants."""
    changed: int
    """Number of these with another answer under `after`."""
    lower: int
    """Number of these with a lower score under `after`."""
    higher: int


def find_changes(
    answers: RunAnswers, parts: Collection[str] = ()
) -> tuple[list[VariantChange], AnswerChange | None]:
    """Count the changed answers of a run by variant, and select the largest change as an example.

    If two changes are equally large, the one to a lower score comes first.

    Args:
        answers: The answers.
        parts: Settings, probes or attacks; examples of variants with such a name come first.

    Returns:
        The changes by variant, and the example; None if no answer changes.
    """
    by_variants: dict[tuple[str, str], list[AnswerChange]] = {}
    for change in _pair_answers(answers):
        variants = change.before.outcome.variant, change.after.outcome.variant
        by_variants.setdefault(variants, []).append(change)
    counts = []
    for (before, after), changes in by_variants.items():
        lower, higher = (
            sum(sign * change.change >= _MIN_CHANGE for change in changes) for sign in (-1, 1)
        )
        changed = sum(change.is_changed for change in changes)
        counts.append(VariantChange(before, after, len(changes), changed, lower, higher))
    examples = [
        change
        for changes in by_variants.values()
        for change in changes
        if change.is_changed or abs(change.change) >= _MIN_CHANGE
    ]

    def rank(change: AnswerChange) -> tuple[object, ...]:
        names = re.split(r"[/@~]", change.after.outcome.variant)
        return not {*parts} & {*names}, -abs(change.change), change.change

    return counts, min(examples, key=rank, default=None)


def diff_prompts(before: str, after: str) -> list[PromptPart]:
    """Return two prompts as parts that both have, only the first or only the second has.

    Returns:
        Pairs of `same`, `del` or `ins` and the text; long common parts are truncated, and random
        names of blocks shortened.
    """
    first, second = (
        re.findall(r"\S+\s*", format_excerpt(_shorten_blocks(prompt), _MAX_COMPARED_LENGTH))
        for prompt in (before, after)
    )
    parts: list[PromptPart] = []
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    for kind, start, end, second_start, second_end in matcher.get_opcodes():
        deleted, inserted = "".join(first[start:end]), "".join(second[second_start:second_end])
        if kind == "equal":
            parts.append(("same", truncate_middle(deleted, _MAX_SAME_LENGTH)))
            continue
        if deleted:
            parts.append(("del", deleted))
        if inserted:
            parts.append(("ins", inserted))
    return parts


def _shorten_blocks(prompt: str) -> str:
    """Return a prompt without the random marks of its blocks, which differ and say nothing."""
    for mark in set(_BLOCK.findall(prompt)):
        prompt = prompt.replace(mark, "…")
    return prompt


def _interleave(lists: Iterable[Sequence[PartT]]) -> list[PartT]:
    """Return the first elements of all lists, then the second ones, and so on."""
    return [part for row in zip_longest(*lists) for part in row if part is not None]


def _pair_answers(answers: RunAnswers) -> Iterator[AnswerChange]:
    """Yield how each item's answer and score change from the baseline variant to another variant.

    Formats have no baseline variant: there, answers are compared with those in the format with the
    best mean score. Unparsed answers, and those without a baseline answer in the same epoch, are
    skipped.
    """
    family = answers.run.family
    by_item: dict[tuple[str, int], dict[str, tuple[ScoredAnswer, float | None]]] = {}
    scores_by_variant: dict[str, list[float]] = {}
    for answer in answers.answers:
        outcome, score = answer.outcome, family.normalized_score(answer.outcome)
        if outcome.answer is not None:
            by_variant = by_item.setdefault((outcome.item, outcome.epoch), {})
            by_variant[outcome.variant] = answer, score
            scores_by_variant.setdefault(outcome.variant, []).append(score or 0.0)
    best = None
    if not any(map(family.baseline_variant, scores_by_variant)):
        best = max(scores_by_variant, key=lambda name: fmean(scores_by_variant[name]), default=None)
    for by_variant in by_item.values():
        for variant, (after, score) in by_variant.items():
            baseline = family.baseline_variant(variant) or best
            if baseline != variant and baseline in by_variant:
                before, baseline_score = by_variant[baseline]
                correct = family.is_correct(before.outcome), family.is_correct(after.outcome)
                change = 0.0
                if score is not None and baseline_score is not None:
                    change = score - baseline_score
                yield AnswerChange(before, after, change, correct)


class UnparsedSummary(NamedTuple):
    """Number of unparsed answers of a run, by reason, with examples."""

    unparsed: int
    total: int
    """Number of answers."""
    reasons: list[tuple[str, int]]
    """Most frequent reasons with their numbers of answers."""
    examples: list[ScoredAnswer]
    """One answer per reason, then a second one, and so on."""


def summarize_unparsed(answers: RunAnswers, max_examples: int) -> UnparsedSummary:
    """Count the unparsed answers of a run by reason, and select examples."""
    by_reason: dict[str, list[ScoredAnswer]] = {}
    for answer in answers.answers:
        outcome = answer.outcome
        if outcome.answer is None:
            reason = outcome.explanation or outcome.reason or "no reason was logged"
            by_reason.setdefault(reason, []).append(answer)
    ranked = sorted(by_reason.items(), key=lambda pair: -len(pair[1]))
    counts = [(reason, len(group)) for reason, group in ranked]
    rest = sum(count for _, count in counts[_MAX_REASONS:])
    reasons = counts[:_MAX_REASONS] + ([(OTHER_REASONS, rest)] if rest else [])
    ordered = _interleave(group for _, group in ranked)
    return UnparsedSummary(len(ordered), len(answers.answers), reasons, ordered[:max_examples])
