"""What a run writes down of itself, the same in either host's log, and what identifies it.

A file of one's own may change under its name, a cached data set may be fetched anew, and a template
may be edited: none of it shows in a task's parameters. So a run is known by a digest of everything
that it asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import version
from typing import Any

from bias_tasks.family import Family, JsonObject, Plan, Question
from bias_tasks.hashing import digest
from bias_tasks.parameters import TaskSpec, of_whole_run

RECORD = "bias_tasks"
"""The name under which a run of ours stands in its log's metadata, in either host."""
FIGURES = "figures"
"""Where in the record a results file of the LM Evaluation Harness has every figure of the run."""
FIGURES_OF = "figures_of"
"""Where it stands of which one variant a run has figures, if not of all."""
FACTS = "facts"
"""Where a sample of Inspect has its question's facts, beside what every family's samples have."""
BESIDE_FACTS = ("item", "cluster", "variant")
"""Facts that such a sample has beside the others; among them they are left out where the same."""
_ONCE_BESIDE = (*BESIDE_FACTS, "gold")
"""Those that logs before 0.8.0 have beside the others."""
_ASKED = ("id", "item", "cluster", "variant", "prompt", "gold", "facts", "schema", "repeats")
"""What of a question reaches the model, the reader or the figures."""

_KINDS: Mapping[str, type] = {
    "family": str,
    "task": str,
    "protocol": str,
    "data": str,
    "parameters": Mapping,
    "notes": list,
    "provenance": list,
}
"""What every record has, by its name."""
_LATER: Mapping[str, type] = {"digest": str, "package": str, "changed": Mapping}


def run_record(
    family: Family,
    task: str,
    values: Mapping[str, Any],
    plan: Plan,
    handed_on: Mapping[str, Any] | None = None,
) -> JsonObject:
    """What the log of a run says of it, as plain JSON values.

    Parameters are those of the task itself: what a group hands to all of its tasks changes nothing
    in a task that has no use for it. `changed` are those whose value is not the default. The digest
    is the whole run's, whichever part of it is asked (`bias_tasks.shards`), and in whatever order.

    Args:
        family: whose task it is.
        task: its name there.
        values: of the task's parameters, and the `protocol`.
        plan: what it asks.
        handed_on: parameters of another task that this one asks, as plain JSON values.
    """
    own = {each.name: each for each in family.tasks[task].parameters}
    further = dict(handed_on or {})
    parameters = {name: values[name] for name in own if name in values} | further
    asked = of_whole_run(parameters)
    changed = {n: v for n, v in parameters.items() if n in further or v != own[n].default}
    return {
        "family": family.name,
        "task": task,
        "version": family.version,
        "package": version("bias-tasks"),
        "digest": digest([family.name, family.version, task, asked, plan.later], *_asked(plan)),
        "protocol": values["protocol"],
        "data": plan.data,
        "parameters": parameters,
        "changed": changed,
        "items": len({question.item for question in plan.questions}),
        "questions": len(plan.questions),
        "notes": list(plan.notes),
        "provenance": list(plan.provenance),
    }


def figure_options(spec: TaskSpec, record: Mapping[str, Any]) -> JsonObject:
    """What a recorded run's figures depend on beside its answers."""
    alone = {FIGURES_OF: record[FIGURES_OF]} if FIGURES_OF in record else {}
    return spec.for_figures(record["parameters"]) | alone


def check_record(record: Any) -> None:
    """Raise a ValueError unless `record` is what `run_record` writes, as far as readers rely on it.

    Logs of 0.2.0 have no digest and nothing of what is added with it.
    """
    if not isinstance(record, Mapping):
        raise ValueError(f"the record of the run is no object but {type(record).__name__}")
    for name, kind in _KINDS.items():
        if not isinstance(record.get(name), kind):
            raise ValueError(f"the record of the run has no {name} that can be read")
    for name, kind in _LATER.items():
        if name in record and not isinstance(record[name], kind):
            raise ValueError(f"the record of the run has no {name} that can be read")
    if not all(isinstance(note, str) for note in record["notes"]):
        raise ValueError("the record of the run has notes that are no text")
    if not all(isinstance(source, Mapping) for source in record["provenance"]):
        raise ValueError("the record of the run has a provenance that is no list of objects")


def noted_facts(question: Question) -> JsonObject:
    """What a sample's metadata says of the question that it asks.

    The host copies, compares and writes each value several times a sample: none stands there twice,
    nor does what the sample has as its target, or the run's record says for all.
    """
    beside = {name: getattr(question, name) for name in BESIDE_FACTS}
    facts = {
        name: value
        for name, value in question.facts.items()
        if name not in beside or value != beside[name]
    }
    return {**beside, FACTS: facts}


def facts_in(metadata: Mapping[str, Any]) -> Mapping[str, Any]:
    """The facts of the question that a sample asks, from the sample's metadata.

    Logs before 0.4.0 have them beside each other there, and those before 0.7.0 some of them twice;
    samples of other tasks have none.
    """
    found = metadata.get(FACTS)
    if not isinstance(found, Mapping):
        return metadata
    return {name: metadata[name] for name in _ONCE_BESIDE if name in metadata} | dict(found)


def version_of(record: Mapping[str, Any]) -> str:
    """The task's version as hosts log it: the family's, then the digest of what is asked.

    Inspect's `eval-set` takes a log for a task's own only where their versions are the same.
    """
    return f"{record['version']}+{record['digest']}"


def _asked(plan: Plan) -> Iterator[list[Any]]:
    return (_parts(question) for question in plan.questions)


def _parts(question: Question) -> list[Any]:
    return [getattr(question, name) for name in _ASKED]
