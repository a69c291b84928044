"""A search asked of a model, round by round, through the host's own evaluation."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from bias_tasks.commands.format_search.found import Found
from bias_tasks.commands.format_search.logs import (
    Answered,
    SearchError,
    finished_rounds,
    read_round,
)
from bias_tasks.family import JsonObject, Outcome
from bias_tasks.names import digest
from bias_tasks.probing.format_grammar import Format, pool_of, sampled_formats
from bias_tasks.probing.format_search import (
    PILOT,
    Batch,
    Parted,
    Tally,
    extremes,
    held_out_figures,
    next_round,
    part,
)
from bias_tasks.probing.plan import ProbedQuestion
from bias_tasks.prompts.seeded import seeded
from bias_tasks.tasks._format_round import Searched, questions_in, round_task, searched

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is searched for, all of it part of the search's identity."""

    task: str
    parameters: Mapping[str, Any]
    model: str
    budget: int
    formats: int
    rounds: int
    held_out: float
    seed: int


@dataclass(frozen=True, slots=True)
class Asking:
    """How the host asks."""

    model_args: Mapping[str, Any] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    base_url: str | None = None
    connections: int | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    display: str = "none"

    @property
    def identity(self) -> JsonObject:
        """What of it may change an answer."""
        return {
            "model_args": dict(self.model_args),
            "roles": dict(self.roles),
            "base_url": self.base_url,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
        }


def search_formats(wanted: Wanted, asking: Asking, log_dir: Path, tell: Tell) -> Found:
    """Search a task's formats; what a log in the folder holds already is not asked again.

    Args:
        wanted: what is searched for.
        asking: how the model is asked.
        log_dir: where the logs are kept, one a round.
        tell: is told what goes on, in lines.

    Raises:
        SearchError: the model can't be had, a round did not finish, or the folder holds another
            search.
        ValueError: the task can't be searched in, or not with such a budget.
    """
    of = searched(wanted.task, wanted.parameters)
    pool = pool_of(of.items)
    parted = part(pool.items, wanted.budget, wanted.held_out, of.epochs, wanted.seed)
    asked = [(item.id, item.text, item.choices, item.target) for item in pool.items]
    identity = {
        "task": wanted.task,
        "parameters": dict(wanted.parameters),
        "model": wanted.model,
        **asking.identity,
        **{name: getattr(wanted, name) for name in ("budget", "formats", "rounds", "held_out")},
        "seed": wanted.seed,
        "items": digest(of.epochs, *asked),
    }
    search = json.loads(json.dumps(identity, default=str))  # as a log gives it back
    rounds = _Rounds(of, search, asking, wanted.model, log_dir, tell)
    for note in pool.notes:
        tell(note)
    pilot = parted.search[:PILOT]
    first = rounds.ask(questions_in(pilot, Format()), "the plain format, to see its prompts")
    prompts = [
        (first.prompts[question.id], len(question.item.choices))
        for question in questions_in(pilot, Format())
        if question.id in first.prompts
    ]
    if not prompts or not first.outcomes:
        why = "; ".join(first.reasons) or "the task's solvers put no prompt to the model"
        raise SearchError(
            f"none of {len(pilot)} items asked plain has a score ({why}): the same command goes on "
            f"from their log in {log_dir}, a new --log-dir asks them again"
        )
    formats = sampled_formats(pool, wanted.formats, wanted.seed, prompts)
    if len(formats) < wanted.formats:
        tell(f"{len(formats):,} formats are all that the task's prompts can be put into")
    tallies = _searched(wanted, parted, formats, rounds, len(pilot), first)
    best, worst = _chosen(tallies, rounds)
    chosen = dict.fromkeys((Format(), formats[best], formats[worst]))
    held = [each for format_ in chosen for each in questions_in(parted.held_out, format_)]
    last = rounds.ask(held, "the held-out items, in the plain, best and worst format", last=True)
    return Found(
        wanted=wanted,
        formats=tuple(formats),
        tallies=tuple(tallies),
        best=best,
        worst=worst,
        calls=rounds.calls,
        held_out=held_out_figures(last.outcomes, formats[best].name, formats[worst].name),
        items=len(parted.held_out),
        unscored=len(held) * of.epochs - len(last.outcomes),
        notes=(*pool.notes, *(f"without a score: {reason}" for reason in rounds.reasons)),
        log_dir=log_dir,
    )


