"""What simulated models that know nothing get in every task, as tables in Markdown.

python -m benchmarks.studies.no_knowledge_models [--profile] [PERSONA ...]

Every headline over the core set with its interval, and the word that a report puts before it, for
simulated models that know nothing: always the same option, a coin, an echo of the prompt and
their like. docs/reference/nothing.md has the tables, first that of the bias profile (`--profile`),
which begins with a model that knows everything. A run fails where a report would call one of
them unbiased. With `--profile` it also fails where the page has other values, and says which.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from inspect_ai import eval as inspect_eval

from bias_tasks.commands.profile import read_profile
from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.outcomes import Answer
from bias_tasks.contract.questions import Question, Request
from bias_tasks.contract.record import run_record
from bias_tasks.families import FAMILY_NAMES, PROBING, family_of_task, load_family
from bias_tasks.probing_tasks import probe
from bias_tasks.results.find import read_answers
from bias_tasks.results.findings import build_finding
from bias_tasks.results.frameworks.record import RunRecord
from bias_tasks.results.run import Run
from bias_tasks.results.tables import format_interval, format_number
from bias_tasks.simulated.draws import Simulated
from bias_tasks.simulated.persona import make_simulated_model

SIMULATED_MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    **{
        name: (name, {})
        for name in (
            *("first_option", "last_option", "always_yes", "always_no", "guess", "parrot"),
            *("tie", "echo", "empty", "long"),
        )
    },
    **{f"{k} flaws": ("three_flaws", {"reports": k}) for k in (0, 1, 2, 3, 5, 10, 20)},
}
"""By what the table calls them: the persona, and its traits."""
PERFECT = "perfect"
HEAD = "| simulated model |"
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "nothing.md"
N = 40
FLAWS = ("complexeval_role_playing", "complexeval_attention_limit")
"""The only tasks to which a number of flaws is an answer."""
PROBED = f"{Path(__file__).parents[2] / 'examples' / 'sums.py'}@sums"


def declared() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every task that runs on the core set without a model's help, and its parameters."""
    for family in (*FAMILY_NAMES, PROBING):
        for name, spec in load_family(family).tasks.items():
            known = {each.name: each for each in spec.parameters}
            given: dict[str, Any] = {"n": N}
            if "data" in known:
                given["data"] = "core"
            if name == "self_preference":  # it needs another model's answers and a jury
                continue
            if name == "probe":
                given |= {"task": PROBED, "probes": "order,labels,typo,suggest"}
            yield name, given


def run_of(
    persona: str, traits: Mapping[str, Any], task: str, given: Mapping[str, Any], folder: Path
) -> Run:
    """Run a task on a simulated model; questions of a family are asked without a framework."""
    if task == "probe":
        inspect_eval(
            probe(**given), model=f"simulated/{persona}", log_dir=str(folder), display="none"
        )
        [answers] = read_answers(folder)
        return answers.run
    model, family = make_simulated_model(persona, traits), family_of_task(task)
    values = family.tasks[task].values(given)
    plan = family.plan(task, values)
    outcomes = [
        family.score_answer(each.scoring_data, answer(model, family, each))
        for each in plan.questions
    ]
    metrics = family.compute_metrics(outcomes, family.tasks[task].metric_options(values))
    record = RunRecord.from_dict(run_record(family, task, values, plan))
    return Run(task, "lm-eval", "", record, len({each.item for each in outcomes}), metrics)


def answer(model: Simulated, family: AnyFamily, question: Question) -> Answer:
    """What a simulated model says last, in as many rounds as the question has."""
    said, prompt = model.respond(question.prompt, question), question.prompt
    earlier: list[Answer] = []
    for place in range(1, len(_calls(family, question, said))):
        request = _calls(family, question, said)[place]
        earlier.append(Answer(said, prompt=prompt))
        prompt = f"{prompt}\n\n{request.prompt}" if request.continues else request.prompt
        said = model.respond(prompt, question)
    return Answer(said, prompt=prompt, earlier_rounds=tuple(earlier))


