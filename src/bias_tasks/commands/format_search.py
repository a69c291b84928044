"""`bias-tasks format-search`: the best and the worst prompt format of a task, under a budget."""

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any

import click
from inspect_ai import task_with
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import Model

from bias_tasks.commands.batch_requests import runner as batch_requests
from bias_tasks.commands.batch_requests.model_failures import ModelError
from bias_tasks.commands.batch_requests.runner import InspectRunner
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.logged_outcomes import find_logged_outcome
from bias_tasks.contract.outcomes import Extra, Outcome
from bias_tasks.contract.parameters import ParameterValues
from bias_tasks.families import load_family
from bias_tasks.names import digest, format_count
from bias_tasks.probing import format_search as searching
from bias_tasks.probing.format_grammar import PromptFormat, sample_formats, select_searchable
from bias_tasks.probing.items import BASELINE
from bias_tasks.probing.plan import ProbedQuestion
from bias_tasks.prompts.templates import seeded_random
from bias_tasks.results import tables
from bias_tasks.results.tables import format_interval, format_numbers, format_option, print_rows
from bias_tasks.results.text import hide_secrets
from bias_tasks.solvers.probed import PROBE_STATE
from bias_tasks.statistics.estimate import Estimate, metrics_to_json
from bias_tasks.tasks._probe import ROUND, apply_format, build_round
from bias_tasks.tasks._probed_task import ProbedTask, load_probed_task


@click.command("format-search")
@click.argument("task")
@batch_requests.model_option("Evaluated model", "--model", required=True)
@batch_requests.name_value_option("--model-role", "roles", "Model of a role, such as grader=MODEL.")
@batch_requests.name_value_option("-T", "parameters", "Parameter of TASK, such as subjects=law.")
@click.option("--budget", type=click.IntRange(1), default=500, help="Total number of calls.")
@click.option(
    "--formats", type=click.IntRange(2), default=50, help="Number of formats, with the baseline."
)
@click.option("--seed", type=int, default=0, help="Seed of every draw.")
@batch_requests.max_tokens_option(show_default="the task's")
@format_option("table", "json")
@batch_requests.inspect_options(log_dir="logs/formats", display="none")
def format_search(*, form: str, runner: InspectRunner, **options: Any) -> None:
    """Find the prompt formats in which a model does best and worst on TASK.

    TASK is any task of Inspect with displayed choices, by its registered name or as file.py@name.
    Formats are drawn from a grammar of labels, marks and separators. Rounds of questions look for
    the best and the worst at once. The difference between the two is then measured on held-out
    items, since it is too large on the answers of the search itself. Rerun the command to resume:
    rounds whose logs are in --log-dir are not run again.
    """
    with redirect_stdout(sys.stderr):  # Inspect's output is not part of the result
        summary, metrics = search_formats(options, runner)
    if form == "json":
        summary["held_out"] |= metrics_to_json(metrics)
        tables.write_json(summary)
    else:
        _print(summary, metrics)


