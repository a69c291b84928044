"""Label rates of other people's tasks: tense labels, sparse ones, and the gap between them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import Literal

import numpy as np

from bias_tasks.contract.family import Answer, Outcome
from bias_tasks.instruction_boundary.items import CHOICE_LABELS, INVALID, choice_label
from bias_tasks.instruction_boundary.metrics import accuracies, robustness
from bias_tasks.parsing.answer import AnswerForm
from bias_tasks.parsing.parsed_answer import ParsedAnswer, UnparsedReason, unparsed
from bias_tasks.statistics.effective_size import WeightedSample
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.statistics.intervals import rate
from bias_tasks.statistics.outcomes import OutcomeColumns, grouped

Read = Literal["choice", "judging", "yes_no"]
ReadLabel = Callable[[str], str | None]
"""Says what a text answers; None where that can't be read."""
Target = str | int | Sequence[str | int]
"""A label; or the right options by letter, position or text."""
_KNOWN: Mapping[Read, set[str]] = {"judging": {"true", "false", "unknown"}, "yes_no": {"yes", "no"}}


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of a task, and how answers are read; capitals don't matter."""

    tense: tuple[str, ...]
    sparse: tuple[str, ...]
    read: Read | ReadLabel | None = None
    """None: options where there are any, else by the labels themselves."""

    def __post_init__(self) -> None:
        if len(self.names) < len(self.tense) + len(self.sparse) or not self.tense:
            raise ValueError("tense= and sparse= name each label once, and tense= at least one")

    @property
    def names(self) -> dict[str, str]:
        """The labels in their order, by what is left of them without capitals and blanks."""
        return {_plain(label): label for label in (*self.tense, *self.sparse)}

    def outcome(
        self, item: str, cluster: str, target: Target, options: Sequence[str], answer: Answer
    ) -> Outcome:
        """What an answer came to; `own` says which group the right label is of. A ValueError where
        the sample's target is no label, or answers can't be read."""
        several = [target] if isinstance(target, str | int) else list(target)
        places = _places(item, several, options) if options else None
        gold = self._label(", ".join(map(str, several)), options, places)
        if gold is None:
            raise ValueError(
                f"sample {item}: its target {target!r} is none of the labels "
                f"{', '.join(self.names.values())}: name it in tense= or sparse="
            )
        reading = self._reading(item, answer, options)
        said, right = None, False
        if not reading.unparsed:
            chosen = reading.options if options and not callable(self.read) else None
            said = self._label(reading.label or "", options, chosen) or INVALID
            right = said == gold if chosen is None else chosen == places
        own = {"group": "sr" if gold in self.tense else "gr"}
        facts = {"item": item, "cluster": cluster, "variant": "", "gold": gold}
        return Outcome.of(facts, answer, reading, answer=said, score=float(right), own=own)

    def _label(
        self, value: str, options: Sequence[str], places: tuple[int, ...] | None
    ) -> str | None:
        """The label of a value, or of the options at these places; None where it is none."""
        names = self.names
        if places is None:
            return names.get(_plain(value))
        if set(names) <= set(CHOICE_LABELS):
            return names.get(choice_label(places))
        if len(places) != 1:
            return None
        (place,) = places
        return names.get(_plain(options[place]), names.get(_plain(ascii_uppercase[place])))

    def _reading(self, item: str, answer: Answer, options: Sequence[str]) -> ParsedAnswer:
        if callable(self.read):
            said = self.read(answer.text)
            none = unparsed(UnparsedReason.NO_VALUE, "the function found nothing")
            return none if said is None else ParsedAnswer(said)
        known = (form for form, labels in _KNOWN.items() if set(self.names) <= labels)
        form = self.read or ("choice" if options else next(known, None))
        if form is None or (form == "choice" and not options):
            raise ValueError(
                f"sample {item} has no choices: say how its answers are read, by read='judging', "
                "'yes_no' or a function from a text to a label"
            )
        choices = tuple(options) if form == "choice" else ()
        truncated = answer.stop == "truncated"
        answer_form = AnswerForm(form, choices, "letters")
        return answer_form.parse(answer.text, prompt=answer.prompt, truncated=truncated)


def label_card(outcomes: Sequence[Outcome]) -> dict[str, Estimate]:
    """`acc`, `sr`, `gr`, each also by label, `rs`, `or/<label>` and `unread`, with intervals.

    A label's output ratio and the rates are over all items; epochs of an item count as their mean.
    """
    columns = OutcomeColumns(outcomes)
    item, cluster, gold, own = (columns.coded(n) for n in ("item", "cluster", "gold", "own"))
    rows = grouped(item.codes)
    golds = gold.codes[rows.first]
    scores = rows.means(columns.numbers("score")[0])
    right = WeightedSample(scores, cluster.codes[rows.first], golds, np.ones(rows.size))
    sparse = np.array([each["group"] == "gr" for each in own.values])[own.codes[rows.first]]
    groups = {"sr": ~sparse, "gr": sparse}
    for code, label in enumerate(gold.values):
        group = "gr" if sparse[golds == code].any() else "sr"
        groups[f"{group}/{label}"] = golds == code
    card = accuracies(right, groups)
    card["rs"] = robustness(right.taken(~sparse), right.taken(sparse))
    said = [each.answer for each in outcomes]
    for label in dict.fromkeys([*gold.values, *said, None]):
        shares = np.array([each == label for each in said], dtype=float)
        name = "unread" if label is None else f"or/{label}"
        card[name] = rate(replace(right, values=rows.means(shares)))
    return card


def _places(item: str, target: Sequence[str | int], options: Sequence[str]) -> tuple[int, ...]:
    """Positions of the right options, from 0."""
    texts = [_plain(option) for option in options]
    letters = list(ascii_uppercase[: len(options)])
    found = set()
    for each in target:
        said = str(each).strip()
        if isinstance(each, int) and 0 <= each < len(options):
            found.add(each)
        elif said in letters or _plain(said) in texts:
            found.add(texts.index(_plain(said)) if _plain(said) in texts else letters.index(said))
        elif said:
            raise ValueError(f"sample {item}: its target {each!r} is none of its options")
    return tuple(sorted(found))


def _plain(text: str) -> str:
    return text.strip().casefold()
