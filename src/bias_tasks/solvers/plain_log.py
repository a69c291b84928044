"""A finished log of a task by itself, whose answers are those to the plain questions of its probes.

What is taken is the conversation and the score. An item of which the log has no such sample, or one
with an error or without a score, is asked anew. A log of another task or model, or of other
settings, is refused.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import Score, Scorer

from bias_tasks.names import digest
from bias_tasks.solvers.inspect_host import answer_settings, registry_unqualified_name


@dataclass(frozen=True, slots=True)
class PlainLog:
    """The answers to plain questions in a log, by the ids of their items."""

    path: str
    model: str
    config: Mapping[str, Any]
    """Settings of generation that matter to an answer."""
    samples: Mapping[str, EvalSample]
    scorer: str
    """The name under which the score that counts stands in a sample."""
    notes: tuple[str, ...] = ()
    """How many items are not taken, and why."""

    def __contains__(self, item: str) -> bool:
        return item in self.samples

    def __deepcopy__(self, memo: dict[int, Any]) -> "PlainLog":
        """Itself: nothing in it changes."""
        return self

    def check_run(self, model: str, config: GenerateConfig, epoch: int) -> None:
        """Raise a ValueError where a run does not ask as the log's did."""
        if model != self.model:
            raise ValueError(f"plain={self.path} has answers of {self.model}, and not of {model}")
        here, there = answer_settings(config), self.config
        differ = sorted(name for name in {*here, *there} if here.get(name) != there.get(name))
        told = (f"{n} {there.get(n, '-')} there, {here.get(n, '-')} here" for n in differ)
        if differ:
            raise ValueError(f"plain={self.path} was asked with other settings: {'; '.join(told)}")
        if epoch > 1:
            raise ValueError(f"plain={self.path} has one answer to each item: run in one epoch")

    def score_of(self, item: str) -> Score:
        """What the task's own scorer said."""
        return (self.samples[item].scores or {})[self.scorer]


def read_plain_log(
    path: str, name: str, solvers: Sequence[str], scorer: Scorer, samples: Mapping[str, Sample]
) -> PlainLog:
    """The answers that a log has to the samples that would be asked, by the ids of their items. A
    ValueError where it is no finished log of the probed task (whose solvers have the names of logs
    here), or has none of the answers."""
    try:
        log = read_eval_log(path, resolve_attachments="full")
    except Exception as error:  # a broken file makes its readers raise whatever they like
        told = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        raise ValueError(f"plain={path!r} can't be read as an Inspect log ({told})") from error
    if refused := _refused(log, name, list(solvers)):
        raise ValueError(f"plain={path} {refused}")
    known = {_asked(s, name): s for s in log.samples or () for name in (None, s.id)}
    scored_by = registry_unqualified_name(scorer)
    found = {item: known.get(_asked(sample, sample.id)) for item, sample in samples.items()}
    unfit = {item: _unfit(each, scored_by) for item, each in found.items()}
    kept = {item: each for item, each in found.items() if each and unfit[item] is None}
    reasons = Counter(reason for reason in unfit.values() if reason is not None)
    told = ", ".join(f"{count:,} {reason}" for reason, count in reasons.most_common())
    if not kept:
        raise ValueError(f"plain={path}: none of the answers can be taken ({told or 'no items'})")
    notes = [f"the plain answers of {len(kept):,} items are those of {path}, as scored there"]
    notes += [f"asked anew, for their answers there can't be taken: {told}"] * bool(reasons)
    config = answer_settings(log.plan.config)
    return PlainLog(path, log.eval.model, config, kept, scored_by, tuple(notes))


def _refused(log: EvalLog, name: str, solvers: list[str]) -> str | None:
    """Why it is no finished log of the task's with one answer an item; None where it is."""
    own, epochs = name.rpartition("@")[2], log.eval.config.epochs or 1
    asked = [step.solver for step in log.plan.steps]
    if own.rpartition("/")[2] != log.eval.task.rpartition("/")[2]:
        return f"is of the task {log.eval.task}, and not of {name}"
    if log.status != "success":
        return f"did not finish (status {log.status}): `inspect eval-retry` goes on"
    if epochs > 1:
        return f"has {epochs} epochs: give a log with one answer an item"
    if asked != solvers:
        return f"was asked by other solvers: {', '.join(asked)} there, {', '.join(solvers)} here"
    return None


def _unfit(found: EvalSample | None, scorer: str) -> str | None:
    """Why an answer can't be taken; None where it can."""
    if found is None:
        return "not in the log with this input, choices and target"
    if found.error is not None:
        return "with an error"
    score = (found.scores or {}).get(scorer)
    unscored = score is None or (isinstance(score.value, float) and math.isnan(score.value))
    return "without a score" if unscored else None


def _asked(sample: Sample | EvalSample, name: int | str | None) -> str:
    """What a sample of that id asks, without what the host adds to each message, such as ids; the
    host numbers samples that have no ids."""
    given: Any = sample.input
    if not isinstance(given, str):
        given = [(each.role, each.model_dump(mode="json")["content"]) for each in given]
    return digest(name if name is None else str(name), given, sample.choices or [], sample.target)
