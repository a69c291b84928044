"""Example tasks for `bias_tasks/probe`, and a simulated model with known biases that answers them.

`sums` are questions with choices, `free_sums` need a number, and `right_sums` are yes/no questions.

inspect eval bias_tasks/probe -T task=examples/sums.py@sums \
    --model simulated/examples/sums.py@Calculator -M first=0.3
"""

import random
import re
from collections.abc import Iterable

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import choice, match
from inspect_ai.solver import generate, multiple_choice

from bias_tasks.contract.questions import Question
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.formats.wrappings import Wrapping
from bias_tasks.probing.formats import FINAL_FORMATS
from bias_tasks.prompts.edits import AFTER_EXAMPLES, render_polish_request
from bias_tasks.simulated.draws import Chance, Simulated
from bias_tasks.simulated.roles import Polisher, reverse_words


def _sums(n: int) -> tuple[random.Random, list[tuple[int, int]]]:
    """Return a seeded generator and `n` distinct pairs of two-digit numbers."""
    rng = random.Random(0)
    pairs = [(a, b) for a in range(10, 45) for b in range(10, 45)]
    return rng, rng.sample(pairs, n)


@task
def sums(n: int = 200) -> Task:
    """Questions about sums with four choices, as words."""
    rng, pairs = _sums(n)
    samples = []
    for a, b in pairs:
        values = [a + b, *rng.sample([a + b + d for d in (-10, -1, 1, 9)], 3)]
        displayed_values = rng.sample(values, 4)
        samples.append(
            Sample(
                id=f"{a}+{b}",
                input=f"What number is the sum of {a} and {b}?",
                choices=[in_words(value) for value in displayed_values],
                target="ABCD"[displayed_values.index(a + b)],
            )
        )
    return Task(dataset=samples, solver=multiple_choice(), scorer=choice())


@task
def free_sums(n: int = 200) -> Task:
    """Questions about sums without choices; the answer is a number."""
    samples = [
        Sample(id=f"{a}+{b}", input=f"What number is the sum of {a} and {b}?", target=str(a + b))
        for a, b in _sums(n)[1]
    ]
    return Task(dataset=samples, solver=generate(), scorer=match(numeric=True))


@task
def right_sums(n: int = 200) -> Task:
    """Yes/no questions about whether a sum is correct."""
    rng, pairs = _sums(n)
    samples = []
    for a, b in pairs:
        claimed_sum = a + b + rng.choice((0, 1))
        target = "yes" if claimed_sum == a + b else "no"
        question = f"Is {claimed_sum} the sum of {a} and {b}?"
        samples.append(Sample(id=f"{a}+{b}", input=question, target=target))
    return Task(dataset=samples, solver=generate(), scorer=match())


def in_words(number: int) -> str:
    """Return a number from 0 to 99 as words, with a capital first letter."""
    return _IN_WORDS[range(100)[number]].capitalize()


_SUM = re.compile(r"\b(\d{1,3}) \w{2,6} (\d{1,3})\b")
_CLAIMED_SUM = re.compile(r"\b(?:[Ii]s|Si) (\d{1,4}) |\bsay (\d{1,4}) is\b")
_WHAT_QUESTION = re.compile(r"\bWhat \w+ is the sum of\b")
_BELOW_20 = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES = ["", *(f"-{one}" for one in _BELOW_20.split()[1:10])]
_IN_WORDS = [*_BELOW_20.split(), *(tens + one for tens in _TENS.split() for one in _ONES)]
"""Words for the numbers 0 to 99, by index."""
OPTION = re.compile(
    r"(?<![\w-])(?P<label>[A-Z]|[IVX]{1,4}|\d{1,2})[)\]>.:]?(?: ?(?:-|::?))?[ \t]"
    rf"(?P<value>\d{{1,4}}|{'|'.join(sorted(_IN_WORDS, key=len, reverse=True))})(?![\w-])",
    re.IGNORECASE,
)
"""One option in any style: its label, and its value as digits or words."""
_FORMAT_TEMPLATES = {
    "character": "{answer}",
    "text": "{text}",
    "python": "['{answer}']",
    "bullet": "- {answer}",
    "json": '{{"answer": "{answer}"}}',
    "yaml": "answer: {answer}",
}
"""Answers in the formats that are not wrappings."""


