"""The documents of a probed task that are asked about."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from lm_eval.api.task import ConfigurableTask

from bias_tasks.harness.probed_doc import ProbedDoc, Rendered, read_doc
from bias_tasks.harness.probed_examples import OTHERS, with_example
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.plan import chosen_items


def compares(task: ConfigurableTask) -> bool:
    """Whether the task compares the likelihoods of choices, and no answer is written."""
    return bool(task.OUTPUT_TYPE == "multiple_choice")


def ids_of(task: ConfigurableTask) -> dict[str, int]:
    """The ids of a task's items, with the places of their documents in its split."""
    return {f"{task.config.task}-{place}": place for place in range(len(task.task_docs))}


def drawn_docs(
    task: ConfigurableTask, n: int | None, seed: int, but: Container[str] = ()
) -> dict[str, tuple[int, ProbedDoc]]:
    """Documents by their items' ids, each behind its place in the split: at most n of all but
    some."""
    ids = ids_of(task)
    drawn = chosen_items([ProbedItem(each, "") for each in ids if each not in but], n, seed)
    return {each.id: (ids[each.id], _read(task, each.id, ids[each.id])) for each in drawn}


def other_items(task: ConfigurableTask, seed: int, asked: Container[str]) -> list[ProbedItem]:
    """Some of the items that are not asked, which may serve as examples."""
    return [doc.item for _, doc in drawn_docs(task, OTHERS, seed, but=asked).values()]


def _read(task: ConfigurableTask, name: str, place: int) -> ProbedDoc:
    doc: Mapping[str, Any] = task.task_docs[place]
    choices = task.doc_to_choice(doc) if task.config.doc_to_choice is not None else ()
    own = Rendered(task.doc_to_text(doc), tuple(choices), task.doc_to_target(doc))
    movable = not callable(task.config.process_results)
    found = read_doc(name, doc, own, compares=compares(task), movable=movable)
    return with_example(found, task.config.target_delimiter)
