"""Makes the Inspect tasks that ask another task's samples plain, again and under probes, or in the
prompt formats of a round of a search."""

import logging
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from inspect_ai import Task, task_with
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import HeadlineMetric
from inspect_ai.scorer import Metric, mean

from bias_tasks.contract.family import JsonObject, Plan
from bias_tasks.contract.parameters import ALL, SHARD
from bias_tasks.contract.record import RECORD, calls_of, many_calls, run_record, version_of
from bias_tasks.contract.shards import asked_in_part
from bias_tasks.data.errors import DataError
from bias_tasks.families import PROBING, load_family
from bias_tasks.probing.format_grammar import Format
from bias_tasks.probing.items import PLAIN, Asked, ProbedItem
from bias_tasks.probing.plan import (
    PROTOCOL,
    ProbedPlan,
    ProbedQuestion,
    chosen_items,
    plan_probes,
    probed_run,
)
from bias_tasks.scorers.outcome import headline
from bias_tasks.scorers.probed import probed_outcome
from bias_tasks.solvers.inspect_host import TASK_FILE_ATTR, TaskError, registry_log_name
from bias_tasks.solvers.plain_log import read_plain_log
from bias_tasks.solvers.probed import probed
from bias_tasks.solvers.probed_items import ProbingSample
from bias_tasks.solvers.sample_state import noted_place
from bias_tasks.tasks._build import tell_misspelt_roles
from bias_tasks.tasks._probed_task import ProbedTask, load_probed

ROUND = "bias_tasks_format_search"
"""Name in a log's metadata of what round of which search it is."""
_PROBE = "probe"
_SEARCH = "format_search"

logger = logging.getLogger(__name__)


def build_probe(given: Mapping[str, Any]) -> Task:
    """The task that probes another one, by the parameters of `probe` and of that task.

    All that the other task says of how it is run stays: its model settings and roles, limits,
    sandbox, approval, epochs. Its reducers do not: figures are made of single answers. A TaskError
    where a value is not allowed, or the other task can't be loaded or probed."""
    family = load_family(PROBING)
    tell_misspelt_roles(family.roles)
    try:
        values, handed_on = _apart(given)
        asked, planned = _planned(values, handed_on)
        whole = run_of(asked, planned)
        record = run_record(family, _PROBE, values | {"protocol": PROTOCOL}, whole, handed_on)
        run, record, places = asked_in_part(whole, record, values.get(SHARD))
    except (ValueError, DataError) as error:
        raise TaskError(str(error)) from error
    calls = calls_of(family, run).total() * asked.epochs
    for note in filter(None, (*run.notes, many_calls(_PROBE, calls))):
        logger.warning("%s: %s", _PROBE, note)
    return _task_of(asked, run, planned.probes, record, values, places=places)


def plan_probe(given: Mapping[str, Any]) -> Plan:
    """What a run of `probe` with these parameters asks, without what solvers put around prompts; a
    ValueError or DataError as `build_probe` says."""
    return run_of(*_planned(*_apart(given)))


def items_asked(given: Mapping[str, Any]) -> tuple[str, list[str], list[ProbedItem]]:
    """The name of the task that `probe` with these parameters asks, the ids of all its items, and
    those that are asked; raises a ValueError as `build_probe` says."""
    values, handed_on = _apart(given)
    asked = load_probed(values["task"], handed_on, sorted(values))
    return asked.name, list(asked.samples), _drawn(asked, values)


def questions_in(items: Sequence[ProbedItem], format_: Format) -> list[ProbedQuestion]:
    """Items in a prompt format."""
    dress = None if format_ == Format() else format_.style
    return [ProbedQuestion(item, format_.name, Asked(dress=dress)) for item in items]


def round_task(
    asked: ProbedTask, questions: Sequence[ProbedQuestion], about: JsonObject, *, last: bool
) -> Task:
    """The task of a round of a search for prompt formats, which asks these questions; `about` says
    which round of which search it is, as plain JSON values. The `last` one, of the held-out items,
    is a run of `probe` with formats for probes. Rounds that choose have no figures: what they asked
    depends on what was answered."""
    names = tuple({each.variant: None for each in questions if each.variant != PLAIN})
    run = run_of(asked, ProbedPlan(tuple(questions), names))
    values = {
        "task": asked.name,
        "probes": list(names),
        "repeats": 0,
        "n": len({question.item.id for question in questions}),
        "seed": about["search"]["seed"],
        "protocol": PROTOCOL,
    }
    record = run_record(load_family(PROBING), _PROBE, values, run, {"found_by": _SEARCH})
    made = _task_of(asked, run, names, record, values if last else None)
    made.metadata = {ROUND: about, **(made.metadata or {})}
    return made