class Calculator(Simulated):
    """A simulated model that answers questions such as "the sum of 17 and 25".

    If the prompt displays options in any style, it answers with the label of the sum. Each trait is
    the probability (0 to 1) of a behaviour.
    """

    accuracy: Chance = 0.9  # knows a sum
    noise: Chance = 0.0  # draws one of the answers at random, independently in each call
    first: Chance = 0.0  # answers with the first label
    typo: Chance = 0.0  # errs if "What number" is misspelt
    language: Chance = 0.0  # errs if the prompt is in the language of the simulated rewriter

    def respond(self, prompt: str, question: Question | None) -> str:
        """Return a number, the label of an option, or yes or no, as the prompt requests."""
        # The probe `polish` uses the model under test by default.
        if prompt.startswith(render_polish_request("").partition(".")[0]):
            return Polisher().respond(prompt, question)
        numbers = _SUM.findall(prompt)
        if not numbers:
            return "I can only add."
        total = sum(map(int, numbers[-1]))
        text = prompt.rpartition(AFTER_EXAMPLES)[2]
        options = {match["label"]: _parse_number(match["value"]) for match in OPTION.finditer(text)}
        claimed_sums = _CLAIMED_SUM.findall(text)
        if options:
            answers = {label: str(value) for label, value in options.items()}
            correct = next((label for label, value in options.items() if value == total), "")
        elif claimed_sums:
            answers = {"yes": "yes", "no": "no"}
            correct = "yes" if int("".join(claimed_sums[-1])) == total else "no"
        else:
            answers = {str(value): str(value) for value in (total, total + 1, total + 10)}
            correct = str(total)
        return _apply_format(prompt, self._answer(prompt, numbers[-1], correct, answers))

    def _answer(
        self, prompt: str, numbers: tuple[str, str], correct: str, answers: dict[str, str]
    ) -> str:
        """Return the answer to one question.

        Args:
            prompt: The whole prompt.
            numbers: The two numbers of the sum.
            correct: The correct answer.
            answers: The possible answers; maps each answer to its value.
        """

        def applies(trait: str) -> bool:
            return bool(self.draw(trait, *numbers) < getattr(self, trait))

        call = self.call(prompt)
        if self.draw("noise", prompt, call) < self.noise:
            return self.pick(answers, "any", prompt, call, name=answers.__getitem__)
        for trait, answer in [*self.leads(prompt), ("first", next(iter(answers)))]:
            if answer in answers and applies(trait):
                return answer
        knows = self.draw("know", *numbers) < self.accuracy
        if knows and not any(
            applies(cue) for cue in self.cues(prompt, prompt.rpartition(AFTER_EXAMPLES)[2])
        ):
            return correct
        wrong = [answer for answer in answers if answer != correct]
        return self.pick(wrong, "wrong", *numbers, name=answers.__getitem__)

    def leads(self, prompt: str) -> Iterable[tuple[str, str]]:
        """Return pairs of a trait and the answer that the prompt suggests to a model with it."""
        return ()

    def cues(self, prompt: str, text: str) -> Iterable[str]:
        """Return the traits that may cause an error; `text` is the prompt without its examples."""
        if _WHAT_QUESTION.search(text) and "What number is the sum of" not in text:
            yield "typo"
        if reverse_words("the sum of") in prompt:
            yield "language"


def _apply_format(prompt: str, answer: str) -> str:
    """Return the answer in the output format that the prompt requests, if any."""
    for name, final_format in FINAL_FORMATS.items():
        if final_format.instruction not in prompt:
            continue
        output_format = FORMATS[name]
        if isinstance(output_format, Wrapping):
            answer = f"{output_format.opening}{answer}{output_format.closing}"
        else:
            texts = {match["label"]: match["value"] for match in OPTION.finditer(prompt)}
            return _FORMAT_TEMPLATES[name].format(answer=answer, text=texts.get(answer, answer))
    return f"ANSWER: {answer}"


def _parse_number(text: str) -> int:
    """Return the number that digits, or words for a number below 100, represent."""
    return int(text) if text.isdigit() else _IN_WORDS.index(text.casefold())
