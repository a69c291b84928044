"""Simulated respondents with known parameters, answering from an item's key.

What is drawn from what (see `draws`):

- The *base answer* is drawn from (seed, the item) and nothing else, so that an item gets the same
  base answer in vanilla and in every setting that still offers it.
- Whether a suggestion is adopted, whether reflection moves the answer and whether no answer is
  given are drawn from (seed, the prompt from the question on).

With `adopt=p`, an expected share p of the answers that were elsewhere moves to the suggestion, and
with `adopt=0` conformity changes nothing. With `abstention=q`, a share q of the answers cannot be
read, so a label with accuracy a is answered rightly at rate a * (1 - q).

Yes/no questions are answered as `yes_no` describes, questions in output formats as `in_format`, and
responses are judged as `judging` does, those under probes as `probed_judge` does.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Protocol, TypeVar

from bias_tasks.binary_qa.items import BinaryItem
from bias_tasks.instruction_boundary.items import ChoiceItem, Item, JudgingItem
from bias_tasks.judging.prompts.ask import read_blocks
from bias_tasks.output_format.items import FormatItem
from bias_tasks.respondents import seen, wording
from bias_tasks.respondents.draws import Calls, draw, pick
from bias_tasks.respondents.in_format import answer_in_format
from bias_tasks.respondents.judging import answer_judge
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.known_judged import read_judge_prompt
from bias_tasks.respondents.probed_judge import answer_probed_judge
from bias_tasks.respondents.seen import Shown
from bias_tasks.respondents.traits import Traits
from bias_tasks.respondents.yes_no import Asked, answer_yes_no

T = TypeVar("T")
Symbols = tuple[str, ...]
"""Chosen options by their numbers or letters as printed; empty means that none is correct."""


class Respondent(Protocol):
    """Anything that answers prompts."""

    def respond(self, prompt: str, known: KnownItems) -> str:
        """The answer to a prompt, from the items that are known.

        Args:
            prompt: the text of the messages that are not the respondent's own.
            known: what the question may be about.
        """
        ...


@dataclasses.dataclass(frozen=True, slots=True)
class Persona(Traits):
    """A respondent with known parameters.

    Raises:
        ValueError: a parameter is out of its range or not one of its words.
    """

    calls: Calls = dataclasses.field(default_factory=Calls, init=False, repr=False, compare=False)

    def respond(self, prompt: str, known: KnownItems) -> str:
        """The answer to a prompt whose item, if known, is found by its question."""
        probed = read_blocks(prompt)
        if probed:
            return answer_probed_judge(
                self, probed, self.calls, known.responses_to(probed["prompt"])
            )
        judging = read_judge_prompt(prompt)
        if judging is not None:
            return answer_judge(self, judging, self.calls, known.judged(judging.request))
        found = known.locate(prompt)
        order = seen.yes_no_order(prompt)
        if found is None:
            if order is not None:
                return self._answer_yes_no(prompt, Asked(None, prompt, order=order))
            return self.answer(prompt, None)
        if isinstance(found.item, BinaryItem):
            asked = Asked(found.item, prompt, found.variant, order or "yes_no")
            return self._answer_yes_no(prompt, asked)
        if isinstance(found.item, FormatItem):
            return answer_in_format(self, prompt, found.start, found.item)
        return self.answer(prompt[found.start :].strip(), found.item)

    def answer(self, prompt: str, item: Item | None) -> str:
        """The answer to a question.

        Args:
            prompt: the prompt from the question on; worked examples before it are no part of it.
            item: the item asked about; None makes the persona choose among the options by chance.
        """
        if draw(self.seed, "abstain", prompt) < self.abstention:
            return wording.refuse(draw(self.seed, "refusal", prompt))
        if isinstance(item, JudgingItem):
            return self._answer_judging(prompt, item)
        if isinstance(item, ChoiceItem):
            return self._answer_choice(prompt, item)
        return self._answer_unknown(prompt)

    def _answer_judging(self, prompt: str, item: JudgingItem) -> str:
        symbols = seen.judging_symbols(prompt)
        label = self._base_label(item, symbols)
        previous = seen.previous_answer(prompt)
        if previous is not None:
            before = wording.read_back_judging(previous, symbols) or label
            label = self._reflected(prompt, before, {name: name for name in symbols})
        suggested = seen.suggested_answer(prompt)
        target = next((name for name, symbol in symbols.items() if symbol == suggested), None)
        if target is not None and self._adopts(prompt):
            label = target
        return self._put(
            prompt, symbols[label], wording.JUDGING_WORDS[label], wording.JUDGING_OBLIQUE[label]
        )

    def _answer_choice(self, prompt: str, item: ChoiceItem) -> str:
        shown = seen.shown_options(prompt)
        chosen = self._base_choice(item, shown)
        previous = seen.previous_answer(prompt)
        if previous is not None:
            before = wording.read_back_choice(previous, shown)
            before = chosen if before is None else before
            others: list[Symbols] = [(option.symbol,) for option in shown]
            others += [(), seen.gold_symbols(item, shown)]
            chosen = self._reflected(
                prompt, before, {wording.choice_text(each): each for each in others}
            )
        suggested = seen.suggested_answer(prompt)
        target = None if suggested is None else wording.read_back_choice(suggested, shown)
        if target is not None and self._adopts(prompt):
            chosen = target
        return self._put_choice(prompt, chosen, shown)

    def _answer_yes_no(self, prompt: str, asked: Asked) -> str:
        label = answer_yes_no(self, asked, self.calls)
        if label is None:
            return wording.refuse(draw(self.seed, "refusal", *asked.key))
        return self._put(prompt, label, wording.YES_NO_WORDS[label], wording.YES_NO_OBLIQUE[label])

    def _answer_unknown(self, prompt: str) -> str:
        """Chance alone: the persona knows no key and has none to pretend with."""
        question = seen.before_reflection(prompt)
        shown = seen.shown_options(question)
        if not shown:
            return "I see no options to choose from."
        symbols = {option.text: option.symbol for option in shown}
        chosen = pick(symbols.items(), self.seed, "unknown", question)
        if seen.previous_answer(prompt) is not None:
            chosen = self._reflected(prompt, chosen, symbols)
        if "ANSWER:" in prompt:  # the line that Inspect's own multiple choice asks for
            return f"ANSWER: {chosen}"
        return self._put_choice(prompt, (chosen,), shown)

    def _base_label(self, item: JudgingItem, offered: Mapping[str, str]) -> str:
        key = (item.question, item.context)
        label: str = item.answer
        if draw(self.seed, "right", *key) >= self.accuracy_of(item.label):
            label = self._wrong_label(item, offered, key)
        if label in offered:
            return label
        # The label it has in mind is not offered: it settles for one that is.
        return pick(((name, name) for name in offered), self.seed, "settle", *key)

    def _wrong_label(
        self, item: JudgingItem, offered: Mapping[str, str], key: tuple[str, ...]
    ) -> str:
        if item.answer != "Unknown":
            hedge = 0.5 if self.hedge is None else self.hedge
            if draw(self.seed, "hedge", *key) < hedge:
                return "Unknown"
            return "False" if item.answer == "True" else "True"
        if draw(self.seed, "position", *key) < self.position:
            return next((name for name in offered if name != "Unknown"), "True")
        return pick((("True", "True"), ("False", "False")), self.seed, "wrong", *key)

    def _base_choice(self, item: ChoiceItem, shown: list[Shown]) -> Symbols:
        key = (item.question, item.context or "", *item.options)
        gold = seen.gold_symbols(item, shown)
        if draw(self.seed, "right", *key) < self.accuracy_of(seen.shown_label(item, gold)):
            return gold
        wrong = [option for option in shown if (option.symbol,) != gold]
        # Counted over the item's options, so that leaving one out does not turn the draw.
        singles = len(item.options) - (item.label == "single")
        hedge = 1 / (singles + 1) if self.hedge is None else self.hedge
        if not wrong or (gold and draw(self.seed, "hedge", *key) < hedge):
            return ()
        if draw(self.seed, "position", *key) < self.position:
            return (wrong[0].symbol,)
        return (pick([(o.text, o.symbol) for o in wrong], self.seed, "wrong", *key),)

    def _reflected(self, prompt: str, before: T, outcomes: Mapping[str, T]) -> T:
        """The answer after a round of reflection: the one before, or another of the outcomes."""
        others = [(name, outcome) for name, outcome in outcomes.items() if outcome != before]
        if not others or draw(self.seed, "reflect", prompt) >= self.reflect:
            return before
        return pick(others, self.seed, "turn", prompt)

    def _adopts(self, prompt: str) -> bool:
        return draw(self.seed, "adopt", prompt) < self.adopt

    def _put_choice(self, prompt: str, chosen: Symbols, shown: list[Shown]) -> str:
        oblique = wording.choice_oblique(chosen, shown)
        return self._put(prompt, wording.choice_text(chosen), wording.choice_words(chosen), oblique)

    def _put(self, prompt: str, answer: str, words: str, oblique: str) -> str:
        return wording.put(
            answer,
            words,
            oblique,
            style=self.style,
            verbosity=self.verbosity,
            headings=seen.asked_headings(prompt),
        )
