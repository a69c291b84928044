"""What a run says of itself, the same in either host's log: its record, the digest of all that it
asks, by which it is known since files and templates may change, how many calls it makes, what each
answer came to, and a notice where many were unread."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from bias_tasks.contract.family import Family, JsonObject, Outcome, Plan, Question
from bias_tasks.contract.parameters import of_whole_run
from bias_tasks.data.files import read_yaml
from bias_tasks.data.tables import FACT as FURTHER
from bias_tasks.names import digest
from bias_tasks.parsing.parsed_answer import UnparsedReason

RECORD = "bias_tasks"
"""The name under which a run of ours stands in its log's metadata, in either host."""
FIGURES = "figures"
"""Where in the record a results file of the LM Evaluation Harness has every figure of the run."""
FIGURES_OF = "figures_of"
"""The variant that a run has figures of, where it scores one variant only."""
PROBED = "bias_tasks_probe"
"""Where a sample of another task has the facts of how a probe asks it."""
FACTS = "facts"
"""Where a sample of Inspect has its question's facts as JSON, beside what every family's have."""
BESIDE_FACTS = ("item", "cluster", "variant")
"""Facts that stand beside these, and among them only where they differ."""
_ASKED = ("id", "item", "cluster", "variant", "prompt", "gold", "facts", "schema", "repeats")
"""What of a question reaches the model, the reader or the figures."""


def run_record(
    family: Family,
    task: str,
    values: Mapping[str, Any],
    plan: Plan,
    handed_on: Mapping[str, Any] | None = None,
) -> JsonObject:
    """What the log of a run of a family's task says of it, as plain JSON values.

    Parameters are those of the task itself and, `handed_on`, of another one that it asks; `changed`
    are those whose value is not the default. The digest is the whole run's, whichever part of it is
    asked (`shards`).
    """
    own = {each.name: each for each in family.tasks[task].parameters}
    further = dict(handed_on or {})
    parameters = {name: values[name] for name in own if name in values} | further
    asked = of_whole_run(parameters)
    changed = {n: v for n, v in parameters.items() if n in further or v != own[n].default}
    questions = ([getattr(each, name) for name in _ASKED] for each in plan.questions)
    return {
        "family": family.name,
        "task": task,
        "version": family.version,
        "package": version("bias-tasks"),
        "digest": digest([family.name, family.version, task, asked, plan.later], *questions),
        "protocol": values["protocol"],
        "data": plan.data,
        "parameters": parameters,
        "changed": changed,
        "items": len({question.item for question in plan.questions}),
        "questions": len(plan.questions),
        "notes": list(plan.notes),
        "provenance": list(plan.provenance),
    }


def noted_facts(question: Question) -> JsonObject:
    """What a sample's metadata says of the question that it asks.

    The host copies and writes each value several times a sample. So facts are one text, JSON as in
    a document of the LM Evaluation Harness; the columns of a user's own file stand beside them.
    """
    facts = dict(question.facts)
    beside = {name: getattr(question, name) for name in BESIDE_FACTS}
    beside |= {FURTHER: facts.pop(FURTHER)} if FURTHER in facts else {}
    apart = {n: v for n, v in facts.items() if n not in beside or v != beside[n]}
    return {**beside, FACTS: json.dumps(apart, ensure_ascii=False, separators=(",", ":"))}


def facts_in(metadata: Mapping[str, Any]) -> Mapping[str, Any]:
    """The facts of the question that a sample asks, from its metadata; of another task's sample all
    of its metadata."""
    if PROBED in metadata:
        probed: Mapping[str, Any] = metadata[PROBED]
        return probed
    if not all(name in metadata for name in (*BESIDE_FACTS, FACTS)):
        return metadata
    beside = {name: metadata[name] for name in (*BESIDE_FACTS, FURTHER) if name in metadata}
    return {**beside, **json.loads(metadata[FACTS])}


def version_of(record: Mapping[str, Any]) -> str:
    """The task's version as hosts log it, and Inspect's `eval-set` knows its logs by: the family's,
    then the digest of what is asked."""
    return f"{record['version']}+{record['digest']}"


