"""Makes the Inspect tasks that a search for prompt formats asks, one a round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspect_ai import Task
from inspect_ai.scorer import mean

from bias_tasks.families import PROBING, load_family
from bias_tasks.family import JsonObject
from bias_tasks.probing.format_grammar import Format
from bias_tasks.probing.items import PLAIN, Asked, ProbedItem
from bias_tasks.probing.plan import PROTOCOL, ProbedPlan, ProbedQuestion
from bias_tasks.record import RECORD, run_record
from bias_tasks.scorers.outcome import headline
from bias_tasks.tasks._probed_run import Samples, run_of, samples_of, task_of
from bias_tasks.tasks._probed_task import ProbedTask, load_probed

ROUND = "bias_tasks_format_search"
"""Name in a log's metadata of what round of which search it is."""
_TASK = "probe"
_NAME = "format_search"


@dataclass(frozen=True, slots=True)
class Searched:
    """A task in whose formats a search is made."""

    asked: ProbedTask
    samples: Samples

    @property
    def items(self) -> list[ProbedItem]:
        """What is known of its samples."""
        return [each.item for each in self.samples.values()]

    @property
    def epochs(self) -> int:
        """How often it asks each sample."""
        return self.asked.task.epochs or 1


def searched(name: str, given: Mapping[str, Any]) -> Searched:
    """The task of that name with its samples.

    Raises:
        ValueError: there is no such task, or it can't be probed.
    """
    asked = load_probed(name, given)
    return Searched(asked, samples_of(asked))


def questions_in(items: Sequence[ProbedItem], format_: Format) -> list[ProbedQuestion]:
    """Items in a format."""
    return [ProbedQuestion(item, format_.name, Asked(dress=format_.style)) for item in items]


def round_task(
    of: Searched, questions: Sequence[ProbedQuestion], about: JsonObject, *, last: bool
) -> Task:
    """The task of a round.

    Rounds that choose are no run with figures: what they asked depends on what was answered. The
    last one, of the held-out items, is a run of `probe` with formats for probes.

    Args:
        of: the task in whose formats is searched.
        questions: what the round asks.
        about: which round of which search it is, as plain JSON values.
        last: whether it asks the held-out items.
    """
    variants = dict.fromkeys(question.variant for question in questions)
    names = tuple(name for name in variants if name != PLAIN)
    run = run_of(of.asked, of.samples, ProbedPlan(tuple(questions), Counter(), names))
    family = load_family(PROBING)
    values = {
        "task": of.asked.name,
        "probes": list(names),
        "repeats": 0,
        "n": len({question.item.id for question in questions}),
        "seed": about["search"]["seed"],
        "protocol": PROTOCOL,
    }
    record = run_record(family, _TASK, values, run, {"found_by": _NAME})
    figures = headline(_TASK, family.tasks[_TASK].for_figures(values), record["digest"])
    return task_of(
        of.asked,
        of.samples,
        run,
        probes=names,
        record=record,
        metadata={ROUND: about} | ({RECORD: record} if last else {}),
        metric=figures if last else mean(),
        name=f"bias_tasks/{_TASK}" if last else _NAME,
    )
