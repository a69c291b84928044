"""Selects the options of a choice item that a prompt displays, their order and their symbols."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from bias_tasks.data.option_texts import number_references
from bias_tasks.instruction_boundary.items import COVERING, ChoiceItem
from bias_tasks.instruction_boundary.scoring_data import ADDED_OPTION, OptionsData, option_letter
from bias_tasks.protocols import PaperProtocol
from bias_tasks.randomness import seeded_random

ALL_TRUE = "All above are true"
"""The extra option of Disturbing Miscellany (table 2) that is wrong whether or not another option
is correct. "All above are false" would be correct where none is."""
Omission = Literal["covering", "wrong", "nothing"]
"""Which option missing choices omits: the covering one, a wrong one, or none."""
_MIN_OPTIONS = 2
"""Number of options that a prompt displays at least."""


@dataclass(frozen=True, slots=True)
class DisplayedOptions:
    """The options of a prompt, in the order in which it displays them."""

    lines: tuple[str, ...]
    """Lines of the prompt, with numbers or letters if it displays these."""
    texts: tuple[str, ...]
    """Texts of the options."""
    data: OptionsData
    """What scoring needs of the options."""


def select_all_options(item: ChoiceItem, protocol: PaperProtocol) -> DisplayedOptions:
    """Select every option, in the item's order.

    Corrected: numbered from 1, each text once. Published: as the source prints them, with or
    without numbers, while gold counts from 0.
    """
    every = range(len(item.options))
    return _display(item, every if protocol == "published" else item.distinct_positions, protocol)


def select_with_distractors(
    item: ChoiceItem, count: int, seed: int, protocol: PaperProtocol
) -> DisplayedOptions:
    """Select `count` wrong options next to a correct one (disturbing miscellany).

    Corrected: the prompt displays `count + 1` options, whether one of them, several or none is
    correct, so that their number does not tell how many are. An item with fewer options displays
    all, and `ALL_TRUE`. (Exceptions: more than `count + 1` options of an item are correct, or all
    are.) The wrong options are taken in one seeded order, so that a larger count only adds options.
    All are displayed in a seeded order, numbered from 1. Of an item with options that refer to
    others, all are displayed in the item's order.

    Published: the correct options and `count` wrong ones, in the item's order, each with its letter
    in the item. For questions that the public code samples, the wrong options are those that it
    samples.
    """
    rng = seeded_random(seed, item.id, "disturbing_miscellany")
    wrong = rng.sample(item.wrong_positions, len(item.wrong_positions))
    if protocol == "published":
        sampled = item.published_distractors
        distractors = wrong[:count] if sampled is None else sampled[count - 1]
        return _display(item, sorted((*item.answer, *distractors)), protocol, lettered=True)
    if item.refers_to_options:
        return select_all_options(item, protocol)
    distinct = item.distinct_positions
    wrong = [position for position in wrong if position in distinct]
    positions = [*item.answer, *wrong[: max(0, count + 1 - len(item.answer))]]
    positions = rng.sample(positions, len(positions))
    added = [ALL_TRUE] if wrong and len(distinct) <= count else []
    return _display(item, [*positions, *[ADDED_OPTION] * len(added)], protocol, added=added)


def select_complete_options(
    item: ChoiceItem, seed: int, protocol: PaperProtocol
) -> DisplayedOptions:
    """Select the options of the complete setting (missing choices, or vanilla): all, after step 1.

    Step 1 of appendix A.3 splits the items into halves. In the *modified* half the correct option
    is replaced by the statement "all other options are false", which is then correct. The other
    half is unchanged. The insufficient setting (`select_incomplete_options`) omits that statement
    from the modified items, so that no option is correct, and a wrong option from the others.

    The statement replaces the correct option, or the first of several. If the data set has masked
    the correct option already, the statement is inserted at a random index. Published: the item is
    unchanged, since the public code has no step 1.
    """
    if protocol == "published" or not _is_modified(item, seed):
        return select_all_options(item, protocol)
    kept = [p for p in item.distinct_positions if p not in item.answer[1:]]
    positions = [ADDED_OPTION if p in item.answer[:1] else p for p in kept]
    if not item.answer:
        rng = seeded_random(seed, item.id, "place of the statement")
        positions.insert(rng.randrange(len(positions) + 1), ADDED_OPTION)
    return _display(item, positions, protocol, added=[COVERING], correct=(ADDED_OPTION,))


def select_incomplete_options(
    item: ChoiceItem, seed: int, protocol: PaperProtocol
) -> DisplayedOptions:
    """Select all options but one (missing choices).

    Published: all options are displayed, as in the public code.
    """
    if protocol == "published":
        return select_all_options(item, protocol)
    omission = find_omission(item, seed)
    wrong = [p for p in item.distinct_positions if p not in item.answer]
    kept = wrong if omission == "covering" else item.distinct_positions
    if omission == "wrong":
        kept.remove(seeded_random(seed, item.id, "missing_choices").choice(wrong))
    return _display(item, kept, protocol)


def find_omission(item: ChoiceItem, seed: int) -> Omission:
    """Return which option missing choices omits from the item under the corrected protocol."""
    if _is_modified(item, seed):
        return "covering"
    positions = item.distinct_positions
    has_spare = len(positions) > max(_MIN_OPTIONS, len(item.answer))
    return "wrong" if has_spare and not item.refers_to_options else "nothing"


def _is_modified(item: ChoiceItem, seed: int) -> bool:
    """Return whether step 1 of appendix A.3 replaces the correct option by the statement.

    A seeded coin decides. An item without a correct option is always modified: its correct option
    is masked already (section 2.2). An item that would keep fewer than two options without its
    correct ones is never modified, nor is one whose options refer to others.
    """
    n_wrong = len(item.distinct_positions) - len(item.answer)
    if n_wrong < _MIN_OPTIONS or item.refers_to_options:
        return False
    return not item.answer or seeded_random(seed, item.id, "label modification").random() < 0.5


def _display(
    item: ChoiceItem,
    positions: Sequence[int],
    protocol: PaperProtocol,
    *,
    added: Sequence[str] = (),
    correct: Sequence[int] | None = None,
    lettered: bool = False,
) -> DisplayedOptions:
    """Display options numbered from 1; published: with letters, or as the source prints them.

    Args:
        item: The item.
        positions: Positions of the options to display.
        protocol: Protocol of the run.
        added: Texts of the options at `ADDED_OPTION`, in their order.
        correct: The correct ones of the positions; None for the item's correct options.
        lettered: Whether letters name the options under `published`.
    """
    added_texts = iter(added)
    texts = tuple(next(added_texts) if p == ADDED_OPTION else item.options[p] for p in positions)
    is_corrected = protocol == "corrected"
    if is_corrected:
        texts = tuple(number_references(text, len(item.options)) for text in texts)
        lines = [f"{number}. {text}" for number, text in enumerate(texts, start=1)]
    elif lettered:
        lines = [f"{option_letter(p)}. {item.options[p]}" for p in positions]
    else:
        lines = [(item.printed_options or item.options)[p] for p in positions]
    correct = item.answer if correct is None else correct
    data = OptionsData(
        positions=tuple(positions),
        gold=tuple(index for index, p in enumerate(positions) if p in correct),
        n_item_options=len(item.options),
        first_number=int(is_corrected),
        symbols="letters" if lettered else "numbers",
        texts=texts if is_corrected else (),
    )
    return DisplayedOptions(tuple(lines), texts, data)
