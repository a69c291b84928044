"""Tasks of a user's own, for the tests of probes in Inspect."""

from random import Random

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import HeadlineMetric
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    get_model,
)
from inspect_ai.scorer import Score, accuracy, choice, includes, match, mean, scorer
from inspect_ai.solver import (
    basic_agent,
    chain_of_thought,
    generate,
    multiple_choice,
    self_critique,
    solver,
)

ROWS = [
    ("Which of these animals barks at strangers?", ["the dog", "the cat", "the cow", "the hen"], 0),
    ("Which of these metals is liquid in winter?", ["iron", "mercury", "gold", "tin"], 1),
    ("Which of these planets is closest to its star?", ["mars", "earth", "mercury", "saturn"], 2),
    ("Which of these numbers is divided by seven?", ["nine", "ten", "eleven", "fourteen"], 3),
    ("Is this animal older than that famous tower?", ["certainly", "never", "perhaps"], 1),
    ("Which of these rivers flows through paris?", ["the rhine", "the thames", "the seine"], 2),
]
"""A question, its choices, and the place of the right one."""


def lettered(count=6):
    return [
        Sample(id=f"q{place}", input=text, choices=choices, target="ABCD"[right])
        for place, (text, choices, right) in enumerate(ROWS[:count])
    ]


@task
def lettered_choices(count: int = 6):
    return Task(
        dataset=lettered(count),
        solver=multiple_choice(),
        scorer=choice(),
        config=GenerateConfig(temperature=0.3, max_tokens=77),
        message_limit=50,
        metadata={"made": "here"},
        version=3,
    )


@task
def several_right():
    choices = ["seven", "cow", "nine", "hen"]
    samples = [
        Sample(id="list", input="Which are numbers?", choices=choices, target=["A", "C"]),
        Sample(id="text", input="Which are animals here?", choices=choices, target="BD"),
    ]
    return Task(dataset=samples, solver=multiple_choice(multiple_correct=True), scorer=choice())


@task
def free_text():
    samples = [
        Sample(id=f"w{place}", input=f"{text} Say it in few words.", target=choices[right])
        for place, (text, choices, right) in enumerate(ROWS)
    ]
    return Task(dataset=samples, solver=[chain_of_thought(), generate()], scorer=includes())


@task
def conversation():
    samples = [
        Sample(
            id=f"c{place}",
            input=[
                ChatMessageSystem(content="You are asked twice."),
                ChatMessageUser(content="Which of these is wet?\nA) water\nB) sand"),
                ChatMessageAssistant(content="A"),
                ChatMessageUser(content=text),
            ],
            choices=choices,
            target="ABCD"[right],
        )
        for place, (text, choices, right) in enumerate(ROWS)
    ]
    return Task(dataset=samples, solver=multiple_choice(), scorer=choice())


@task
def printed_choices():
    samples = []
    for text, choices, right in ROWS:
        block = "\n".join(
            f"({letter}) {each}" for letter, each in zip("ABCD", choices, strict=False)
        )
        asked = f"{text}\n{block}\nEnd with the letter."
        samples.append(Sample(input=asked, target=f"({'ABCD'[right]})"))
    return Task(dataset=samples, solver=generate(), scorer=match(location="end"))


@solver
def by_itself():
    async def solve(state, generate):
        state.output = await get_model().generate(state.messages)
        return state

    return solve


@solver
def by_itself_then_asked():
    async def solve(state, generate):
        await get_model().generate("How would you go about it?")
        return await generate(state)

    return solve


@task
def fails_to_load():
    raise RuntimeError("the archive is corrupt")


@scorer(metrics={"a": [mean()], "b": [mean()]})
def in_parts():
    async def score(state, target):
        return Score(value={"a": 0.25, "b": 1.0})

    return score


@scorer(metrics=[mean()])
def gives_none():
    async def score(state, target):
        return None

    return score


@solver
def shuffled_and_asked():
    async def solve(state, generate):
        state.choices.shuffle(Random(1))
        return await multiple_choice()(state, generate)

    return solve


def one(**changed):
    """A task of one lettered sample, which is generated and scored by what it includes."""
    given = {"dataset": lettered(1), "solver": generate(), "scorer": includes(), **changed}
    return Task(**given)


SIMPLE = {
    "unprinted": lambda: one(dataset=lettered()),
    "asks_by_itself": lambda: one(solver=by_itself()),
    "asks_past": lambda: one(solver=by_itself_then_asked()),
    "an_agent": lambda: one(solver=basic_agent()),
    "criticised": lambda: one(solver=[generate(), self_critique()]),
    "unscored": lambda: one(scorer=None),
    "no_samples": lambda: one(dataset=MemoryDataset([])),
    "one_id": lambda: one(dataset=[Sample(id="same", input=text) for text, _, _ in ROWS]),
    "several_values": lambda: one(scorer=in_parts()),
    "one_of_several_values": lambda: one(
        scorer=in_parts(), headline_metric=HeadlineMetric(scorer="in_parts", score="a")
    ),
    "two_scorers": lambda: Task(
        dataset=lettered(2),
        solver=multiple_choice(),
        scorer=[includes(), choice()],
        metrics=[accuracy()],
        headline_metric="choice",
    ),
    "shuffled_choices": lambda: one(solver=multiple_choice(shuffle=True), scorer=choice()),
    "shuffled_by_itself": lambda: one(solver=shuffled_and_asked(), scorer=choice()),
    "no_score": lambda: one(scorer=gives_none()),
}
for _name, _make in SIMPLE.items():
    _make.__name__ = _name
    globals()[_name] = task(_make)
