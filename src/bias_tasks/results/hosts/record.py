"""What readers of logs rely on in a run's record (`bias_tasks.contract.record.run_record`)."""

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from bias_tasks.contract.family import JsonObject
from bias_tasks.contract.parameters import TaskSpec
from bias_tasks.contract.record import FIGURES_OF

_RELIED_ON: Mapping[str, TypeAdapter[Any]] = {
    **dict.fromkeys(("family", "task", "protocol", "data", "digest", "package"), TypeAdapter(str)),
    **dict.fromkeys(("parameters", "changed"), TypeAdapter(dict[str, Any])),
    "notes": TypeAdapter(list[str]),
    "provenance": TypeAdapter(list[dict[str, Any]]),
}


def figure_options(spec: TaskSpec, record: Mapping[str, Any]) -> JsonObject:
    """What a recorded run's figures depend on beside its answers."""
    alone = {FIGURES_OF: record[FIGURES_OF]} if FIGURES_OF in record else {}
    return spec.for_figures(record["parameters"]) | alone


def check_record(record: Any) -> None:
    """Raise a ValueError unless `record` has what readers rely on of what `run_record` writes."""
    if not isinstance(record, Mapping):
        raise ValueError(f"the record of the run is no object but {type(record).__name__}")
    for name, kind in _RELIED_ON.items():
        try:
            kind.validate_python(record.get(name), strict=True)
        except ValidationError:
            raise ValueError(f"the record of the run has no {name} that can be read") from None
