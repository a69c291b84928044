"""The rounds of a search as its logs hold them: what is asked already is not asked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bias_tasks.family import JsonObject, Outcome
from bias_tasks.record import scored_in
from bias_tasks.tasks._format_round import ROUND

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog


class SearchError(Exception):
    """A search that can't be made or did not finish; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A round that was asked."""

    asked: int
    """Questions, each of which was put once in every epoch."""
    outcomes: tuple[Outcome, ...]
    """Of the answers with a score."""
    prompts: Mapping[str, str]
    """What a model was sent, by the question's id; of those that were put."""
    reasons: tuple[str, ...]
    """Why answers have no score, each once."""


def finished_rounds(folder: Path, search: JsonObject) -> dict[int, str]:
    """The logs of a search's finished rounds in a folder, by their number.

    Raises:
        SearchError: the folder holds another search.
    """
    from inspect_ai.log import list_eval_logs

    if not folder.is_dir():
        return {}
    found: dict[int, str] = {}
    for info in list_eval_logs(str(folder), recursive=False, descending=False):
        log = _header(info.name)
        about = None if log is None else (log.eval.metadata or {}).get(ROUND)
        if log is None or not isinstance(about, Mapping):
            continue
        _check_same(folder, about.get("search"), search)
        if log.status == "success":
            found.setdefault(about["round"], info.name)
    return found


def read_round(name: str, ids: Sequence[str]) -> Answered:
    """What a finished round was answered.

    Args:
        name: of its log, as the host lists it.
        ids: of the questions that the search asks in this round.

    Raises:
        SearchError: the log is of other questions.
    """
    from inspect_ai.log import read_eval_log

    return answered(read_eval_log(name, resolve_attachments="full"), ids)


def answered(log: EvalLog, ids: Sequence[str]) -> Answered:
    """What a round was answered; see `read_round`."""
    from bias_tasks.solvers.probed import NOTED

    samples = log.samples or []
    if {str(sample.id) for sample in samples} != set(ids):
        raise SearchError(
            f"{log.location} holds other questions than this search asks there: bias-tasks changed "
            "since, or the log of an earlier round is gone. Give another --log-dir"
        )
    outcomes, reasons = [], []
    for sample in samples:
        for score in (sample.scores or {}).values():
            found = scored_in(score.metadata)
            if found is not None:
                outcomes.append(found.outcome)
            else:
                reasons.append(score.explanation or "the task's scorer gave no score")
    prompts = {str(each.id): (each.store.get(NOTED) or {}).get("prompt", "") for each in samples}
    return Answered(
        asked=len(ids),
        outcomes=tuple(outcomes),
        prompts={name: prompt for name, prompt in prompts.items() if prompt},
        reasons=tuple(dict.fromkeys(reasons)),
    )


def _header(name: str) -> EvalLog | None:
    """A log without its samples; None for a file that was cut short, whose round is asked again."""
    from inspect_ai.log import read_eval_log

    try:
        return read_eval_log(name, header_only=True)
    except Exception:  # noqa: BLE001 - a cut file breaks its readers in no closed list of ways
        return None


def _check_same(folder: Path, stored: Any, search: JsonObject) -> None:
    stored = stored if isinstance(stored, Mapping) else {}
    differing = sorted(k for k in {**stored, **search} if stored.get(k) != search.get(k))
    if differing:
        told = ", ".join(f"{k} {stored.get(k)!r} instead of {search.get(k)!r}" for k in differing)
        raise SearchError(
            f"{folder} holds another search, with {told}: give another --log-dir, or the arguments "
            "of that search to go on with it"
        )
