"""Tasks of one's own, to probe: sums with choices, as free text, and to be called right; and
a simulated model that answers them, with biases planted.

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
from bias_tasks.instruction_boundary.prompts.render import render_polish_request
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.formats.wrappings import Wrapping
from bias_tasks.probing.formats import FINAL_FORMATS
from bias_tasks.probing.probes.conversation import AFTER_EXAMPLES
from bias_tasks.simulated.draws import Chance, Simulated, pick
from bias_tasks.simulated.roles import Polisher, reverse_words


def _sums(n: int) -> tuple[random.Random, list[tuple[int, int]]]:
    rng = random.Random(0)
    pairs = [(a, b) for a in range(10, 45) for b in range(10, 45)]
    return rng, rng.sample(pairs, n)


@task
def sums(n: int = 200) -> Task:
    """Sums with four choices, in words."""
    rng, pairs = _sums(n)
    samples = []
    for a, b in pairs:
        values = [a + b, *rng.sample([a + b + d for d in (-10, -1, 1, 9)], 3)]
        shown = rng.sample(values, 4)
        samples.append(
            Sample(
                id=f"{a}+{b}",
                input=f"What number is the sum of {a} and {b}?",
                choices=[in_words(value) for value in shown],
                target="ABCD"[shown.index(a + b)],
            )
        )
    return Task(dataset=samples, solver=multiple_choice(), scorer=choice())


@task
def free_sums(n: int = 200) -> Task:
    """Sums whose answer is written."""
    samples = [
        Sample(id=f"{a}+{b}", input=f"What number is the sum of {a} and {b}?", target=str(a + b))
        for a, b in _sums(n)[1]
    ]
    return Task(dataset=samples, solver=generate(), scorer=match(numeric=True))


@task
def right_sums(n: int = 200) -> Task:
    """Sums to be called right or wrong."""
    rng, pairs = _sums(n)
    samples = []
    for a, b in pairs:
        told = a + b + rng.choice((0, 1))
        target = "yes" if told == a + b else "no"
        question = f"Is {told} the sum of {a} and {b}?"
        samples.append(Sample(id=f"{a}+{b}", input=question, target=target))
    return Task(dataset=samples, solver=generate(), scorer=match())


def in_words(number: int) -> str:
    """A number from 0 to 99 in words, its first letter a capital."""
    return _IN_WORDS[range(100)[number]].capitalize()


_SUM = re.compile(r"\b(\d{1,3}) \w{2,6} (\d{1,3})\b")
_ASKED = re.compile(r"\b(?:[Ii]s|Si) (\d{1,4}) |\bsay (\d{1,4}) is\b")
_WHAT = re.compile(r"\bWhat \w+ is the sum of\b")
_BELOW_20 = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES = ["", *(f"-{one}" for one in _BELOW_20.split()[1:10])]
_IN_WORDS = [*_BELOW_20.split(), *(tens + one for tens in _TENS.split() for one in _ONES)]
"""The numbers below 100."""
OPTION = re.compile(
    r"(?<![\w-])(?P<label>[A-Z]|[IVX]{1,4}|\d{1,2})[)\]>.:]?(?: ?(?:-|::?))?[ \t]"
    rf"(?P<value>\d{{1,4}}|{'|'.join(sorted(_IN_WORDS, key=len, reverse=True))})(?![\w-])",
    re.IGNORECASE,
)
"""An option in whatever way it is printed: its label, and a number in figures or in words."""
_FORMS = {
    "character": "{answer}",
    "text": "{text}",
    "python": "['{answer}']",
    "bullet": "- {answer}",
    "json": '{{"answer": "{answer}"}}',
    "yaml": "answer: {answer}",
}
"""How it answers in formats that are more than marks about an answer."""


class Calculator(Simulated):
    """Adds two numbers, "the sum of 17 and 25", and errs with these chances.

    Where options are printed, in whatever way, it chooses the one that is the sum.
    """

    accuracy: Chance = 0.9  # that a sum is known
    noise: Chance = 0.0  # at each call, of any answer there is
    first: Chance = 0.0  # of the label of the first option, whatever stands behind it
    square: Chance = 0.0  # to err where options' labels stand in square brackets
    typo: Chance = 0.0  # to err where "What number" is misspelt
    language: Chance = 0.0  # to err in the language of the simulated rewriter

    def respond(self, prompt: str, question: Question | None) -> str:
        """The sum, the label of the option that is it, or yes or no, as the prompt asks."""
        if prompt.startswith(
            render_polish_request("").partition(".")[0]
        ):  # it may polish its own prompts
            return Polisher().respond(prompt, question)
        numbers = _SUM.findall(prompt)
        if not numbers:
            return "I can only add."
        total = sum(map(int, numbers[-1]))
        asked = prompt.rpartition(AFTER_EXAMPLES)[2]
        options = {found["label"]: _value(found["value"]) for found in OPTION.finditer(asked)}
        told = _ASKED.findall(asked)
        if options:
            answers = {label: str(value) for label, value in options.items()}
            right = next((label for label, value in options.items() if value == total), "")
        elif told:
            answers = {"yes": "yes", "no": "no"}
            right = "yes" if int("".join(told[-1])) == total else "no"
        else:
            answers = {str(each): str(each) for each in (total, total + 1, total + 10)}
            right = str(total)
        return _in_form(prompt, self._answer(prompt, numbers[-1], right, answers))

    def _answer(
        self, prompt: str, numbers: tuple[str, str], right: str, answers: dict[str, str]
    ) -> str:
        """One of the answers; `answers` has what each stands for."""

        def happens(what: str) -> bool:
            return bool(self.draw(what, *numbers) < getattr(self, what))

        drawn = [(value, label) for label, value in answers.items()]
        call = self.call(prompt)
        if self.draw("noise", prompt, call) < self.noise:
            return pick(drawn, self.seed, "any", prompt, call)
        for trait, answer in [*self.leads(prompt), ("first", next(iter(answers)))]:
            if answer in answers and happens(trait):
                return answer
        knows = self.draw("know", *numbers) < self.accuracy
        if knows and not any(
            happens(cue) for cue in self.cues(prompt, prompt.rpartition(AFTER_EXAMPLES)[2])
        ):
            return right
        wrong = [each for each in drawn if each[1] != right]
        return pick(wrong, self.seed, "wrong", *numbers)

    def leads(self, prompt: str) -> Iterable[tuple[str, str]]:
        """Traits by which a prompt may lead to an answer, each with the answer."""
        return ()

    def cues(self, prompt: str, asked: str) -> Iterable[str]:
        """By which of its traits a prompt may make it err; `asked` is it without its examples."""
        label = OPTION.search(asked)
        if label is not None and f"[{label['label']}]" in asked:
            yield "square"
        if _WHAT.search(asked) and "What number is the sum of" not in asked:
            yield "typo"
        if reverse_words("the sum of") in prompt:
            yield "language"


def _in_form(prompt: str, answer: str) -> str:
    """The answer as a prompt of the host asks for it, in a format if one is asked for."""
    for name, asked in FINAL_FORMATS.items():
        if asked.instruction not in prompt:
            continue
        form = FORMATS[name]
        if isinstance(form, Wrapping):
            answer = f"{form.opening}{answer}{form.closing}"
        else:
            texts = {found["label"]: found["value"] for found in OPTION.finditer(prompt)}
            return _FORMS[name].format(answer=answer, text=texts.get(answer, answer))
    return f"ANSWER: {answer}"


def _value(text: str) -> int:
    """A number in figures, or in words below 100."""
    return int(text) if text.isdigit() else _IN_WORDS.index(text.casefold())
