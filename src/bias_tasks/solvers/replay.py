"""Solver that answers with recorded outputs, without a model call."""

from collections.abc import Collection, Mapping
from functools import cache

from inspect_ai.model import ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver
from pydantic import BaseModel, Field, ValidationError

from bias_tasks.data.errors import DataError
from bias_tasks.data.files import as_path, decode_utf8, parse_json, read_whole
from bias_tasks.names import encodable, format_count
from bias_tasks.solvers.inspect_api import SolverError, checks_arguments
from bias_tasks.solvers.sample_state import running_sample

SampleKey = tuple[str, int | None]
"""Sample id, and epoch or None for every epoch."""
_MAX_SHOWN = 250
"""Characters of an id that an error shows."""


@solver
@checks_arguments(SolverError)
def replay(outputs: str) -> Solver:
    """Set each sample's output to a recorded one: `--solver bias_tasks/replay --model none`.

    Args:
        outputs: Path of a JSONL file with exactly one row `{"id": ..., "output": ...}` per sample,
            or one per `"epoch"` (1, 2, ...) of a sample. Other keys are ignored.
    """
    recorded = read_outputs(outputs)
    recorded_ids = frozenset(sample_id for sample_id, _ in recorded)

    @cache
    def surplus_ids(sample_ids: frozenset[str]) -> frozenset[str]:
        return recorded_ids - sample_ids

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        sample, sample_id = running_sample(), str(state.sample_id)
        # The ids of another task's data set are not known.
        sample_ids = frozenset() if sample is None else sample.sample_ids
        if sample_id not in recorded_ids:
            missing = {sample_id} | sample_ids - recorded_ids
            raise ValueError(f"{outputs} lacks outputs of {_describe_ids(missing)}; add rows")
        if sample_ids and surplus_ids(sample_ids):
            surplus = _describe_ids(surplus_ids(sample_ids))
            raise ValueError(
                f"{outputs} has outputs of {surplus} that are not in the run; remove them"
            )
        text = recorded.get((sample_id, state.epoch), recorded.get((sample_id, None)))
        if text is None:
            missing_output = f"an output of {sample_id} for epoch {state.epoch}"
            raise ValueError(f"{outputs} lacks {missing_output}; add a row")
        state.output = ModelOutput.from_content("replay", text)
        state.messages.append(state.output.message)
        return state

    return solve


class _OutputRow(BaseModel, strict=True):
    """A row of the file."""

    id: str | int
    output: str
    epoch: int | None = Field(default=None, ge=1)


def read_outputs(path: str) -> Mapping[SampleKey, str]:
    """Return the recorded outputs of a JSONL file.

    Args:
        path: The file.

    Raises:
        ValueError: The file cannot be read, a row is invalid, or a sample has two outputs.
    """
    try:
        lines = decode_utf8(read_whole(as_path(path))).split("\n")
    except (DataError, ValueError) as error:
        raise ValueError(f"cannot read the outputs {path}: {error}") from error
    recorded: dict[SampleKey, str] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = _OutputRow.model_validate(parse_json(line))
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"]))
            raise ValueError(f"{path}, line {number}: {field} {first['msg']}") from error
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: not one JSON object ({error})") from error
        key = str(row.id), row.epoch
        if key in recorded:
            raise ValueError(
                f"{path}, line {number}: id {key[0][:_MAX_SHOWN]} appears twice; remove one"
            )
        recorded[key] = encodable(row.output)
    return recorded


def _describe_ids(ids: Collection[str]) -> str:
    return f"{format_count(len(ids), 'sample')}, such as {min(ids)[:_MAX_SHOWN]}"
