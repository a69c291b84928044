"""Asks a model for a text until its reply is valid: for items to write, rewordings and verdicts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

from inspect_ai.dataset import Sample
from inspect_ai.model import GenerateConfig, Model, ModelOutput, get_model, model_roles
from inspect_ai.solver import Generate, Solver, TaskState, solver
from pydantic import PrivateAttr

from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.parameters import Details
from bias_tasks.contract.written_texts import (
    CHECKER,
    ItemToWrite,
    TextRequest,
    WrittenText,
)
from bias_tasks.parsing.reasoning import without_reasoning
from bias_tasks.parsing.written_text import MAX_CHARACTERS, InvalidReplyError, parse_objection
from bias_tasks.solvers.generation import answer_text
from bias_tasks.solvers.inspect_api import SolverError, checks_arguments, sample_active

MAX_ATTEMPTS = 3
"""Requests for one text until a reply is valid."""
ROWS, REASONS = "rows", "reasons"
"""Names in a sample's store of the rows and reasons of `CollectedTexts`."""
REPEAT = "{request}"
"""Template of a repeated request that is the same as before."""
_EXPLAIN = """\
To the request below you replied:

{reply}

That can't be used: {reason}. Reply again, as the request asks.

{request}"""
_MAX_QUOTED = 20_000
"""Characters of an invalid reply that the model sees again."""

MaxAttempts = Annotated[int, "requests for one text until a reply is valid", Details(low=1)]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ParsedReply(Generic[T]):
    """The last reply of a model to a request."""

    value: T | None
    """What was parsed from it; None if it is invalid."""
    invalid: str | None
    """Why it is invalid; None if it is valid."""
    record: JsonObject
    """The `model`, the first `prompt`, and `replies`, as in `WrittenText.steps`."""


async def ask_until_valid(
    model: Model,
    prompt: str,
    parse: Callable[[str], T],
    *,
    max_attempts: int = MAX_ATTEMPTS,
    template: str = REPEAT,
    **config: Any,
) -> ParsedReply[T]:
    """Return the first valid reply of a model, or the last one.

    Args:
        model: The model.
        prompt: The request.
        parse: Returns the content of a reply, or raises an InvalidReplyError with the reason.
        max_attempts: Requests until a reply is valid.
        template: Template of repeated requests, with `request`, `reply` and `reason`.
        **config: Settings of generation.
    """
    request, replies = prompt, list[JsonObject]()
    value, invalid = None, None
    for _ in range(max_attempts):
        output = await model.generate(request, config=GenerateConfig(**config))
        config |= {"cache": False}  # which would repeat the reply
        reply = without_reasoning(answer_text(output))[: MAX_CHARACTERS + 1]
        try:
            value, invalid = parse(reply), None
        except InvalidReplyError as error:
            invalid = str(error)
        replies.append({"output": reply, "refused": invalid})
        if invalid is None:
            break
        request = template.format(request=prompt, reply=reply[:_MAX_QUOTED], reason=invalid)
    return ParsedReply(value, invalid, {"model": str(model), "prompt": prompt, "replies": replies})


class WritingSample(Sample):
    """A sample made from an item to write, which is neither logged nor copied."""

    _item: ItemToWrite = PrivateAttr()

    def __init__(self, item: ItemToWrite) -> None:
        request = next(item.write(), None)
        super().__init__(input="" if request is None else request.prompt, id=item.id)
        self._item = item

    @property
    def item(self) -> ItemToWrite:
        """The item to write."""
        return self._item


@solver
@checks_arguments(SolverError)
def until_valid(max_attempts: MaxAttempts = MAX_ATTEMPTS) -> Solver:
    """Write the texts of an item: repeat each request with the reason while its reply is invalid.

    The evaluated model writes, and a model can check the texts. The sample's store gets the rows of
    the item, as tasks read them, and the reasons why texts are missing.

    Args:
        max_attempts: Requests for one text until a reply is valid.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        active = sample_active()
        if active is None or not isinstance(active.sample, WritingSample):
            raise SolverError("until_valid supports only samples of the tasks that write texts")
        writing = active.sample.item.write()
        result, texts = None, list[str]()
        try:
            while True:
                request = next(writing) if result is None else writing.send(result)
                result = await _write(request, max_attempts)
                texts.append(result.text or "")
        except StopIteration as end:
            rows, reasons = end.value
        state.store.set(ROWS, rows)
        state.store.set(REASONS, dict(reasons))
        state.output = ModelOutput.from_content(str(state.model), "\n\n".join(texts))
        return state

    return solve


async def _write(request: TextRequest, max_attempts: int) -> WrittenText:
    """Return what a model writes in reply to a request, checked if the request has a check."""
    result = WrittenText(text=request.existing)
    if request.existing is None:
        reply = await ask_until_valid(
            get_model(),
            request.prompt,
            request.parse,
            max_attempts=max_attempts,
            template=_EXPLAIN,
        )
        result = WrittenText(reply.value, reply.invalid, steps=[{"role": "model", **reply.record}])
    has_checker = request.checks_itself or CHECKER in model_roles()
    if request.existing is not None and not has_checker:
        raise SolverError(f"existing=true needs --model-role {CHECKER}=MODEL")
    if result.text is None or request.build_check is None or not has_checker:
        return result
    role = "model" if request.checks_itself else CHECKER
    check = await ask_until_valid(
        get_model() if request.checks_itself else get_model(role=CHECKER, required=True),
        request.build_check(result.text),
        parse_objection,
        max_attempts=max_attempts,
        template=_EXPLAIN,
        temperature=0.0,
    )
    if check.invalid is not None:
        result.objection = f"the checker gave no verdict: {check.invalid}"
    elif check.value:
        result.objection = f"the checker rejected it: {check.value}"
    result.steps.append({"role": role, **check.record})
    return result
