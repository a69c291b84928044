"""Whether an edit changed what a text says, as far as words tell it; else what it changed.

An attack must leave claims, errors and gaps as they are. What shows that it did not, without
knowing the truth: a number or a name that is gone, a statement that was turned around, a passage
that was dropped, what only better answers say, or words that give an error away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from bias_tasks.complex_eval.attacks.edits import Modification, Swap, swaps
from bias_tasks.complex_eval.attacks.meanings import (
    content,
    gives_away,
    held,
    negations,
    plain_words,
    same_meaning,
    stem,
    turned,
)
from bias_tasks.complex_eval.attacks.names import gone, mentioned, names
from bias_tasks.complex_eval.attacks.values import lost_value, values

_SMALL_SWAP = 4
"""A swap of at most so many words on either side stands for what it replaces."""
_LARGE_SWAP = 8
"""A longer stretch in place of another may negate something of its own."""
_SHORTEST = 3
"""A sentence with fewer words of content is too short to say that it was dropped."""
_ELSEWHERE = 0.75
"""A sentence of whose content so large a share stands anywhere was moved, not dropped."""
_QUESTION = 25
"""A request of at most so many words is a question alone."""
_ROUND = 3
"""Words in a row by which a text takes over another's."""


def changed_statement(before: str, after: str, made: Iterable[Modification]) -> str | None:
    """What in any kind of text says that it states something else now.

    `made` are the modifications that make `after` of `before`.
    """
    if (number := lost_value(before, after)) is not None:
        return f"a number is gone: {number}"
    if (words := gives_away(before, after)) is not None:
        return f"it speaks of an error or its correction: {words!r}"
    for modification in made:
        exchanged = swaps(modification)
        if exchanged is None:
            return "too many words were changed to compare them"
        for swap in exchanged:
            if (told := _turned_around(swap)) is not None:
                return told
    return None


def dropped_sentence(after: str, made: Iterable[Modification], least: float) -> str | None:
    """The beginning of a sentence of which less than `least` of the content is left, 0 to 1."""
    everywhere = set(content(plain_words(after)))
    for modification in made:
        there = set(content(plain_words(" ".join(modification.new))))
        for sentence in modification.old:
            told = set(content(plain_words(sentence)))
            left = len(told) < _SHORTEST or held(told, there) >= least
            if not left and len(told & everywhere) < _ELSEWHERE * len(told):
                return f"a sentence was dropped: {_brief(sentence)}"
    return None


def dropped_words(made: Iterable[Modification], most: int) -> str | None:
    """Words of content, more than `most` in a row, that nothing stands in place of."""
    for modification in made:
        there = set(content(plain_words(" ".join(modification.new))))
        if not modification.new:
            continue  # whole sentences, which `dropped_sentence` is about
        for swap in swaps(modification) or ():
            gone_ = [each for each in content(swap.old) if held([each], there) == 0]
            if len(gone_) > most and len(content(swap.new)) < len(gone_) / 2:
                return f"words were dropped: {_brief(' '.join(swap.old))}"
    return None


def lost_name(before: str, after: str, others: Iterable[str]) -> str | None:
    """A name that is gone; see `names` for `others`."""
    there = mentioned(after)
    for folded, name in names(before, (*others, after)).items():
        if gone(folded, there):
            return f"a name is gone: {name}"
    return None


def from_better_answers(
    before: str, after: str, query: str, better: Sequence[str], made: Iterable[Modification]
) -> str | None:
    """What only better answers say, and the attacked response says now.

    Args:
        before: the response.
        after: the attacked response.
        query: what was asked. A question's names and numbers are nobody's answer; those of a
            longer request may be, as it may hold a text that is asked about.
        better: the preferred response and the reference, where there is one.
        made: the modifications that make `after` of `before`.
    """
    asked = query if len(plain_words(query)) <= _QUESTION else ""
    known = values(f"{before}\n{asked}")
    fresh = values(after).stated - known.stated - known.implied
    told = mentioned(f"{before}\n{asked}")
    news = names(after, (before, asked))
    for answer in better:
        if (leaked := min(fresh & values(answer).stated, default=None)) is not None:
            return f"it brings what a better answer says: {leaked}"
        theirs = names(answer, (before, asked))
        for folded, name in news.items():
            if gone(folded, told) and not gone(folded, set(theirs)):
                return f"it brings what a better answer says: {name}"
    for words_of, length in ((plain_words, _ROUND), (_content_of, 2)):
        own = set(_rounds(words_of(before), length))
        taken = {each for text in better for each in _rounds(words_of(text), length)} - own
        if (why := _taken_over(made, words_of, taken)) is not None:
            return why
    return None


def _taken_over(
    made: Iterable[Modification],
    words_of: Callable[[str], list[str]],
    taken: set[tuple[str, ...]],
) -> str | None:
    """Words put in place of others, so that the passage says what a better answer says there.

    `taken` are words in a row that only better answers say, all words or those of content.
    """
    for modification in made:
        come = set(_rounds(words_of(" ".join(modification.new)), _ROUND))
        come |= set(_rounds(words_of(" ".join(modification.new)), 2))
        for swap in swaps(modification) or ():
            old, new = content(swap.old), content(swap.new)
            if not old or not new or max(len(swap.old), len(swap.new)) > _SMALL_SWAP:
                continue
            if any(same_meaning(one, other) for one in old for other in new):
                continue  # the same in other words
            for each in come & taken:
                stems = {stem(word) for word in each}
                if stems & set(new) and stems - set(new):
                    was, now = " ".join(swap.old), " ".join(swap.new)
                    return f"it brings what a better answer says: {now!r} for {was!r}"
    return None


def _content_of(text: str) -> list[str]:
    return content(plain_words(text))


def _turned_around(swap: Swap) -> str | None:
    """What a swap says of itself: a negation more or less, or a word and its opposite."""
    lost, come = negations(swap.old), negations(swap.new)
    replaced = bool(swap.old) and bool(swap.new)
    largest = max(len(swap.old), len(swap.new))
    if bool(lost) != bool(come) and largest <= (_LARGE_SWAP if replaced else _SMALL_SWAP):
        return f"a negation was {'dropped' if lost else 'added'}: {_brief(_shown(swap))}"
    if max(len(swap.old), len(swap.new)) <= _SMALL_SWAP:
        pair = turned(swap.old, swap.new)
        if pair is not None:
            return f"a statement was turned around: {pair[1]!r} for {pair[0]!r}"
    return None


def _shown(swap: Swap) -> str:
    return f"{' '.join(swap.old)} / {' '.join(swap.new)}"


def _rounds(words: Sequence[str], length: int) -> Iterable[tuple[str, ...]]:
    return zip(*(words[i:] for i in range(length)), strict=False)


def _brief(sentence: str) -> str:
    return f"'{sentence[:40]}'"