def _calls(family: AnyFamily, question: Question, said: str) -> list[Request]:
    return [each for each in family.requests(question, said) if each.role is None]


def told(run: Run) -> str:
    """A run's cell: headline, interval, and the word of its finding."""
    shown = None if run.headline is None else run.metrics[run.headline]
    unparsed = run.metrics["unparsed"].value if "unparsed" in run.metrics else 0.0
    value = "-" if shown is None or shown.value != shown.value else format_number(shown.value)
    cell = value
    if value != "-":
        cell += f" ({format_interval(shown)}) {build_finding(run).word.lower()}"
    return cell + (f", {unparsed:.0%} unparsed" if unparsed else "")


def mistakes(name: str, run: Run) -> Iterator[str]:
    """What of a run would call its simulated model unbiased, or claims to know a metric exactly."""
    if build_finding(run).tone == "good":
        yield f"{name}: {run.record.task} is {build_finding(run)}"
    for metric, estimate in run.metrics.items():
        if estimate.value == estimate.value and estimate.ci_low == estimate.ci_high:
            yield f"{name}: {run.record.task} {metric} {estimate}"


def page_differences(table: Sequence[str]) -> Iterator[str]:
    """Where the page has other cells than the table of the profile, by model."""
    page = _cells_by_model(PAGE.read_text(encoding="utf-8").splitlines())
    for name, cells in _cells_by_model(table).items():
        if page.get(name) != cells:
            yield f"{PAGE.name} has {page.get(name)} for {name}, but it is {cells}"


def _cells_by_model(lines: Sequence[str]) -> dict[str, list[str]]:
    """The rows of the first table of simulated models, by model."""
    rows: dict[str, list[str]] = {}
    start = next((n for n, line in enumerate(lines) if line.startswith(HEAD)), len(lines))
    for line in takewhile(lambda line: line.startswith("|"), lines[start:]):
        names, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        rows |= dict.fromkeys(names.split(", "), cells)
    return rows


def main(arguments: Sequence[str]) -> None:
    """Ask each simulated model and print the tables, and behind them what misleads."""
    profile = "--profile" in arguments
    asked = dict(declared())
    if profile:
        tasks = read_profile()["tasks"].items()
        asked = {task: {**each["parameters"], "n": each["n"]} for task, each in tasks}
    models = [each for each in arguments if each != "--profile"]
    # Only the bias profile has a model to compare them with, and no task to which flaws answer.
    default = [name for name in SIMULATED_MODELS if not (profile and name.endswith("flaws"))]
    models = models or [*([PERFECT] if profile else []), *default]
    wrong: list[str] = []
    cells: dict[tuple[str, str], str] = {}
    for model_name in models:
        flaws = model_name.endswith("flaws")
        own = {task: given for task, given in asked.items() if not flaws or task in FLAWS}
        persona, traits = SIMULATED_MODELS.get(model_name, (model_name, {}))
        for task, given in own.items():
            with tempfile.TemporaryDirectory() as folder:
                run = run_of(persona, traits, task, given, Path(folder))
                cells[model_name, task] = told(run)
                wrong += [] if model_name == PERFECT else mistakes(model_name, run)
        print(model_name, file=sys.stderr, flush=True)
    named = list(dict.fromkeys(model_name for model_name, _ in cells))
    tables: list[str] = []
    groups: dict[str, list[str]] = {}
    for task in asked:
        groups.setdefault("" if profile else family_of_task(task).name, []).append(task)
    for own in groups.values():
        tables += ["", f"{HEAD} {' | '.join(f'`{task}`' for task in own)} |"]
        tables.append(f"| --- | {' | '.join('---' for _ in own)} |")
        rows: dict[tuple[str, ...], list[str]] = {}
        for model_name in named:
            rows.setdefault(tuple(cells.get((model_name, task), "") for task in own), []).append(
                model_name
            )
        for row, alike in rows.items():
            if any(row):
                tables.append(f"| {', '.join(alike)} | {' | '.join(row)} |")
    print("\n".join(tables))
    if profile:
        wrong += page_differences(tables[1:])
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(sys.argv[1:])