def _searched(
    wanted: Wanted,
    parted: Parted,
    formats: Sequence[Format],
    rounds: _Rounds,
    pilot: int,
    first: Answered,
) -> list[Tally]:
    """What was answered in every format once the search's calls are spent."""
    items, epochs = parted.search, rounds.of.epochs
    tallies = [Tally() for _ in formats]
    _learn(tallies, formats, items, [Batch(0, 0, pilot)], first.outcomes)
    size = parted.per_round(wanted.rounds, epochs)
    while True:
        left = parted.searching // epochs - sum(tally.asked for tally in tallies)
        rng = seeded(wanted.seed, "round", str(rounds.next))
        batches = next_round(tallies, len(items), min(size, left), rng)
        if not batches:
            return tallies
        questions = [
            question
            for each in batches
            for question in questions_in(items[each.begin : each.end], formats[each.arm])
        ]
        found = rounds.ask(questions, f"{len({each.arm for each in batches})} formats")
        _learn(tallies, formats, items, batches, found.outcomes)


def _learn(
    tallies: Sequence[Tally],
    formats: Sequence[Format],
    items: Sequence[Any],
    batches: Sequence[Batch],
    outcomes: Sequence[Outcome],
) -> None:
    """Take in a round's answers, of several epochs the mean of an item's."""
    scores: dict[tuple[str, str], list[float]] = {}
    for each in outcomes:
        if each.score is not None:
            scores.setdefault((each.variant, each.item), []).append(each.score)
    for batch in batches:
        name = formats[batch.arm].name
        found = [scores.get((name, item.id)) for item in items[batch.begin : batch.end]]
        tallies[batch.arm].add([sum(each) / len(each) if each else None for each in found])


def _chosen(tallies: Sequence[Tally], rounds: _Rounds) -> tuple[int, int]:
    try:
        return extremes(tallies)
    except ValueError as error:
        why = f" ({'; '.join(rounds.reasons)})" if rounds.reasons else ""
        raise SearchError(f"{error}{why}") from error


@dataclass(slots=True)
class _Rounds:
    """The rounds of one search, from its logs where they are finished."""

    of: Searched
    search: JsonObject
    asking: Asking
    model: str
    log_dir: Path
    tell: Tell
    next: int = 0
    calls: int = 0
    reasons: list[str] = field(default_factory=list)
    _finished: dict[int, str] = field(init=False)
    _asked: Any = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._finished = finished_rounds(self.log_dir, self.search)

    def ask(
        self, questions: Sequence[ProbedQuestion], what: str, *, last: bool = False
    ) -> Answered:
        """What questions are answered, asked if no log has them."""
        number, ids = self.next, [question.id for question in questions]
        self.next += 1
        log = self._finished.get(number)
        again = "" if log is None else ", from its log"
        self.tell(f"round {number}: {len(ids):,} questions, {what}{again}")
        found = self._put(number, questions, last) if log is None else read_round(log, ids)
        self.calls += len(ids) * self.of.epochs
        self.reasons += [reason for reason in found.reasons if reason not in self.reasons]
        return found

    def _put(self, number: int, questions: Sequence[ProbedQuestion], last: bool) -> Answered:
        from inspect_ai import eval as inspect_eval

        about = {"search": self.search, "round": number}
        with _refusals_told():
            [log] = inspect_eval(
                round_task(self.of, questions, about, last=last),
                model=self._model(),
                model_roles=dict(self.asking.roles) or None,
                log_dir=str(self.log_dir),
                display=self.asking.display,  # type: ignore[arg-type]
                max_connections=self.asking.connections,
                temperature=self.asking.temperature,
                max_tokens=self.asking.max_tokens,
                score_display=False,
            )
        if log.status != "success":
            why = "" if log.error is None else f": {' '.join(log.error.message.split())[:300]}"
            raise SearchError(
                f"round {number} did not finish ({log.status}){why}. The same command goes on "
                f"where it stopped; the log says more (`inspect view --log-dir {self.log_dir}`)"
            )
        # As it will be read the next time: samples in memory hold attachments apart.
        return read_round(log.location, [question.id for question in questions])

    def _model(self) -> Any:
        """The model, had once: simulated ones count their calls."""
        from inspect_ai.model import get_model

        if self._asked is None:
            # Registers the simulated respondents, as the entry point does where it is installed.
            import_module("bias_tasks._registry")
            try:
                with _refusals_told():
                    self._asked = get_model(
                        self.model, base_url=self.asking.base_url, **self.asking.model_args
                    )
            except (ImportError, ValueError) as error:
                raise SearchError(" ".join(str(error).split())) from error
        return self._asked


@contextmanager
def _refusals_told() -> Iterator[None]:
    """What the host refuses is an error of the search, in one line and without its markup."""
    from inspect_ai._util.error import (
        PrerequisiteError,  # inspect-evals-lint: ignore[IECQ001] -- no public name
    )
    from rich.markup import render

    try:
        yield
    except PrerequisiteError as error:
        raise SearchError(" ".join(render(str(error.message)).plain.split())) from error
