"""Another task, loaded by its name as Inspect itself would, and whether it can be probed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai._eval.loader import (
    load_file_tasks,  # inspect-evals-lint: ignore[IECQ001] -- no public name; as the host
    load_tasks,
)
from inspect_ai._util.decorator import (
    parse_decorators,  # inspect-evals-lint: ignore[IECQ001] -- no public name
)
from inspect_ai._util.error import (
    PrerequisiteError,  # inspect-evals-lint: ignore[IECQ001] -- no public name
)
from inspect_ai._util.registry import (
    has_registry_params,  # inspect-evals-lint: ignore[IECQ001] -- no public name
    is_registry_object,
    registry_find,
    registry_info,
    registry_lookup,
    registry_params,
    registry_unqualified_name,
)
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Plan, Solver
from inspect_ai.solver._chain import (
    unroll,  # inspect-evals-lint: ignore[IECQ001] -- no public name; the steps of a chain
)

from bias_tasks.names import did_you_mean, unknown_name

_AGENTS = ("inspect_ai.agent", "inspect_ai.solver._basic_agent", "inspect_ai.solver._human_agent")
"""Modules whose solvers ask the model by themselves, in a loop of their own."""
_CRITICS = ("inspect_ai.solver._critique",)
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
    notes: tuple[str, ...]
    """What must be said of what is left out of it."""


def load_probed(
    name: str | None, given: Mapping[str, Any], taken: Sequence[str] = ()
) -> ProbedTask:
    """The task of that name.

    Args:
        name: a registered name, or `file.py@name`.
        given: its parameters.
        taken: names of parameters that are never handed on to it.

    Raises:
        ValueError: there is no such task, it takes no such parameter, it can't be loaded, or no
            probe can be put into it; the message says which and why.
    """
    if not name:
        raise ValueError(
            "task: name the task to probe, such as task=inspect_evals/mmlu_0_shot or "
            "task=my_eval.py@my_task"
        )
    name = _in_file(name)
    factory = _factory(name)
    _check_own(name)
    own = _parameters(factory)
    if own is not None:
        _check_parameters(name, own, given, taken)
    try:
        loaded = load_tasks([name], dict(given))
    except Exception as error:  # another's code raises whatever it likes
        raise ValueError(f"task={name!r} can't be loaded: {_shown(error)}") from error
    if len(loaded) != 1:
        raise ValueError(f"task={name!r} is {len(loaded)} tasks: name one as file.py@name")
    found = probeable(name, loaded[0])
    kept = [each for each in taken if each in (own or ())]
    if not kept:
        return found
    note = f"its own parameters {', '.join(kept)} keep their defaults: probe has some of that name"
    return replace(found, notes=(*found.notes, note))


def _check_own(name: str) -> None:
    if name.startswith(_OURS):
        raise ValueError(
            f"{name} is one of bias-tasks' own, which ask in several ways by themselves"
        )


def probeable(name: str, task: Task) -> ProbedTask:
    """The task as one that is probed.

    Raises:
        ValueError: no probe can be put into it; the message says why.
    """
    _check_own(name)
    if task.sample_source is not None:
        raise ValueError(f"{name} makes its samples while it runs: there are none to probe")
    solvers = _steps(task)
    for each in solvers:
        reason = _unfit(each, _named(task.solver) or _named(each) or "of its own")
        if reason is not None:
            raise ValueError(f"{name} can't be probed: {reason}")
    scorer, part, notes = _scorer_of(name, task)
    return ProbedTask(name, task, solvers, scorer, part, notes)


def _in_file(name: str) -> str:
    """`file.py@name` of a file with one task; any other name as it is."""
    if not name.endswith(".py") or "@" in name:
        return name
    if not Path(name).is_file():
        raise ValueError(f"task={name!r}: there is no file {name}")
    known = sorted(task for task, _ in parse_decorators(Path(name), "task"))
    if len(known) != 1:
        which = ", ".join(known) or "it has no @task, or is no Python"
        raise ValueError(f"task={name!r}: name one as file.py@name: {which}")
    return f"{name}@{known[0]}"


def _factory(name: str) -> Any:
    """The function that makes the task; None where Inspect alone knows how, as of `hf/...`."""
    if name.startswith("hf/"):
        return None
    file, _, own = name.rpartition("@")
    in_file = bool(own) and file.endswith(".py")
    if in_file and not Path(file).is_file():
        raise ValueError(f"task={name!r}: there is no file {file}")
    try:
        if in_file:
            load_file_tasks(Path(file).absolute())
        found = registry_lookup("task", own if in_file else name)
    except Exception as error:  # another's code raises whatever it likes
        raise ValueError(f"task={name!r} can't be loaded: {_shown(error)}") from error
    if found is None:
        why = f"{file} has no @task {own}" if in_file else _unknown_task(name)
        raise ValueError(f"task={name!r}: {why}")
    return found


def _unknown_task(name: str) -> str:
    package = name.partition("/")[0]
    known = [registry_info(each).name for each in registry_find(lambda info: info.type == "task")]
    near = did_you_mean([name], known)
    if near:
        return f"there is no such task{near}"
    if "/" in name and not any(each.startswith(f"{package}/") for each in known):
        return f"no installed package {package} brings tasks of Inspect (is it installed?)"
    return "there is no such task; a task in a file is named as file.py@name"


def _parameters(factory: Any) -> tuple[str, ...] | None:
    """The names of what a task takes; None where it takes any, or nobody knows."""
    if factory is None:
        return None
    known = signature(factory).parameters
    if any(each.kind is Parameter.VAR_KEYWORD for each in known.values()):
        return None
    return tuple(known)


def _check_parameters(
    name: str, own: Sequence[str], given: Mapping[str, Any], taken: Sequence[str]
) -> None:
    for each in given:
        if each not in own:
            known = [*(own or ["(none)"]), *(["and of probe", *taken] if taken else [])]
            raise ValueError(unknown_name(each, known, f"parameters of {name}"))


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
    if module.startswith(_AGENTS) or (
        is_registry_object(step) and registry_info(step).type == "agent"
    ):
        return f"its solver {named} is an agent, which asks the model by itself"
    if module.startswith(_CRITICS):
        return f"its solver {_named(step)} has the model criticise answers to the plain question"
    if has_registry_params(step) and registry_params(step).get("shuffle"):
        return (
            f"its solver {_named(step)} shuffles the choices at each question, so that none is "
            "asked again: have its dataset shuffle them, with a seed"
        )
    return None


def _named(made: object) -> str | None:
    return registry_unqualified_name(made) if is_registry_object(made) else None


def _scorer_of(name: str, task: Task) -> tuple[Scorer, str | None, tuple[str, ...]]:
    """The scorer that counts, which of its values, and what to say of the others."""
    scorers = list(task.scorer or ())
    if not scorers:
        raise ValueError(f"{name} can't be probed: it has no scorer")
    headline = task.headline_metric
    wanted = None if headline is None else headline.scorer
    by_name = {registry_unqualified_name(each): each for each in reversed(scorers)}
    scorer = by_name.get((wanted or "").rpartition("/")[2], scorers[0])
    part = None if headline is None else headline.score
    named = registry_unqualified_name(scorer)
    parts = _parts_of(scorer)
    if parts and part is None:
        raise ValueError(
            f"{name} can't be probed: its scorer {named} gives several values ({', '.join(parts)}) "
            "and the task names none of them as its headline"
        )
    if len(scorers) == 1:
        return scorer, part, ()
    others = ", ".join(sorted(n for n in by_name if n != named)) or named
    return scorer, part, (f"of its scorers {named} counts, and not {others}",)


def _parts_of(scorer: Scorer) -> Sequence[str]:
    """The names of the values that a scorer declares to give; none where it gives one."""
    metrics: Any = registry_info(scorer).metadata.get("metrics", [])
    mappings = (
        [metrics]
        if isinstance(metrics, Mapping)
        else [each for each in metrics if isinstance(each, Mapping)]
    )
    return [str(part) for mapping in mappings for part in mapping]


def _shown(error: Exception) -> str:
    """An error of another's code in a line."""
    told = error.message if isinstance(error, PrerequisiteError) else str(error)
    line = next(iter(str(told).strip().splitlines()), "")
    return f"{type(error).__name__}: {line}" if line else type(error).__name__
