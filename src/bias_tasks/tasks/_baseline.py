"""The answers of a finished run that a new one is compared with while it goes on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bias_tasks.families import PROBING
from bias_tasks.family import Family, JsonObject, Outcome, Plan
from bias_tasks.parameters import BASELINE, of_whole_run
from bias_tasks.record import facts_in, noted_facts
from bias_tasks.results.answers import Answered, RunAnswers, UnusableRunError, read_answers
from bias_tasks.results.comparison.pairing import paired
from bias_tasks.results.run import Run
from bias_tasks.results.shown import brief, listed

_LONGEST = 1_000
"""Characters of what is wrong with a baseline, of which a few files may be named."""


def baseline_outcomes(path: str, family: Family, record: JsonObject, plan: Plan) -> list[Outcome]:
    """What the baseline's answers to the plan's questions came to.

    What makes runs incomparable is what `bias-tasks compare` takes for it.

    Args:
        path: the log, or a folder with one log of the task.
        family: of the run that is to be asked.
        record: of that run (`run_record`).
        plan: what it asks.

    Raises:
        ValueError: there is no such run, or it can't be compared with.
    """
    try:
        found = read_answers(Path(path))
        same = [each for each in found if _named(each.run.record) == _named(record)]
        if len(same) != 1:
            others = listed(list(dict.fromkeys(str(each.run.record["task"]) for each in found)))
            raise UnusableRunError(
                f"{path}: holds {len(same)} runs of {record['task']} (of {others}): give the log "
                "of one"
            )
        pair = paired(same[0], _to_be_asked(family, record, plan, same[0]), overlap=True)
    except UnusableRunError as error:
        raise ValueError(f"{BASELINE}: {brief(error, _LONGEST)}") from error
    if pair.second_only:
        raise ValueError(
            f"{BASELINE}: {path} lacks {pair.second_only:,} of the {len(plan.questions):,} "
            "questions of this run; ask what it asked (the same data, n and seed), or take a run "
            "that asked them all"
        )
    return pair.first.outcomes()


def _named(record: Mapping[str, Any]) -> tuple[str, str]:
    return record["family"], record["task"]


def _to_be_asked(
    family: Family, record: JsonObject, plan: Plan, baseline: RunAnswers
) -> RunAnswers:
    """The run as if it were finished, with answers of no account.

    What a probed task's solvers will put around its questions is not known before: it is taken for
    the baseline's, whose record says which solvers these were.
    """
    probed = family.name == PROBING
    said = {_key(each.outcome): each.prompt for each in baseline.answers} if probed else {}
    known = {**record, "parameters": of_whole_run(record["parameters"])}
    run = Run(str(record["task"]), "inspect", "", known, record["items"], path=Path("this run"))
    answers = []
    for each in plan.questions:
        logged = each.facts if probed else facts_in(noted_facts(each))
        facts = json.loads(json.dumps(dict(logged)))
        outcome = family.outcome_with_all_figures(each.facts)
        answers.append(Answered(facts, outcome, said.get(_key(outcome), each.prompt)))
    return RunAnswers(run, tuple(answers))


def _key(outcome: Outcome) -> tuple[str, str]:
    return outcome.item, outcome.variant