def _apart(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values of `probe`'s parameters, and those given of the task that is probed."""
    spec = load_family(PROBING).tasks[_PROBE]
    own = {each.name for each in spec.parameters}
    ours = {name: value for name, value in given.items() if name in own}
    return spec.values(ours), {n: value for n, value in given.items() if n not in own}


def _planned(
    values: Mapping[str, Any], handed_on: Mapping[str, Any]
) -> tuple[ProbedTask, ProbedPlan]:
    """The task, and what of it is asked how."""
    asked = load_probed(values["task"], handed_on, sorted(values))
    items = _drawn(asked, values)
    inside = {item.id for item in items}
    others = [each for each in asked.items if each.id not in inside]
    planned = plan_probes(values, items, others, task=asked.name, ids=asked.samples)
    if values["plain"] is None:
        return asked, planned
    own = {item.id: asked.samples[item.id].sample for item in items}
    solvers = [registry_log_name(each) for each in asked.solvers]
    log = read_plain_log(values["plain"], asked.name, solvers, asked.scorer, own)
    questions = tuple(replace(each, plain=log) for each in planned.questions)
    noted = replace(asked, notes=(*asked.notes, *log.notes))
    return noted, replace(planned, questions=questions)


def _drawn(asked: ProbedTask, values: Mapping[str, Any]) -> list[ProbedItem]:
    """The items that a run with these values asks."""
    return chosen_items(asked.items, None if values["n"] == ALL else values["n"], values["seed"])


def run_of(asked: ProbedTask, planned: ProbedPlan) -> Plan:
    """What is asked, as records and samples take it."""
    told = [asked.samples[each.item.id].recorded(each.asked) for each in planned.questions]
    package = asked.name.partition("/")[0]
    try:
        released = f", {package} {version(package)}"
    except (PackageNotFoundError, ValueError):  # a task that no package brings
        released = ""
    provenance = {
        "source": asked.name,
        "revision": f"version {asked.task.version}{released}",
        "items": len(asked.samples),
        "solvers": [registry_log_name(each) for each in asked.solvers],
        "scorer": registry_log_name(asked.scorer),
    }
    epochs = (
        f"the task asks each sample in {asked.epochs} epochs: figures are of single answers, "
        "whatever its reducer makes of them"
    )
    notes = [*asked.notes, *([epochs] if asked.epochs > 1 else [])]
    return probed_run(planned, told, task=asked.name, provenance=provenance, notes=notes)


def _task_of(
    asked: ProbedTask,
    run: Plan,
    probes: Sequence[str],
    record: JsonObject,
    values: Mapping[str, Any] | None,
    places: Mapping[str, int] | None = None,
) -> Task:
    """The probed task with its dataset, its solvers, its scorer and its figures replaced; `values`
    are None of a round that chooses, which has no figures, `places` those of a part's questions."""
    ids = frozenset(question.id for question in run.questions)
    samples: list[Sample] = [
        ProbingSample(asked.samples[each.item], each, ids, noted_place(each.id, places))
        for each in run.questions
    ]
    metric: Metric = mean()
    if values is not None:
        options = load_family(PROBING).tasks[_PROBE].for_figures(values)
        metric = headline(_PROBE, options, record["digest"])
    # `task_with` takes metrics without giving them to the scorer; a task that is made gives them.
    scorer = probed_outcome(asked.scorer, record["digest"], asked.part, list(probes))
    scored = Task(scorer=scorer, metrics=[metric])
    made = task_with(
        copy(asked.task),  # it would change the probed task itself
        dataset=MemoryDataset(samples, name=f"{_PROBE}_{asked.name.replace('/', '_')}"),
        setup=None,
        solver=probed(asked.solvers),
        scorer=scored.scorer,
        metrics=scored.metrics,
        epochs=asked.task.epochs,
        name=_SEARCH if values is None else f"bias_tasks/{_PROBE}",
        description=f"{asked.name} under probes",
        version=version_of(record),
        metadata={**(asked.task.metadata or {}), **({} if values is None else {RECORD: record})},
        headline_metric=HeadlineMetric(scorer=probed_outcome.__name__),
    )
    vars(made).pop(TASK_FILE_ATTR, None)  # the host would look for it in the other one's file
    return made
