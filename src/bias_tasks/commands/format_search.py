"""`bias-tasks format-search`: the best and the worst prompt format of a task, under a budget."""

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any

import click
from inspect_ai import task_with
from inspect_ai.log import read_eval_log
from inspect_ai.model import Model

from bias_tasks.commands.asking.ask import Host, ModelError, host_options, named_values
from bias_tasks.contract.family import JsonObject, Outcome
from bias_tasks.contract.record import scored_in
from bias_tasks.names import digest
from bias_tasks.probing import format_search as searching
from bias_tasks.probing.format_grammar import Format, sampled_formats, searchable
from bias_tasks.probing.plan import ProbedQuestion
from bias_tasks.prompts.templates import seeded
from bias_tasks.results.tables import interval, numbers_alike, paragraph, print_table, printing
from bias_tasks.solvers.probed import NOTED
from bias_tasks.statistics.estimate import Estimate, written
from bias_tasks.tasks._probe import ROUND, questions_in, round_task
from bias_tasks.tasks._probed_task import ProbedTask, load_probed


@click.command("format-search", context_settings={"show_default": True})
@click.argument("task")
@click.option("--model", required=True, help="As Inspect names it.")
@named_values("--model-role", "roles", "ROLE=MODEL, as a grader.")
@named_values("-T", "parameters", "Parameter of the task.")
@click.option("--budget", type=click.IntRange(1), default=500, help="Questions asked in all.")
@click.option("--formats", type=click.IntRange(2), default=50, help="To search among, plain too.")
@click.option("--seed", type=int, default=0, help="Of every draw.")
@click.option("--max-tokens", type=click.IntRange(1), help="Tokens that an answer may have.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table")
@host_options(log_dir="logs/formats", display="none")
def format_search(*, form: str, host: Host, **search: Any) -> None:
    """Find the prompt formats in which a model does best and worst on TASK.

    TASK is any task of Inspect with printed choices, by its registered name or as file.py@name.
    Formats are drawn from a grammar of labels, marks and separators; rounds of questions look for
    the best and the worst at once. How far the two lie apart is then measured on items that the
    search did not see, as on its own answers it comes out too large. A log in --log-dir of the same
    round of the same search is not asked again.
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
    JSON values; and the figures on the held-out items. A ModelError or a ValueError says why the
    model can't be asked, or the task not be searched in."""
    asked, seed = load_probed(search["task"], search["parameters"]), search["seed"]
    task_with(asked.task, epochs=1)  # in place: each question is asked once
    fit, grammar, notes = searchable(asked.items)
    items, held_out = searching.part(fit, search["budget"], seed)
    told = [(item.id, item.text, item.choices, item.target) for item in (*items, *held_out)]
    own = {"model_args": host.model_args, "base_url": host.model_base_url, "items": digest(*told)}
    about = json.loads(json.dumps({**search, **own}, default=str))  # as a log gives it back
    rounds = _Rounds(host, asked, host.model("model", search["model"]), about)
    pilot = questions_in(items[: searching.PILOT], Format())
    outcomes, sent = rounds.ask(0, pilot)
    prompts = [(sent[each.id], len(each.item.choices)) for each in pilot if each.id in sent]
    formats = sampled_formats(grammar, search["formats"], seed, prompts)
    tallies: list[searching.Scores] = [[] for _ in formats]
    pairs, number = [(0, place) for place, _ in enumerate(pilot)], 1
    left = search["budget"] - searching.HELD_OUT * len(held_out) - len(pilot)
    size = max(-(-left // searching.ROUNDS), 1)
    while True:
        scores = {(each.variant, each.item): each.score for each in outcomes}
        for arm, place in pairs:
            tallies[arm].append(scores.get((formats[arm].name, items[place].id)))
        rng = seeded(seed, "round", str(number))
        pairs = searching.next_round(tallies, len(items), min(size, left), rng)
        if not pairs:
            break
        asking = [questions_in([items[place]], formats[arm])[0] for arm, place in pairs]
        outcomes, _ = rounds.ask(number, asking)
        number, left = number + 1, left - len(pairs)
    best, worst = searching.extremes(tallies)
    chosen = {"best": best, "worst": worst, "plain": 0}
    arms = dict.fromkeys(chosen.values())
    held = [each for arm in arms for each in questions_in(held_out, formats[arm])]
    outcomes, _ = rounds.ask(number, held, last=True)
    if len(outcomes) < len(held):
        notes.append(f"{len(held) - len(outcomes):,} held-out answers have no score")
    found = about | {
        "calls": sum(map(len, tallies)) + len(held),
        "tried": sum(map(bool, tallies)),
        **{n: {"name": formats[a].name, "asked": len(tallies[a])} for n, a in chosen.items()},
        "held_out": {"items": len(held_out)},
        "notes": notes,
        "log_dir": str(host.log_dir),
    }
    return found, searching.held_out_figures(outcomes, formats[best].name, formats[worst].name)


@dataclass(frozen=True, slots=True)
class _Rounds:
    """The rounds of one search: each an evaluation, or its finished log in the folder."""

    host: Host
    task: ProbedTask
    model: Model
    about: JsonObject
    """What makes it the same search."""

    def ask(
        self, number: int, questions: Sequence[ProbedQuestion], *, last: bool = False
    ) -> tuple[list[Outcome], dict[str, str]]:
        """The scored answers to the questions, one at least, and what the model was sent by the
        question's id."""
        ids = [question.id for question in questions]
        about = {"search": self.about, "round": number, "asked": digest(*ids)}
        finished = (each for each in self.host.logs(ROUND, about) if each.status == "success")
        log = next(finished, None)
        told = "" if log is None else ", from its log"
        click.echo(f"round {number}: {len(ids):,} questions{told}", err=True)
        if log is None:
            task = round_task(self.task, questions, about, last=last)
            settings = {"model_roles": self.about["roles"], "score_display": False}
            settings |= {"max_tokens": self.about["max_tokens"], **self.host.limits}
            log = self.host.eval(task, self.model, **settings)
            self.host.check([log])
        outcomes, sent, why = [], {}, "the task's scorer gave no score"
        for sample in read_eval_log(log.location, resolve_attachments="full").samples or []:
            if prompt := (sample.store.get(NOTED) or {}).get("prompt"):
                sent[str(sample.id)] = prompt
            for score in (sample.scores or {}).values():
                if (scored := scored_in(score, sample.metadata)) is not None:
                    outcomes.append(scored.outcome)
                else:
                    why = score.explanation or why
        if not outcomes:
            raise ModelError(f"no answer has a score ({why}); delete {log.location} to ask again")
        return outcomes, sent


def _print(found: JsonObject, figures: Mapping[str, Estimate]) -> None:
    """Print the best, the worst and the plain format, and what lies between them."""
    rows: list[tuple[str, ...]] = []
    for what in ("best", "worst", "plain"):
        name, score = found[what]["name"], figures[f"score/{found[what]['name']}"]
        told = (name.replace("+", " + "), f"{found[what]['asked']:,}")
        rows.append((what, *told, *numbers_alike(score.value), interval(score)))
    [apart] = numbers_alike(figures["spread"].value, sign="+")
    rows.append(("best - worst", "", "", apart, interval(figures["spread"], "+")))
    above = f"{found['tried']:,} formats tried, {found['calls']:,} calls of {found['model']}"
    columns = ("found", "format", "asked", "held out", "interval")
    with printing(None) as console:
        print_table(console, columns, {above: rows}, numbers=columns[2:])
        paragraph(console, "\n".join([*found["notes"], f"logs: {found['log_dir']}"]))
