"""Loads another task by its name, as Inspect itself would, and checks whether it can be probed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os.path import relpath
from typing import Any

from inspect_ai import Task
from inspect_ai.log import HeadlineMetric
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Plan, Solver
from inspect_ai.util import registry_info

from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.plan import select_items
from bias_tasks.solvers.inspect_api import (
    PrerequisiteError,
    has_registry_params,
    is_registry_object,
    load_tasks,
    registry_params,
    registry_unqualified_name,
    unroll,
)
from bias_tasks.solvers.probed_items import ProbedSample
from bias_tasks.user_names import unknown_name

_AGENTS = ("inspect_ai.agent", "inspect_ai.solver._basic_agent", "inspect_ai.solver._human_agent")
"""Modules whose solvers call the model themselves, in a loop of their own."""
_CRITIQUE = "inspect_ai.solver._critique"
_BUILT_IN = "bias_tasks/"
_NEXT_STEP = "Probe another task, or change its code"
"""What a user can do about a task that cannot be probed."""


@dataclass(frozen=True, slots=True)
class ProbedTask:
    """A task, and those of its parts that a probe changes."""

    name: str
    task: Task
    solvers: tuple[Solver, ...]
    """Its solvers in their order, with its setup first."""
    scorer: Scorer
    score_key: str | None
    """The value that counts if the scorer gives several by name."""
    samples: Mapping[str, ProbedSample]
    """Its samples by the ids of their items."""
    notes: tuple[str, ...]
    """Scorers and parameters that are ignored."""

    @property
    def items(self) -> list[ProbedItem]:
        """The items of its samples."""
        return [sample.item for sample in self.samples.values()]

    @property
    def epochs(self) -> int:
        """The number of epochs of each sample."""
        return self.task.epochs or 1


def load_probed_task(
    name: str | None, parameters: Mapping[str, object], probe_parameters: Sequence[str] = ()
) -> ProbedTask:
    """Load a task that is to be probed.

    Args:
        name: A registered task, or `file.py@name`.
        parameters: Parameters of the task.
        probe_parameters: Names of the parameters of `probe`, which the task never gets.

    Raises:
        ValueError: The task does not exist, has no such parameter, or cannot be loaded or probed.
    """
    if not name:
        raise ValueError(
            "task: name the task to probe: task=inspect_evals/mmlu_0_shot, task=my_eval.py@my_task"
        )
    if name.startswith(_BUILT_IN):
        raise ValueError(f"{name} is a task of bias-tasks itself: run it without probe")
    try:  # for a whole file, Inspect accepts relative paths only
        path = relpath(name) if name.endswith(".py") else name
        tasks = load_tasks([path], dict(parameters))
    except Exception as error:  # any error of the other task's code
        message = error.message if isinstance(error, PrerequisiteError) else error
        line = next(iter(str(message).strip().splitlines()), "")
        reason = f"{type(error).__name__}: {line}"
        raise ValueError(f"task={name!r} cannot be loaded: {reason}") from error
    if len(tasks) != 1:
        hint = " (pip install 'bias-tasks[evals]')" if name.startswith("inspect_evals/") else ""
        problem = f"is not a task of an installed package{hint}"
        if tasks:
            names = ", ".join(filter(None, map(_registry_name, tasks)))
            problem = f"is several tasks ({names})"
        raise ValueError(f"task={name!r} {problem}: name one in a file as file.py@name")
    [task] = tasks
    if name.endswith(".py"):
        name = f"{name}@{_registry_name(task)}"
    accepted, used = list(registry_info(task).metadata["params"]), registry_params(task)
    known = accepted or ["(none)"]
    if probe_parameters:
        known = [*known, "and of probe", *probe_parameters]
    for parameter in parameters:
        if parameter not in used:  # Inspect ignores it silently
            raise ValueError(unknown_name(parameter, known, f"parameters of {name}"))
    notes: tuple[str, ...] = ()
    if shared := [parameter for parameter in probe_parameters if parameter in accepted]:
        notes = (
            f"{', '.join(shared)} set parameters of probe; the task's parameters with these names "
            "keep their defaults",
        )
    return _check_task(name, task, notes)


def _check_task(name: str, task: Task, notes: tuple[str, ...]) -> ProbedTask:
    """Return the task as one that can be probed; a ValueError says why it cannot be."""
    if task.sample_source is not None:
        raise ValueError(f"{name} cannot be probed: runs create its samples. {_NEXT_STEP}")
    solvers = _list_solvers(task)
    for solver in solvers:
        solver_name = _registry_name(task.solver) or _registry_name(solver) or "of its own"
        problem = _find_solver_problem(solver, solver_name)
        if problem is not None:
            raise ValueError(f"{name} cannot be probed: its solver {problem}")
    scorer, score_key, scorer_notes = _select_scorer(name, task)
    samples = [ProbedSample.from_sample(sample) for sample in task.dataset]
    if not samples:
        raise ValueError(f"{name} has no samples: check its data set and parameters")
    select_items([sample.item for sample in samples], None, 0)  # raises if two have one id
    by_id = {sample.item.id: sample for sample in samples}
    return ProbedTask(name, task, solvers, scorer, score_key, by_id, (*scorer_notes, *notes))


def _list_solvers(task: Task) -> tuple[Solver, ...]:
    """Return the task's solvers in their order, with its setup first."""
    setup = [] if task.setup is None else unroll(task.setup)
    solver: Any = task.solver
    if isinstance(solver, Plan):
        finish = [] if solver.finish is None else [solver.finish]
        return (*setup, *solver.steps, *finish)
    return (*setup, *unroll(solver))


