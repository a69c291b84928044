"""What respondents that know nothing get in every task, as tables in Markdown.

python benchmarks/nothing.py [--profile] [PERSONA ...]

Every headline over the core set with its interval, and the word that a report puts before it, for
simulated respondents that know nothing: always the same option, a coin, an echo of the prompt and
their like. docs/reference/nothing.md holds the tables, docs/leaderboard.md that of the bias profile
(`--profile`). A run fails where a report would call one of them unbiased.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from inspect_ai import eval as inspect_eval

from bias_tasks.commands.profile import profile_declared
from bias_tasks.contract.family import Answer, Family, Question, Request
from bias_tasks.contract.record import run_record
from bias_tasks.families import FAMILY_NAMES, PROBING, family_of_task, load_family
from bias_tasks.results.find import read_runs
from bias_tasks.results.report.found import finding
from bias_tasks.results.run import Run
from bias_tasks.results.tables import interval, number
from bias_tasks.simulated.draws import Simulated
from bias_tasks.simulated.persona import make_respondent
from bias_tasks.tasks.probing import probe

RESPONDENTS: dict[str, tuple[str, dict[str, Any]]] = {
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
N = 40
FLAWS = ("complexeval_role_playing", "complexeval_attention_limit")
"""The only tasks to which a number of flaws is an answer."""
PROBED = f"{Path(__file__).parents[1] / 'examples' / 'sums.py'}@sums"


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
    """The respondent's run of a task; a family's questions are asked without a host."""
    if task == "probe":
        inspect_eval(
            probe(**given), model=f"simulated/{persona}", log_dir=str(folder), display="none"
        )
        [run] = read_runs([folder])
        return cast(Run, run)
    model, family = make_respondent(persona, traits), family_of_task(task)
    values = family.tasks[task].values(given)
    plan = family.plan(task, values)
    outcomes = [family.outcome(each.facts, answer(model, family, each)) for each in plan.questions]
    card = family.scorecard(outcomes, family.tasks[task].for_figures(values))
    record = run_record(family, task, values, plan)
    return Run(task, "lm-eval", "", record, len({each.item for each in outcomes}), card)


def answer(model: Simulated, family: Family, question: Question) -> Answer:
    """What a respondent says last, in as many rounds as the question has."""
    said, prompt = model.respond(question.prompt, question), question.prompt
    for place in range(1, len(_calls(family, question, said))):
        prompt = _calls(family, question, said)[place].prompt
        said = model.respond(prompt, question)
    return Answer(said, prompt=prompt)


def _calls(family: Family, question: Question, said: str) -> list[Request]:
    return [each for each in family.requests(question, said) if each.role is None]


def told(run: Run) -> str:
    """A run's cell: headline, interval, and the word of its finding."""
    shown = None if run.headline is None else run.metrics[run.headline]
    unread = run.metrics["unread"].value if "unread" in run.metrics else 0.0
    value = "-" if shown is None or shown.value != shown.value else number(shown.value)
    cell = (
        value
        if value == "-"
        else f"{value} ({interval(shown)}) {finding(run).word.lower().partition(' better')[0]}"
    )
    return cell + (f", {unread:.0%} unread" if unread else "")


def mistakes(respondent: str, run: Run) -> Iterator[str]:
    """What of a run would call its respondent unbiased, or claims to know a figure exactly."""
    if finding(run).tone == "good":
        yield f"{respondent}: {run.record['task']} is {finding(run)}"
    for name, figure in run.metrics.items():
        if figure.value == figure.value and figure.ci_low == figure.ci_high:
            yield f"{respondent}: {run.record['task']} {name} {figure}"


def main(arguments: Sequence[str]) -> None:
    """Ask each respondent and print the tables, and behind them what misleads."""
    asked = (
        {
            task: {**each["parameters"], "n": each["n"]}
            for task, each in profile_declared()["tasks"].items()
        }
        if "--profile" in arguments
        else dict(declared())
    )
    wrong, cells = [], {}
    for respondent in [each for each in arguments if each != "--profile"] or RESPONDENTS:
        flaws = respondent.endswith("flaws")
        own = {task: given for task, given in asked.items() if not flaws or task in FLAWS}
        persona, traits = RESPONDENTS.get(respondent, (respondent, {}))
        for task, given in own.items():
            with tempfile.TemporaryDirectory() as folder:
                run = run_of(persona, traits, task, given, Path(folder))
                cells[respondent, task] = told(run)
                wrong += mistakes(respondent, run)
        print(respondent, file=sys.stderr, flush=True)
    named = list(dict.fromkeys(respondent for respondent, _ in cells))
    for family in dict.fromkeys(family_of_task(task).name for task in asked):
        own = [task for task in asked if family_of_task(task).name == family]
        print("\n| respondent |", " | ".join(f"`{task}`" for task in own), "|")
        print("| --- |", " | ".join("---" for _ in own), "|")
        rows: dict[tuple[str, ...], list[str]] = {}
        for respondent in named:
            rows.setdefault(tuple(cells.get((respondent, task), "") for task in own), []).append(
                respondent
            )
        for row, alike in rows.items():
            if any(row):
                print("|", ", ".join(alike), "|", " | ".join(row), "|")
    sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(sys.argv[1:])
