"""Another task, loaded by its name as Inspect itself would, and whether it can be probed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os.path import relpath
from typing import Any

from inspect_ai import Task
from inspect_ai.log import HeadlineMetric
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Plan, Solver
from inspect_ai.util import registry_info

from bias_tasks.names import unknown_name
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.plan import chosen_items
from bias_tasks.solvers.inspect_host import (
    PrerequisiteError,
    has_registry_params,
    is_registry_object,
    load_tasks,
    registry_params,
    registry_unqualified_name,
    unroll,
)
from bias_tasks.solvers.probed_items import ProbedSample

_AGENTS = ("inspect_ai.agent", "inspect_ai.solver._basic_agent", "inspect_ai.solver._human_agent")
"""Modules whose solvers ask the model by themselves, in a loop of their own."""
_CRITICS = "inspect_ai.solver._critique"
_OURS = "bias_tasks/"


@dataclass(frozen=True, slots=True)
class ProbedTask:
    """A task with the parts of it that a probe stands between."""

    name: str
    task: Task
    solvers: tuple[Solver, ...]
    """Its setup first."""
    scorer: Scorer
    part: str | None
    """Which value of the scorer counts, where it gives several."""
    samples: Mapping[str, ProbedSample]
    """By the id of their item."""
    notes: tuple[str, ...]
    """What must be said of what is left out of it."""

    @property
    def items(self) -> list[ProbedItem]:
        """What is known of its samples."""
        return [each.item for each in self.samples.values()]

    @property
    def epochs(self) -> int:
        """How often it asks each sample."""
        return self.task.epochs or 1


def load_probed(
    name: str | None, given: Mapping[str, Any], taken: Sequence[str] = ()
) -> ProbedTask:
    """The task of that name, a registered one or `file.py@name`, with the parameters given; those
    of the names `taken` are never handed on to it. A ValueError where there is no such task, it
    takes no such parameter, it can't be loaded, or no probe can be put into it."""
    if not name:
        raise ValueError(
            "task: name the task to probe, such as task=inspect_evals/mmlu_0_shot or "
            "task=my_eval.py@my_task"
        )
    if name.startswith(_OURS):
        raise ValueError(f"{name} is one of bias-tasks' own: run it as it is")
    try:  # of a whole file the host takes no absolute path
        loaded = load_tasks([relpath(name) if name.endswith(".py") else name], dict(given))
    except Exception as error:  # another's code raises whatever it likes
        told = error.message if isinstance(error, PrerequisiteError) else error
        line = next(iter(str(told).strip().splitlines()), "")
        why = f"{type(error).__name__}: {line}"
        raise ValueError(f"task={name!r} can't be loaded: {why}") from error
    if len(loaded) != 1:
        found = ", ".join(filter(None, map(_named, loaded)))
        what = f"is several tasks ({found})" if loaded else "is no task of an installed package"
        raise ValueError(f"task={name!r} {what}: name one in a file as file.py@name")
    [task] = loaded
    if name.endswith(".py"):
        name = f"{name}@{_named(task)}"
    takes, used = list(registry_info(task).metadata["params"]), registry_params(task)
    known = [*(takes or ("(none)",)), *(("and of probe", *taken) if taken else ())]
    for each in given:
        if each not in used:  # the host drops it
            raise ValueError(unknown_name(each, known, f"parameters of {name}"))
    kept = ", ".join(each for each in taken if each in takes)
    note = f"{kept} set parameters of probe; the task's of the same names keep their defaults"
    return _probeable(name, task, (note,) if kept else ())


def _probeable(name: str, task: Task, notes: tuple[str, ...]) -> ProbedTask:
    """The task as one that is probed; a ValueError says why no probe can be put into it."""
    if task.sample_source is not None:
        raise ValueError(f"{name} makes its samples while it runs: there are none to probe")
    solvers = _steps(task)
    for each in solvers:
        reason = _unfit(each, _named(task.solver) or _named(each) or "of its own")
        if reason is not None:
            raise ValueError(f"{name} can't be probed: its solver {reason}")
    scorer, part, left_out = _scorer_of(name, task)
    samples = [ProbedSample.of(sample) for sample in task.dataset]
    if not samples:
        raise ValueError(f"{name} has no samples")
    chosen_items([each.item for each in samples], None, 0)  # of two with one id none may be lost
    by_id = {each.item.id: each for each in samples}
    return ProbedTask(name, task, solvers, scorer, part, by_id, (*left_out, *notes))


def _steps(task: Task) -> tuple[Solver, ...]:
    """The task's solvers in their order, those that set it up first."""
    setup = [] if task.setup is None else unroll(task.setup)
    asking: Any = task.solver
    if isinstance(asking, Plan):
        finish = [] if asking.finish is None else [asking.finish]
        return (*setup, *asking.steps, *finish)
    return (*setup, *unroll(asking))


def _unfit(step: Solver, named: str) -> str | None:
    """Why a solver asks where no probe can stand, or never the same twice; None where nothing
    says so."""
    module = getattr(step, "__module__", "")
    if module.startswith(_AGENTS) or (_named(step) and registry_info(step).type == "agent"):
        return f"{named} is an agent, which asks the model by itself"
    if module.startswith(_CRITICS):
        return f"{_named(step)} has the model criticise answers to the plain question"
    if has_registry_params(step) and registry_params(step).get("shuffle"):
        return f"{_named(step)} shuffles the choices: have its dataset shuffle them, with a seed"
    return None


def _named(made: object) -> str | None:
    return registry_unqualified_name(made) if is_registry_object(made) else None


def _scorer_of(name: str, task: Task) -> tuple[Scorer, str | None, tuple[str, ...]]:
    """The scorer that counts, which of its values, and what to say of the others."""
    scorers = {registry_unqualified_name(each): each for each in reversed(task.scorer or ())}
    if not scorers:
        raise ValueError(f"{name} can't be probed: it has no scorer")
    headline = task.headline_metric or HeadlineMetric()
    wanted, part = (headline.scorer or "").rpartition("/")[2], headline.score
    named = wanted if wanted in scorers else next(reversed(scorers))
    metrics: Any = registry_info(scorers[named]).metadata.get("metrics", [])
    listed = [metrics] if isinstance(metrics, Mapping) else metrics
    parts = [str(part) for each in listed if isinstance(each, Mapping) for part in each]
    if parts and part is None:
        several = f"its scorer {named} gives several values ({', '.join(parts)})"
        raise ValueError(f"{name} can't be probed: {several}, of which none is the task's headline")
    others = ", ".join(sorted(each for each in scorers if each != named))
    left_out = (f"of its scorers {named} counts, and not {others}",) if others else ()
    return scorers[named], part, left_out
