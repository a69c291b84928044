"""`bias-tasks format-search`: the best and the worst prompt format of a task, under a budget."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from statistics import fmean
from typing import Any

import click
from inspect_ai import Task
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import Model

from bias_tasks.commands.ask import Host, ModelError, host_options, named_values
from bias_tasks.contract.family import JsonObject, Outcome
from bias_tasks.contract.record import scored_in
from bias_tasks.names import digest
from bias_tasks.probing.format_grammar import Format, pool_of, sampled_formats
from bias_tasks.probing.format_search import (
    HELD_OUT,
    PILOT,
    Scores,
    extremes,
    held_out_figures,
    mean_score,
    next_round,
    part,
)
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.plan import ProbedQuestion
from bias_tasks.prompts.templates import seeded
from bias_tasks.results.tables import (
    interval,
    number,
    numbers_alike,
    paragraph,
    print_table,
    printing,
)
from bias_tasks.solvers.probed import NOTED
from bias_tasks.statistics.estimate import Estimate, written
from bias_tasks.tasks._probe import ROUND, questions_in, round_task
from bias_tasks.tasks._probed_task import ProbedTask, load_probed

_PAIRS = {"spread": ("best", "worst")} | {f"change/{n}": (n, "plain") for n in ("best", "worst")}
_BIASED = "Differences in the search are too large: it chose the formats by its own answers."
_EXAMPLE = "Options:\nA) One\nB) Two"
_SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


@click.command("format-search", context_settings={"show_default": True})
@click.argument("task")
@click.option("--model", required=True, help="As Inspect names it.")
@named_values("--model-role", "roles", "ROLE=MODEL, as a grader.")
@named_values("-T", "parameters", "Parameter of the task.")
@click.option("--budget", type=click.IntRange(1), default=500, help="Questions asked in all.")
@click.option("--formats", type=click.IntRange(2), default=50, help="To search among, plain too.")
@click.option("--rounds", type=click.IntRange(1, 100), default=10, help="Of the search.")
@click.option("--held-out", type=_SHARE, default=0.4, help="Share of the budget for other items.")
@click.option("--seed", type=int, default=0, help="Of every draw.")
@click.option("--temperature", type=click.FloatRange(0), help="In place of the task's own.")
@click.option("--max-tokens", type=click.IntRange(1), help="Tokens that an answer may have.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table")
@host_options(log_dir="logs/formats", display="none")
def format_search(*, form: str, host: Host, **search: Any) -> None:
    """Find the prompt formats in which a model does best and worst on TASK.

    TASK is any task of Inspect with printed choices, by its registered name or as file.py@name.
    Formats are drawn from a grammar of labels, marks, separators and capitals; rounds of questions
    look for the best and the worst at once. How far the two lie apart is then measured on items
    that the search did not see (--held-out), as on its own answers it comes out too large. A log in
    --log-dir of the same round of the same search is not asked again.
    """
    with redirect_stdout(sys.stderr):  # what the host says is none of what was found
        found, figures = search_formats(search, host)
    if form == "json":
        found["held_out"] |= written(figures)
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        _print(found, figures)


def search_formats(search: Mapping[str, Any], host: Host) -> tuple[JsonObject, dict[str, Estimate]]:
    """What was searched for, by the names of the command's options, with what was found, as plain
    JSON values; and the figures on the held-out items.

    Raises:
        ModelError: the model can't be had, a round did not finish, or nothing has a score.
        ValueError: the task can't be searched in, or not with such a budget.
    """
    asked, seed = load_probed(search["task"], search["parameters"]), search["seed"]
    pool = pool_of(asked.items)
    left = search["budget"] // asked.epochs
    items, held_out = part(pool.items, left, search["held_out"], seed)
    left -= HELD_OUT * len(held_out)
    size = max(-(-(left - PILOT) // search["rounds"]), 1)
    rounds = _Rounds(search, host, asked, [*items, *held_out])
    outcomes, sent = rounds.ask(questions_in(items[:PILOT], Format()))
    prompts = [(sent[item.id], len(item.choices)) for item in items if item.id in sent]
    formats = sampled_formats(pool.formats, search["formats"], seed, prompts)
    tallies: list[Scores] = [[] for _ in formats]
    pairs = [(0, place) for place, _ in enumerate(items[:PILOT])]
    while pairs:
        scores = _scores(outcomes)
        for arm, place in pairs:
            tallies[arm].append(scores.get((formats[arm].name, items[place].id)))
        left -= len(pairs)
        rng = seeded(seed, "round", str(rounds.number))
        if pairs := next_round(tallies, len(items), min(size, left), rng):
            asking = (questions_in([items[place]], formats[arm]) for arm, place in pairs)
            outcomes, _ = rounds.ask([each for [each] in asking])
    best, worst = extremes(tallies)
    chosen = {"best": best, "worst": worst, "plain": 0}
    places = dict.fromkeys((0, best, worst))
    held = [each for arm in places for each in questions_in(held_out, formats[arm])]
    last, _ = rounds.ask(held, last=True)
    found = rounds.search | {
        "calls": rounds.calls,
        "tried": sum(map(bool, tallies)),
        **{what: _seen(formats[arm], tallies[arm]) for what, arm in chosen.items()},
        "held_out": {"items": len(held_out), "unscored": len(held) * asked.epochs - len(last)},
        "notes": [*pool.notes, *(f"without a score: {reason}" for reason in rounds.reasons)],
        "log_dir": str(host.log_dir),
    }
    return found, held_out_figures(last, formats[best].name, formats[worst].name)


def _scores(outcomes: Sequence[Outcome]) -> dict[tuple[str, str], float]:
    """The score of each item under each format, of several epochs their mean."""
    found: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for each in outcomes:
        if each.score is not None:
            found[each.variant, each.item].append(each.score)
    return {key: fmean(scores) for key, scores in found.items()}


def _seen(format_: Format, tally: Scores) -> JsonObject:
    """A format, what two options look like in it on one line, and what the search saw of it."""
    styled = _EXAMPLE if format_.style is None else format_.style.prompt(_EXAMPLE)
    looks = styled.removeprefix("Options:\n").replace("\n", "\\n").replace("\t", "\\t")
    seen = {"asked": len(tally), "mean_searched": mean_score(tally)}
    return {"name": format_.name, "looks": looks, **seen}


class _Rounds:
    """The rounds of one search: each an evaluation, or its finished log in the folder."""

    def __init__(
        self, search: Mapping[str, Any], host: Host, asked: ProbedTask, items: Sequence[ProbedItem]
    ) -> None:
        told = [(item.id, item.text, item.choices, item.target) for item in items]
        own = {"model_args": host.model_args, "base_url": host.model_base_url}
        about = {**search, **own, "items": digest(asked.epochs, *told)}
        self.search: JsonObject = json.loads(json.dumps(about, default=str))
        """What makes it the same search, as a log gives it back."""
        self.number = self.calls = 0
        self.reasons: dict[str, None] = {}
        """Why answers have no score, each once."""
        self._host, self._asked = host, asked
        self._model: Model | None = None

    def ask(
        self, questions: Sequence[ProbedQuestion], *, last: bool = False
    ) -> tuple[list[Outcome], dict[str, str]]:
        """The scored answers to the questions, and what the model was sent by the item's id.

        Raises:
            ModelError: they can't be asked, or no answer has a score.
        """
        items = {question.id: question.item.id for question in questions}
        about = {"search": self.search, "round": self.number, "asked": digest(*items)}
        finished = (each for each in self._host.logs(ROUND, about) if each.status == "success")
        log = next(finished, None)
        told = "" if log is None else ", from its log"
        click.echo(f"round {self.number}: {len(items):,} questions{told}", err=True)
        if log is None:
            log = self._run(round_task(self._asked, questions, about, last=last))
        self.number += 1
        self.calls += len(items) * self._asked.epochs
        outcomes, sent = [], {}
        for sample in read_eval_log(log.location, resolve_attachments="full").samples or []:
            if prompt := (sample.store.get(NOTED) or {}).get("prompt"):
                sent[items[str(sample.id)]] = prompt
            for score in (sample.scores or {}).values():
                if (scored := scored_in(score, sample.metadata)) is not None:
                    outcomes.append(scored.outcome)
                else:
                    self.reasons[score.explanation or "the task's scorer gave no score"] = None
        if not outcomes:
            told = f"no answer has a score ({'; '.join(self.reasons)})"
            raise ModelError(f"{told}; delete {log.location} to ask again")
        return outcomes, sent

    def _run(self, task: Task) -> EvalLog:
        host, search = self._host, self.search
        if self._model is None:  # had once: simulated models count their calls
            self._model = host.model("model", search["model"])
        settings = {name: search[name] for name in ("temperature", "max_tokens")}
        settings |= {"model_roles": search["roles"], "score_display": False}
        log = host.eval(task, self._model, **settings, **host.limits)
        host.check([log])
        return log


def _print(found: JsonObject, figures: Mapping[str, Estimate]) -> None:
    """Print the best, the worst and the plain format, and what lies between them."""
    rows: list[tuple[str, ...]] = []
    for what in ("best", "worst", "plain"):
        each, score = found[what], figures[f"score/{found[what]['name']}"]
        told = (f"{each['name'].replace('+', ' + ')}\n{each['looks']}", f"{each['asked']:,}")
        seen = (number(each["mean_searched"]), number(score.value), interval(score))
        rows.append((what, *told, *seen))
    for name, (one, other) in _PAIRS.items():
        apart = found[one]["mean_searched"] - found[other]["mean_searched"]
        here = numbers_alike(apart, figures[name].value, sign="+")
        rows.append((f"{one} - {other}", "", "", *here, interval(figures[name], "+")))
    held, numbers = found["held_out"], ("asked", "search", "held out", "interval")
    above = (
        f"{found['task']}, {found['model']}\n{found['tried']:,} formats tried, {found['calls']:,} "
        f"calls of {found['budget']:,}, {held['items']:,} items held out"
    )
    unscored = [f"{held['unscored']:,} held-out answers have no score"] if held["unscored"] else []
    notes = (_BIASED, *found["notes"], *unscored, f"logs: {found['log_dir']}")
    with printing(None) as console:
        columns = ("found", "format, two options", *numbers)
        print_table(console, columns, {above: rows}, numbers=numbers)
        paragraph(console, "\n".join(notes))
