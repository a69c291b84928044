"""Solver that answers with outputs made elsewhere, without a model call."""

from collections.abc import Collection, Mapping
from functools import cache

from inspect_ai.model import ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver
from pydantic import BaseModel, Field, ValidationError

from bias_tasks.data.errors import DataError
from bias_tasks.data.files import as_path, decoded, parsed_json, read_whole
from bias_tasks.names import encodable
from bias_tasks.solvers.inspect_host import SolverError, refusing
from bias_tasks.solvers.sample_state import sample_state

Key = tuple[str, int | None]
"""Sample id, and epoch or None for any epoch."""
_SHOWN = 250
"""Characters of an id in an error."""


@solver
@refusing(SolverError)
def replay(outputs: str) -> Solver:
    """Set each sample's output to a recorded one: `--solver bias_tasks/replay --model none`.

    Args:
        outputs: path of a JSONL file with a row `{"id": ..., "output": ...}` for each sample, no
            more and no less, or for each `"epoch"` (1, 2, ...) of one. Further keys are ignored.
    """
    recorded = read_outputs(outputs)
    ids = frozenset(id for id, _ in recorded)

    @cache
    def surplus(known: frozenset[str]) -> frozenset[str]:
        return ids - known

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        sample, asked = sample_state(), str(state.sample_id)
        known = frozenset() if sample is None else sample.sample_ids  # none of another's task
        if asked not in ids:
            raise ValueError(f"{outputs} lacks outputs of {_listed({asked} | known - ids)}")
        if known and surplus(known):
            raise ValueError(f"{outputs} has outputs of {_listed(surplus(known))}: not asked")
        text = recorded.get((asked, state.epoch), recorded.get((asked, None)))
        if text is None:
            raise ValueError(f"{outputs} lacks an output of {asked} for epoch {state.epoch}")
        state.output = ModelOutput.from_content("replay", text)
        state.messages.append(state.output.message)
        return state

    return solve


class _Row(BaseModel, strict=True):
    """A row of the file."""

    id: str | int
    output: str
    epoch: int | None = Field(default=None, ge=1)


def read_outputs(path: str) -> Mapping[Key, str]:
    """The outputs of a JSONL file, by sample id and epoch; a ValueError where it can't be read."""
    try:
        lines = decoded(read_whole(as_path(path))).split("\n")
    except (DataError, ValueError) as error:
        raise ValueError(f"can't read the outputs {path}: {error}") from error
    recorded: dict[Key, str] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = _Row.model_validate(parsed_json(line))
            key = str(row.id), row.epoch
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise ValueError(f"{path}, line {number}: {where} {first['msg']}") from error
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: not one JSON object ({error})") from error
        if key in recorded:
            raise ValueError(f"{path}, line {number}: id {key[0][:_SHOWN]} stands there twice")
        recorded[key] = encodable(row.output)
    return recorded


def _listed(ids: Collection[str]) -> str:
    return f"{len(ids)} samples, such as {min(ids)[:_SHOWN]}"
