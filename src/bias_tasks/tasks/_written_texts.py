"""Builds the tasks with which models write texts."""

from collections.abc import Mapping, Sequence
from functools import partial

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.model import GenerateConfig

from bias_tasks.contract.written_texts import CHECKER, ItemToWrite
from bias_tasks.families import PROBING, load_family
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.rewordings import Kind
from bias_tasks.probing.written_texts import write_rewording
from bias_tasks.scorers.valid_texts import valid_texts
from bias_tasks.solvers.until_valid import WritingSample, until_valid
from bias_tasks.tasks._build import warn_of_misspelt_roles
from bias_tasks.tasks._probe import select_task_items
from bias_tasks.user_names import unknown_name

_DRAW_PARAMETERS = ("n", "seed")
_LM_EVAL_PARAMETERS = (*_DRAW_PARAMETERS, "include_path")


def build_writing_task(name: str, items: Sequence[ItemToWrite]) -> Task:
    """Return a task in which models write texts about items.

    Args:
        name: The task's name.
        items: The items.
    """
    warn_of_misspelt_roles([CHECKER])
    return Task(
        dataset=MemoryDataset([WritingSample(item) for item in items], name=name),
        solver=until_valid(),
        scorer=valid_texts(),
        config=GenerateConfig(temperature=0.0),
        version="1-A",
    )


def select_rewordings(
    framework: str,
    task: str | None,
    kinds: Sequence[Kind],
    languages: tuple[str, str | None],
    parameters: Mapping[str, object],
) -> list[ItemToWrite]:
    """Return the items of a task that a model rewords and translates.

    Args:
        framework: The task's framework, `inspect` or `lm-eval`.
        task: The task as `probe` names it.
        kinds: The kinds of rewordings.
        languages: The language of the items, and the language into which they are translated.
        parameters: `n` and `seed` of the run, and in Inspect the task's own parameters.

    Raises:
        ValueError: The languages do not fit the kinds, the task cannot be probed, or a parameter is
            unknown or not allowed.
        DataError: The task cannot be loaded.
    """
    original, target = languages
    if ("language" in kinds) != bool(target):
        raise ValueError("language=..., such as German, and language among kinds need each other")
    if target and target.casefold() == original.casefold():
        raise ValueError(f"language and original_language are both {original}: change one")
    name, items = _load_items(framework, {"task": task, **parameters})
    return [
        ItemToWrite(
            f"{item.id}/{kind}",
            partial(write_rewording, item, name, original, target if kind == "language" else None),
        )
        for item in items
        for kind in kinds
    ]


def _load_items(
    framework: str, parameters: Mapping[str, object]
) -> tuple[str, Sequence[ProbedItem]]:
    """Return a task's own name, and the items of a run."""
    spec = load_family(PROBING).tasks["probe"]
    allowed = {*_DRAW_PARAMETERS, "task"}
    for name in {parameter.name for parameter in spec.parameters} & parameters.keys() - allowed:
        raise ValueError(f"{name}: it is a parameter of a run, and changes no rewording; omit it")
    if framework == "inspect":
        return select_task_items(parameters)
    from bias_tasks.harness.probed_doc import draw_docs
    from bias_tasks.harness.probed_task import load_probed_task

    for name in parameters.keys() - {"task"}:
        if name not in _LM_EVAL_PARAMETERS:
            known = "parameters of an lm-eval task"
            raise ValueError(unknown_name(name, _LM_EVAL_PARAMETERS, known))
    path = parameters.get("include_path")
    values = spec.values({name: v for name, v in parameters.items() if name != "include_path"})
    probed = load_probed_task(values["task"], None if path is None else str(path))
    docs = draw_docs(probed, spec.items_asked(values), values["seed"])
    return str(probed.config.task), [doc.item for doc in docs.values()]
