"""Asks a sample's prompt as its family has it: once, reworded first, or in several rounds."""

from inspect_ai.model import ChatMessageUser, GenerateConfigArgs, ResponseSchema, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import JSONSchema

from bias_tasks.contract.family import Question, Request
from bias_tasks.names import encodable
from bias_tasks.parsing.reasoning import without_reasoning
from bias_tasks.solvers.inspect_host import SolverError, refusing
from bias_tasks.solvers.sample_state import sample_state

_REWORDINGS = 3
"""How often a model is asked for a prompt in other words at most."""


@solver
@refusing(SolverError)
def ask(structured: bool = True) -> Solver:
    """Ask the model, in the form that the sample names.

    A repeated prompt is asked past the cache, which would make every model perfectly consistent
    with itself. Other words are asked of the model in the role for that. In rounds each is one
    message that holds the last answer; earlier answers are kept in the sample's metadata, under
    `previous_answers`.

    Args:
        structured: force the form of the answer where the sample names one and the provider can.
            Turn it off for servers that refuse a response schema:
            `--solver bias_tasks/ask -S structured=false`.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        sample = sample_state()
        if sample is None or sample.family is None:
            return await generate(state)
        question, form = sample.question, _form(sample.question, structured)
        requests = sample.family.requests(question, "")
        for request in requests:
            if request.reworded is not None:
                state.user_prompt.text = await reworded(request)
        system = [each for each in state.messages if each.role == "system"]
        state = await generate(state, **form)
        for number in range(1, sum(each.role is None for each in requests)):
            answer = encodable(state.output.completion)
            state.metadata.setdefault("previous_answers", []).append(answer)
            again = [r for r in sample.family.requests(question, answer) if r.role is None]
            state.messages = [*system, ChatMessageUser(content=again[number].prompt)]
            state = await generate(state, **form)
        return state

    return solve


async def reworded(request: Request) -> str:
    """The prompt in the words of the model that a request is for; a RuntimeError where each of its
    replies lost something."""
    model, lost = get_model(role=request.role, required=True), ""
    for _ in range(_REWORDINGS):
        reply = await model.generate(request.prompt)
        text = without_reasoning(encodable(reply.completion))
        try:
            if text:
                return text if request.reworded is None else request.reworded(text)
            lost = "everything"
        except ValueError as error:
            lost = str(error)
    changed = f"the {request.role} {model} changed what is asked in {_REWORDINGS} attempts"
    raise RuntimeError(f"{changed}; the last one lost {lost}")


def _form(question: Question, structured: bool) -> GenerateConfigArgs:
    form: GenerateConfigArgs = {"cache": False} if question.repeats else {}
    if structured and question.schema is not None:
        schema = JSONSchema.model_validate(dict(question.schema))
        form["response_schema"] = ResponseSchema(name="judgement", json_schema=schema)
    return form
