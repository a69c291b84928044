"""Small tasks that are not the package's: for its probes, solvers, scorers and metrics."""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import Dataset, FieldSpec, json_dataset
from inspect_ai.scorer import answer, choice, match
from inspect_ai.solver import generate, multiple_choice, system_message

from bias_tasks import format_gated, format_instruction, label_rates, reformulation_consistency

_PRODUCTS = Path(__file__).with_name("products.jsonl")
_QUESTIONS = Path(__file__).parents[2] / "examples" / "own_task" / "questions.jsonl"


@task
def products() -> Task:
    """Questions about products with four choices."""
    fields = FieldSpec(input="question", target="answer", choices="choices", id="id")
    dataset = json_dataset(str(_PRODUCTS), fields)
    return Task(dataset=dataset, solver=multiple_choice(), scorer=choice())


@task
def labelled() -> Task:
    """Yes/no questions with the label rates of Instruction Boundary."""
    scorer = label_rates(tense=["yes"], sparse=["no"], cluster="item")
    return Task(dataset=_read_questions(), solver=generate(), scorer=scorer)


@task
def consistent() -> Task:
    """Yes/no questions with the consistency metrics of Binary QA."""
    metrics = [reformulation_consistency(opposite=["contradictory"], read="yes_no")]
    return Task(dataset=_read_questions(), scorer=answer("word"), metrics=metrics)


@task
def formatted() -> Task:
    """Yes/no questions with a requested format, in a chain of solvers."""
    instruction = format_instruction("bolding", repeat=2, demos=1)
    chain = [system_message("Answer yes or no."), instruction, generate()]
    return Task(dataset=_read_questions(), solver=chain, scorer=format_gated(match()))


def _read_questions() -> Dataset:
    fields = FieldSpec(input="question", target="answer", metadata=["item", "variant"])
    return json_dataset(str(_QUESTIONS), fields)