MANY = 2000
"""More calls than this are said at the start of a run."""


def calls_of(family: Family, plan: Plan) -> Counter[str | None]:
    """The calls of a plan by the model role that is asked; None is the model itself."""
    return Counter(
        request.role for question in plan.questions for request in family.requests(question, "")
    )


def many_calls(task: str, calls: int) -> str | None:
    """What to say at the start of a run of a task; None where it makes few calls."""
    told = (
        f"{calls:,} calls unless --limit says otherwise; `n=...` asks fewer, and `bias-tasks plan "
        f"{task}` tells cost and precision beforehand"
    )
    return told if calls > MANY else None


_OUTCOME = "outcome"


@dataclass(frozen=True, slots=True)
class Scored:
    """What an answer came to, and in which run."""

    family: str
    """The name of the family that read it."""
    outcome: Outcome
    asked: str | None = None
    """Digest of what the run asks; None where its task isn't ours."""

    def metadata(self, beside: Mapping[str, Any] | None = None) -> JsonObject:
        """The metadata of its score, without what score and sample say already (`told_beside`).

        One object, and no text at the top, which Inspect would wrap anew for each of its summaries.
        """
        known, told = beside or {}, self.outcome.to_dict().items()
        own = {name: value for name, value in told if name not in known or known[name] != value}
        return {_OUTCOME: {"family": self.family, "asked": self.asked, **own}}


def told_beside(score: Any, metadata: Mapping[str, Any] | None) -> JsonObject:
    """What a score of Inspect and its sample's metadata say of an outcome, by its fields' names."""
    noted = metadata or {}
    return {
        **{name: noted[name] for name in BESIDE_FACTS if name in noted},
        "score": score.value if isinstance(score.value, float) else None,
        "answer": score.answer,
        "why": score.explanation or "",
        "reason": score.reason,
        "span": None,
        "epoch": 1,
        "own": {},
        "level": None,
        "unparsed_reason": None,
    }


def scored_in(score: Any, metadata: Mapping[str, Any] | None) -> Scored | None:
    """What a score of Inspect says of an answer, None where it isn't ours; `metadata` are those of
    its sample. A KeyError where an outcome lacks a value."""
    told = (score.metadata or {}).get(_OUTCOME)
    if not isinstance(told, Mapping) or "family" not in told:
        return None
    outcome = Outcome.from_dict({**told_beside(score, metadata), **told})
    return Scored(told["family"], outcome, told.get("asked"))


MOST = 0.1
"""The share of unread answers above which a run says so."""


_CAUSES: Mapping[str, str] = {
    UnparsedReason.TRUNCATED.code: "cut",
    UnparsedReason.UNFINISHED_REASONING.code: "cut",
    UnparsedReason.RUNS_ON.code: "goes_on",
    UnparsedReason.ECHO.code: "goes_on",
    UnparsedReason.REFUSAL.code: "refused",
}


def cause(outcome: Outcome) -> str:
    """What an unread answer was, as far as its outcome tells: a key of `unread.yaml`."""
    reasons = {"refusal": "refused", "no_response": "empty"}
    by_reason = reasons.get(outcome.reason or "", "other")
    return _CAUSES.get(outcome.unparsed_reason or "", by_reason)


def unread_notice(family: Family, outcomes: Sequence[Outcome]) -> str | None:
    """What to say at the end of a run with more than `MOST` of its answers unread; else None.

    Where a family measures the form of answers, one in another form is a finding and no problem.
    """
    causes = Counter(cause(outcome) for outcome in outcomes if outcome.answer is None)
    if family.measures_form:
        del causes["other"]
    if causes.total() <= MOST * len(outcomes):
        return None
    known = read_yaml(__package__, "unread")
    frequent = [(count, known[each]) for each, count in causes.most_common()]
    listed = ", ".join(f"{count} {each['were']}" for count, each in frequent)
    return (
        f"{causes.total()} of {len(outcomes)} answers could not be read: {listed}. What helps most "
        f"likely: {frequent[0][1]['advice']}."
    )