def search_formats(
    options: ParameterValues, runner: InspectRunner
) -> tuple[JsonObject, dict[str, Estimate]]:
    """Search for the best and the worst format.

    Args:
        options: The values of the command's options, by their names.
        runner: Runs the rounds.

    Returns:
        The options and the formats found, as plain JSON values; and the metrics of the held-out
        items.

    Raises:
        ModelError: The model cannot be used.
        ValueError: The task cannot be searched in.
    """
    task, seed = load_probed_task(options["task"], options["parameters"]), options["seed"]
    task_with(task.task, epochs=1)  # changes the task in place
    searchable, grammar, notes = select_searchable(task.items)
    items, held_out = searching.split_items(searchable, options["budget"], seed)
    contents = [(item.id, item.text, item.choices, item.target) for item in (*items, *held_out)]
    settings = {
        **options,
        "model_args": hide_secrets(runner.model_args),
        "base_url": hide_secrets(runner.model_base_url),
        "items": digest(*contents),
    }
    search_key: JsonObject = json.loads(json.dumps(settings, default=str))  # as a log returns it
    rounds = _Rounds(runner, task, runner.model("model", options["model"]), search_key)
    pilot = apply_format(items[: searching.N_PILOT], PromptFormat())
    outcomes, prompts = rounds.run(0, pilot)
    sent = [(prompts[q.id], len(q.item.choices)) for q in pilot if q.id in prompts]
    formats = sample_formats(grammar, options["formats"], seed, sent)
    tallies: list[searching.Scores] = [[] for _ in formats]
    pairs, number = [(0, index) for index in range(len(pilot))], 1
    budget = options["budget"] - searching.N_HELD_OUT_FORMATS * len(held_out) - len(pilot)
    round_size = max(-(-budget // searching.N_ROUNDS), 1)
    while True:
        scores = {(outcome.variant, outcome.item): outcome.score for outcome in outcomes}
        for format_index, item_index in pairs:
            key = (formats[format_index].name, items[item_index].id)
            tallies[format_index].append(scores.get(key))
        rng = seeded_random(seed, "round", str(number))
        pairs = searching.plan_round(tallies, len(items), min(round_size, budget), rng)
        if not pairs:
            break
        questions = [apply_format([items[item]], formats[arm])[0] for arm, item in pairs]
        outcomes, _ = rounds.run(number, questions)
        number, budget = number + 1, budget - len(pairs)
    best, worst = searching.find_extremes(tallies)
    selected = {"best": best, "worst": worst, BASELINE: 0}
    last_questions = [
        question
        for index in dict.fromkeys(selected.values())
        for question in apply_format(held_out, formats[index])
    ]
    outcomes, _ = rounds.run(number, last_questions, is_last=True)
    if n_unscored := len(last_questions) - len(outcomes):
        notes.append(f"{n_unscored:,} held-out answers have no score")
    summary = search_key | {
        "calls": sum(map(len, tallies)) + len(last_questions),
        "formats_tried": sum(map(bool, tallies)),
        **{
            name: {"name": formats[index].name, "answers": len(tallies[index])}
            for name, index in selected.items()
        },
        "held_out": {"items": len(held_out)},
        "notes": notes,
        "log_dir": str(runner.log_dir),
    }
    metrics = searching.held_out_metrics(outcomes, formats[best].name, formats[worst].name)
    return summary, metrics


@dataclass(frozen=True, slots=True)
class _Rounds:
    """The rounds of one search: each is an evaluation, or its finished log in the folder."""

    runner: InspectRunner
    task: ProbedTask
    model: Model
    search_key: JsonObject
    """The settings of the search, by which its logs are found again."""

    def run(
        self, number: int, questions: Sequence[ProbedQuestion], *, is_last: bool = False
    ) -> tuple[list[Outcome[Extra]], dict[str, str]]:
        """Return the scored outcomes of a round, at least one, and the prompts by question id."""
        ids = [question.id for question in questions]
        round_key = {"search": self.search_key, "round": number, "questions": digest(*ids)}
        logs = self.runner.logs(ROUND, round_key)
        log = next((log for log in logs if log.status == "success"), None)
        source = "" if log is None else ", from its log"
        click.echo(f"round {number}: {format_count(len(ids), 'question')}{source}", err=True)
        if log is None:
            seed = self.search_key["seed"]
            task = build_round(self.task, questions, round_key, seed=seed, is_last=is_last)
            log = self.runner.eval(
                task,
                self.model,
                model_roles=self.search_key["roles"],
                score_display=False,
                max_tokens=self.search_key["max_tokens"],
                **self.runner.limits,
            )
            self.runner.check([log])
        return _read_round(log)


def _read_round(log: EvalLog) -> tuple[list[Outcome[Extra]], dict[str, str]]:
    """Return the scored outcomes of a round's log, at least one, and the prompts by question id."""
    outcomes: list[Outcome[Extra]] = []
    prompts: dict[str, str] = {}
    explanation = "the task's scorer gave no score"
    for sample in read_eval_log(log.location, resolve_attachments="full").samples or []:
        if prompt := (sample.store.get(PROBE_STATE) or {}).get("prompt"):
            prompts[str(sample.id)] = prompt
        for score in (sample.scores or {}).values():
            logged = find_logged_outcome(score, sample.metadata, load_family)
            if logged is not None:
                outcomes.append(logged.outcome)
            else:
                explanation = score.explanation or explanation
    if not outcomes:
        raise ModelError(
            f"no answer has a score ({explanation}); delete {log.location} to run the round again"
        )
    return outcomes, prompts


def _print(summary: JsonObject, metrics: Mapping[str, Estimate]) -> None:
    """Print the best, the worst and the baseline format, and the difference."""
    rows: list[tuple[str, ...]] = []
    for kind in ("best", "worst", BASELINE):
        result = summary[kind]
        score = metrics[f"score/{result['name']}"]
        name, n_answers = result["name"].replace("+", " + "), f"{result['answers']:,}"
        rows.append((kind, name, n_answers, *format_numbers(score.value), format_interval(score)))
    [spread] = format_numbers(metrics["spread"].value, sign="+")
    rows.append(("best - worst", "", "", spread, format_interval(metrics["spread"], "+")))
    tried = format_count(summary["formats_tried"], "format")
    heading = f"{tried} tried, {format_count(summary['calls'], 'call')} of {summary['model']}"
    columns = ("kind", "format", "answers", "held out", "interval")
    notes = [*summary["notes"], f"logs: {summary['log_dir']}"]
    print_rows(columns, rows, columns[2:], heading=heading, notes=notes)