def _find_solver_problem(solver: Solver, name: str) -> str | None:
    """Return why a solver's prompts cannot be probed or repeated, None if nothing indicates it."""
    module = getattr(solver, "__module__", "")
    own_name = _registry_name(solver)
    if module.startswith(_AGENTS) or (own_name and registry_info(solver).type == "agent"):
        return f"{name} is an agent, which calls the model itself. {_NEXT_STEP}"
    if module.startswith(_CRITIQUE):
        return f"{own_name} has the model criticise answers to the baseline prompt. {_NEXT_STEP}"
    if has_registry_params(solver) and registry_params(solver).get("shuffle"):
        return f"{own_name} shuffles the choices: shuffle them in its dataset, with a seed"
    return None


def _registry_name(registered: object) -> str | None:
    return registry_unqualified_name(registered) if is_registry_object(registered) else None


def _select_scorer(name: str, task: Task) -> tuple[Scorer, str | None, tuple[str, ...]]:
    """Return the scorer that counts, the key of its value, and a note on the other scorers."""
    scorers = {registry_unqualified_name(scorer): scorer for scorer in reversed(task.scorer or ())}
    if not scorers:
        raise ValueError(f"{name} cannot be probed: it has no scorer. {_NEXT_STEP}")
    headline = task.headline_metric or HeadlineMetric()
    selected, score_key = (headline.scorer or "").rpartition("/")[2], headline.score
    if selected not in scorers:
        selected = next(reversed(scorers))
    metrics: Any = registry_info(scorers[selected]).metadata.get("metrics", [])
    metric_list = [metrics] if isinstance(metrics, Mapping) else metrics
    keys = [str(key) for group in metric_list if isinstance(group, Mapping) for key in group]
    if keys and score_key is None:
        raise ValueError(
            f"{name} cannot be probed: its scorer {selected} gives several values "
            f"({', '.join(keys)}): set the task's headline metric to one of them"
        )
    notes: tuple[str, ...] = ()
    if others := ", ".join(sorted(scorer for scorer in scorers if scorer != selected)):
        notes = (f"of its scorers {selected} counts, and not {others}",)
    return scorers[selected], score_key, notes
