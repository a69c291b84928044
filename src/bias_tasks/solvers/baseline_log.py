"""A finished log of the probed task, whose answers are reused for the baseline prompts.

A run reuses the conversation and the score. It prompts the model for items without a sample in the
log, and for items whose sample has an error or no score. A log of another task or model, or with
other settings, is an error.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import Score, Scorer

from bias_tasks.data.errors import DataError
from bias_tasks.data.log_size import check_log_size
from bias_tasks.names import digest
from bias_tasks.solvers.inspect_api import answer_settings, registry_unqualified_name


@dataclass(frozen=True, slots=True)
class BaselineLog:
    """The baseline answers in a log, by the ids of their items."""

    path: str
    model: str
    config: Mapping[str, object]
    """Settings of generation on which answers depend."""
    samples: Mapping[str, EvalSample]
    scorer: str
    """Name of the score that counts in a sample."""
    notes: tuple[str, ...] = ()
    """How many items' answers are not reused, and why."""

    def __contains__(self, item: str) -> bool:
        return item in self.samples

    def __deepcopy__(self, memo: dict[int, object]) -> "BaselineLog":
        """Return the same object, since it never changes."""
        return self

    def check_run(self, model: str, config: GenerateConfig, epoch: int) -> None:
        """Raise a ValueError if a run's model, settings or epochs differ from the log's."""
        if model != self.model:
            raise ValueError(
                f"baseline_log={self.path} has answers of {self.model}, not of {model}: omit it"
            )
        settings = answer_settings(config)
        differences = [
            f"{name} {self.config.get(name, '-')} in the log, {settings.get(name, '-')} in the run"
            for name in sorted({*settings, *self.config})
            if settings.get(name) != self.config.get(name)
        ]
        if differences:
            raise ValueError(
                f"baseline_log={self.path} has other settings: {'; '.join(differences)}; use "
                "these, or omit it"
            )
        if epoch > 1:
            raise ValueError(
                f"baseline_log={self.path} has one answer per item: run with one epoch"
            )

    def find_score(self, item: str) -> Score:
        """Return the score of the task's own scorer."""
        return (self.samples[item].scores or {})[self.scorer]


def read_baseline_log(
    path: str, name: str, solvers: Sequence[str], scorer: Scorer, samples: Mapping[str, Sample]
) -> BaselineLog:
    """Return the answers that a log has to the samples of a run.

    Args:
        path: The log.
        name: Name of the probed task.
        solvers: Names of its solvers, as logs have them.
        scorer: Its scorer.
        samples: Its samples by the ids of their items.

    Raises:
        ValueError: It is not a finished log of the task, or it has none of the answers.
    """
    try:
        if Path(path).is_file():
            check_log_size(Path(path))
        log = read_eval_log(path, resolve_attachments="full")
    except DataError as error:
        raise ValueError(f"baseline_log={path!r}: {error}") from error
    except Exception as error:  # no reader has a common error for broken files
        message = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
        raise ValueError(
            f"baseline_log={path!r} cannot be read as an Inspect log ({message})"
        ) from error
    if mismatch := _find_mismatch(log, name, list(solvers)):
        raise ValueError(f"baseline_log={path} {mismatch}")
    by_content = {
        _content_digest(sample, sample_id): sample
        for sample in log.samples or ()
        for sample_id in (None, sample.id)
    }
    scorer_name = registry_unqualified_name(scorer)
    kept: dict[str, EvalSample] = {}
    reasons: Counter[str] = Counter()
    for item, sample in samples.items():
        logged = by_content.get(_content_digest(sample, sample.id))
        reason = _reason_not_to_reuse(logged, scorer_name)
        if logged is not None and reason is None:
            kept[item] = logged
        elif reason is not None:
            reasons[reason] += 1
    counts = ", ".join(f"{count:,} {reason}" for reason, count in reasons.most_common())
    if not kept:
        raise ValueError(
            f"baseline_log={path}: none of the answers can be reused ({counts or 'no items'}); "
            "omit it, or give another log"
        )
    notes = [f"the baseline answers of {len(kept):,} items, and their scores, are from {path}"]
    if reasons:
        notes.append(
            f"items that are prompted since their logged answers cannot be reused: {counts}"
        )
    config = answer_settings(log.plan.config)
    return BaselineLog(path, log.eval.model, config, kept, scorer_name, tuple(notes))


def _find_mismatch(log: EvalLog, name: str, solvers: list[str]) -> str | None:
    """Return why it is not a finished log of the task with one answer per item, None if it is."""
    task_name, epochs = name.rpartition("@")[2], log.eval.config.epochs or 1
    logged_solvers = [step.solver for step in log.plan.steps]
    if task_name.rpartition("/")[2] != log.eval.task.rpartition("/")[2]:
        return f"is of the task {log.eval.task}, and not of {name}"
    if log.status != "success":
        return f"did not finish (status {log.status}): resume it with `inspect eval-retry`"
    if epochs > 1:
        return f"has {epochs} epochs: give a log with one answer per item"
    if logged_solvers != solvers:
        return (
            f"has other solvers: {', '.join(logged_solvers)} in the log, {', '.join(solvers)} in "
            "the run"
        )
    return None


def _reason_not_to_reuse(sample: EvalSample | None, scorer: str) -> str | None:
    """Return why an answer cannot be reused, None if it can."""
    if sample is None:
        return "not in the log with this input, choices and target"
    if sample.error is not None:
        return "with an error"
    score = (sample.scores or {}).get(scorer)
    if score is None or (isinstance(score.value, float) and math.isnan(score.value)):
        return "without a score"
    return None


def _content_digest(sample: Sample | EvalSample, sample_id: int | str | None) -> str:
    """Return a digest of a sample's content under an id.

    It ignores what Inspect adds to messages, such as their ids. The id is a parameter since Inspect
    numbers samples without one.
    """
    content: Any = sample.input
    if not isinstance(content, str):
        content = [
            (message.role, message.model_dump(mode="json")["content"]) for message in content
        ]
    text_id = None if sample_id is None else str(sample_id)
    return digest(text_id, content, sample.choices or [], sample.target)
