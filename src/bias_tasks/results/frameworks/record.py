"""The record of a run as readers of logs use it (`bias_tasks.contract.record.run_record`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from itertools import takewhile

from pydantic import ValidationError

from bias_tasks.contract.json_data import JsonData
from bias_tasks.contract.parameters import ParameterValues, TaskSpec
from bias_tasks.contract.record import METRICS_OF
from bias_tasks.data.errors import shorten
from bias_tasks.data.files import RawRecord
from bias_tasks.families import UnsupportedError, load_family

_OLDEST = [0, 17]
"""The first version of bias-tasks whose logs are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardRecord(JsonData):
    """Which shard of a run a log is (`bias_tasks.contract.shards.plan_shard`)."""

    number: int
    """Number of the shard, from 1."""
    of: int
    """Number of shards that the run is split into."""
    held: tuple[int, ...]
    """Number of questions in each shard."""
    whole: Mapping[str, object]
    """What the record states about the whole run, such as its digest."""

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord(JsonData):
    """What a log records about its run."""

    family: str
    task: str
    """Name of the task in its family, the same in both frameworks."""
    digest: str
    """Identifies the prompts, the parameters and the version of the task."""
    protocol: str
    data: str
    """How the items were requested, such as `paper` or the path of a file."""
    package: str
    """Version of bias-tasks that made the run."""
    version: int | str | None = None
    """Version of the family."""
    parameters: ParameterValues
    """Value of every parameter of the task."""
    task_args: Mapping[str, object]
    """The parameters that differ from their defaults."""
    answer_limit: int = 0
    """Tokens that a limit must leave room for; 0 if not known, as in versions before 0.18."""
    notes: tuple[str, ...]
    """What a reader of the metrics must know."""
    provenance: tuple[Mapping[str, object], ...]
    """Where the items come from: one record per source."""
    headline: str | None = None
    """The printed name of the headline metric; None in versions before 0.18."""
    metrics: Mapping[str, RawRecord] | None = None
    """All metrics of the run; only in results files of lm-eval."""
    metrics_of: str | None = None
    """The variant that the metrics are about, if the run scores one variant only."""
    shard: ShardRecord | None = None
    """Set if the log is a shard of a run."""


def metric_options(spec: TaskSpec, record: RunRecord) -> ParameterValues:
    """Return the values on which a run's metrics depend besides its answers."""
    options = spec.metric_options(record.parameters)
    return options if record.metrics_of is None else {**options, METRICS_OF: record.metrics_of}


def read_record(logged: object) -> RunRecord:
    """Return the record of a run.

    Args:
        logged: What `run_record` wrote.

    Raises:
        UnsupportedError: The installed packages do not have its family or its task, or are older
            than the run, or the run is of a version before 0.17.
        ValueError: The record lacks a value, or a value has another type.
    """
    if not isinstance(logged, Mapping):
        raise ValueError(f"the record of the run is not an object but {type(logged).__name__}")
    package = logged.get("package")
    _check_version("bias-tasks", package, version("bias-tasks"))
    if [] < _parse_release(package) < _OLDEST:
        raise UnsupportedError(
            f"it is of bias-tasks {shorten(package)}, and logs before 0.17 are not read: read it "
            "with bias-tasks 0.17, or run it again"
        )
    try:
        record = RunRecord.from_dict(logged)
    except ValidationError as error:
        name = ".".join(map(str, error.errors()[0]["loc"]))
        raise ValueError(f"the record of the run has no valid {name!r}") from None
    family = load_family(record.family)
    _check_version(f"{family.name} version", record.version, family.version)
    if record.task not in family.tasks:
        raise UnsupportedError(f"{family.name} has no task {shorten(record.task)}")
    return record


def _check_version(name: str, logged: object, installed: object) -> None:
    """Raise an UnsupportedError if a run is of a newer version, whose rules may be others."""
    if _parse_release(logged) > _parse_release(installed):
        raise UnsupportedError(
            f"it is of {name} {shorten(logged)}, and {installed} is installed: upgrade the package"
        )


def _parse_release(version: object) -> list[int]:
    """Return the numbers that a version begins with; none if it is not a version."""
    return [int(part) for part in takewhile(str.isdecimal, str(version).split("."))]
