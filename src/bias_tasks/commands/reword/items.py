"""The items of a task of either host, as `probe` asks them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from bias_tasks.families import PROBING, load_family
from bias_tasks.names import unknown_name
from bias_tasks.probing.items import ProbedItem

Host = Literal["inspect", "lm-eval"]
HOSTS: tuple[Host, ...] = get_args(Host)
_OWN = ("n", "seed")
_HARNESS = ("n", "seed", "include_path")


@dataclass(frozen=True, slots=True)
class Source:
    """A task's items."""

    task: str
    ids: tuple[str, ...]
    """Of all items, in their order."""
    items: tuple[ProbedItem, ...]
    """Those that a run with the same n and seed asks."""
    seed: int


def items_of(host: Host, task: str, given: Mapping[str, Any]) -> Source:
    """The items of a task.

    Args:
        host: whose task it is.
        task: its name, as `probe` takes it.
        given: n and seed, and in Inspect the task's own parameters.

    Raises:
        ValueError: there is no such task, it can't be probed, or a parameter is unknown or not
            allowed.
        DataError: its data can't be had.
    """
    spec = load_family(PROBING).tasks["probe"]
    for name in {each.name for each in spec.parameters} & given.keys() - {*_OWN}:
        raise ValueError(
            f"-T {name}: it says how a run asks, and changes no rewording; leave it out here"
        )
    return _of_inspect(task, given) if host == "inspect" else _of_harness(task, given)


def _of_inspect(task: str, given: Mapping[str, Any]) -> Source:
    from bias_tasks.tasks._probe import items_asked

    name, ids, items = items_asked({"task": task, **given})
    return Source(name, tuple(ids), tuple(items), given.get("seed", 0))


def _of_harness(task: str, given: Mapping[str, Any]) -> Source:
    from bias_tasks.harness.probed_docs import drawn_docs, ids_of
    from bias_tasks.harness.probed_task import probed_task

    spec = load_family(PROBING).tasks["probe"]
    for name in given:
        if name not in _HARNESS:
            raise ValueError(f"-T {unknown_name(name, _HARNESS, 'parameters of an lm-eval task')}")
    own = {name: given[name] for name in _OWN if name in given}
    values = spec.values({"task": task, **own})
    found = probed_task(task, given.get("include_path"))
    docs = drawn_docs(found, spec.items_asked(values), values["seed"])
    items = tuple(doc.item for _, doc in docs.values())
    return Source(str(found.config.task), tuple(ids_of(found)), items, values["seed"])
