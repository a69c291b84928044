"""Solver that answers with outputs made elsewhere, without a model call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

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

LISTED = 20
"""How many ids an error lists."""
_SHOWN_CHARACTERS = 250
"""Of an id in an error: that of an item, and how it is asked about."""


@solver
@refusing(SolverError)
def replay(outputs: str) -> Solver:
    """Set each sample's output to a recorded one: `--solver bias_tasks/replay --model none`.

    Args:
        outputs: path of a JSONL file with a row `{"id": ..., "output": ...}` for each sample, by
            sample id; an optional `"epoch"` (1, 2, ...) gives an epoch its own output. Further
            keys are ignored.

    Raises:
        SolverError: the file can't be read or a row is wrong (the message names its line).
        ValueError: when the first sample is answered: ids are missing or surplus (the message
            lists them).
    """
    recorded = read_outputs(outputs)
    ids = frozenset(id for id, _ in recorded)

    surplus_checked = False

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        nonlocal surplus_checked
        sample_id = str(state.sample_id)
        if sample_id not in ids:
            missing = _sample_ids() - ids - {sample_id}
            raise ValueError(f"{outputs} lacks outputs of {_listed([sample_id, *sorted(missing)])}")
        if not surplus_checked:
            _check_surplus(ids, sample_id, outputs)
            surplus_checked = True
        text = recorded.get((sample_id, state.epoch), recorded.get((sample_id, None)))
        if text is None:
            raise ValueError(f"{outputs} lacks an output of {sample_id} for epoch {state.epoch}")
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
    """The recorded outputs of a JSONL file, by sample id and epoch.

    Raises:
        ValueError: the file can't be read, or a row is not JSON, lacks a key or repeats an id.
    """
    try:
        lines = decoded(read_whole(as_path(path))).split("\n")
    except (DataError, ValueError) as error:
        raise ValueError(f"can't read the outputs {path}: {error}") from error
    recorded: dict[Key, str] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            key, output = _read_row(line)
            if key in recorded:
                raise ValueError(f"id {key[0][:_SHOWN_CHARACTERS]} stands there twice")
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from error
        recorded[key] = output
    return recorded


def _read_row(line: str) -> tuple[Key, str]:
    """The key and the output of a line; an output keeps no half of a surrogate pair."""
    try:
        value = parsed_json(line)
    except ValueError as error:
        raise ValueError(f"expected one JSON object, but {error}") from error
    try:
        row = _Row.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ValueError(f"{where} {first['msg']}".strip()) from error
    return (str(row.id), row.epoch), encodable(row.output)


def _check_surplus(ids: frozenset[str], sample_id: str, path: str) -> None:
    """Raise a ValueError that lists recorded ids that no sample has.

    The sample ids of a foreign task are not known, and nothing is surplus there.
    """
    known = _sample_ids()
    if sample_id in known and not ids <= known:
        raise ValueError(f"{path} has outputs of no sample: {_listed(sorted(ids - known))}")


def _sample_ids() -> frozenset[str]:
    """The ids of all samples of the running sample's dataset; none for another task's sample."""
    sample = sample_state()
    return frozenset() if sample is None else sample.sample_ids


def _listed(ids: Iterable[str]) -> str:
    ids = list(ids)
    more = f" and {len(ids) - LISTED} more" if len(ids) > LISTED else ""
    return ", ".join(id[:_SHOWN_CHARACTERS] for id in ids[:LISTED]) + more
