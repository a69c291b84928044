"""A finished log of a task by itself, whose answers are those to the plain questions of its probes.

What is taken is the conversation and the score that the task's own scorer gave. A sample whose
input, choices or target are not those that would be asked, or that has an error or no score, is not
taken: its item is asked anew. A log that can't be of the same task, model and settings is refused.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import ChatMessage, GenerateConfig
from inspect_ai.scorer import Score

from bias_tasks.names import digest
from bias_tasks.solvers.inspect_host import answer_settings


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

    def __deepcopy__(self, memo: dict[int, Any]) -> PlainLog:
        """Itself: nothing in it changes."""
        return self

    def check_run(self, model: str, config: GenerateConfig, epoch: int) -> None:
        """Raise a ValueError where a run does not ask as the log's did."""
        if model != self.model:
            raise ValueError(f"plain={self.path} has answers of {self.model}, and not of {model}")
        here = answer_settings(config)
        differ = sorted(n for n in {*here, *self.config} if here.get(n) != self.config.get(n))
        if differ:
            told = (f"{n} {self.config.get(n, '-')} there, {here.get(n, '-')} here" for n in differ)
            raise ValueError(f"plain={self.path} was asked with other settings: {'; '.join(told)}")
        if epoch > 1:
            raise ValueError(f"plain={self.path} has one answer to each item: run in one epoch")

    def score_of(self, item: str) -> Score:
        """What the task's own scorer said."""
        return (self.samples[item].scores or {})[self.scorer]


def read_plain_log(
    path: str, name: str, solvers: Sequence[str], scorer: str, samples: Mapping[str, Sample]
) -> PlainLog:
    """The answers that a log has to the samples.

    Args:
        path: of the log.
        name: of the probed task.
        solvers: the logged names of its solvers.
        scorer: the name of its scorer.
        samples: those that would be asked, by the ids of their items.

    Raises:
        ValueError: it is no finished log of the task's, or has none of the answers.
    """
    log = _read(path)
    _check(log, path, name, solvers)
    kept: dict[str, EvalSample] = {}
    reasons: Counter[str] = Counter()
    there = {str(each.id): each for each in log.samples or ()}
    alike = {_asked(each): each for each in log.samples or ()}
    for item, sample in samples.items():
        # The host numbers samples that have no ids.
        found = alike.get(_asked(sample)) if sample.id is None else there.get(item)
        reason = "not in the log" if found is None else _unfit(found, sample, scorer)
        if found is None or reason is not None:
            reasons[str(reason)] += 1
        else:
            kept[item] = found
    told = ", ".join(f"{count:,} {reason}" for reason, count in reasons.most_common())
    if not kept:
        raise ValueError(f"plain={path}: none of the answers can be taken ({told or 'no items'})")
    notes = [f"the plain answers of {len(kept):,} items are those of {path}, as scored there"]
    if reasons:
        notes.append(f"asked anew, for their answers there can't be taken: {told}")
    config = answer_settings(log.plan.config)
    return PlainLog(path, log.eval.model, config, kept, scorer, tuple(notes))


def _read(path: str) -> EvalLog:
    if not Path(path).is_file():
        raise ValueError(f"plain={path!r}: there is no such file")
    try:
        return read_eval_log(path, resolve_attachments="full")
    except Exception as error:  # a broken file makes its readers raise whatever they like
        line = next(iter(str(error).strip().splitlines()), "")
        told = f"{type(error).__name__}: {line[:200]}"
        raise ValueError(f"plain={path!r} can't be read as an Inspect log ({told})") from error


def _check(log: EvalLog, path: str, name: str, solvers: Sequence[str]) -> None:
    """Raise a ValueError unless it is a finished log of the task's, with one answer an item."""
    own = name.rpartition("@")[2]
    if own.rpartition("/")[2] != log.eval.task.rpartition("/")[2]:
        raise ValueError(f"plain={path} is of the task {log.eval.task}, and not of {name}")
    if log.status != "success":
        raise ValueError(
            f"plain={path} did not finish (status {log.status}): `inspect eval-retry` goes on"
        )
    epochs = log.eval.config.epochs or 1
    if epochs > 1:
        raise ValueError(f"plain={path} has {epochs} epochs: give a log with one answer an item")
    asked = [step.solver for step in log.plan.steps]
    if asked != list(solvers):
        raise ValueError(
            f"plain={path} was asked by other solvers: {', '.join(asked)} there, "
            f"{', '.join(solvers)} here"
        )


def _unfit(found: EvalSample, sample: Sample, scorer: str) -> str | None:
    """Why an answer can't be taken; None where it can."""
    if found.error is not None:
        return "with an error"
    if _told(found.input) != _told(sample.input):
        return "with another input"
    if list(found.choices or ()) != list(sample.choices or ()):
        return "with other choices"
    if found.target != sample.target:
        return "with another target"
    score = (found.scores or {}).get(scorer)
    unscored = score is None or (isinstance(score.value, float) and math.isnan(score.value))
    return "without a score" if unscored else None


def _asked(sample: Sample | EvalSample) -> str:
    """A sample by what it asks."""
    return digest(_told(sample.input), list(sample.choices or ()), sample.target)


def _told(given: str | Iterable[ChatMessage]) -> Any:
    """An input without what the host adds to each message, such as ids."""
    if isinstance(given, str):
        return given
    return [(each.role, each.model_dump(mode="json")["content"]) for each in given]
