"""Small runs of every task, without a host's machinery around them."""

from dataclasses import replace
from importlib import import_module
from pathlib import Path

from inspect_ai.scorer import SampleScore

from bias_tasks.contract.logged_outcomes import scoring_data_of
from bias_tasks.families import FAMILY_NAMES, load_family
from bias_tasks.scorers.outcome import build_score, convert_output
from bias_tasks.simulated.persona import make_simulated_model
from tests.bias_tasks.mocks import output

JUDGED = Path(__file__).parents[3] / "examples" / "judge_bias.jsonl"
"""Pairs with people's labels, which no other data has."""
SPECS = [(name, spec) for name in FAMILY_NAMES for spec in load_family(name).tasks.values()]
TRAITS = {
    **{"accuracy": 0.7, "abstention": 0.05, "adopt": 0.4, "follow": 0.8, "unsteady": 0.3},
    **{"noise": 0.05, "false_alarms": 0.2, "reference_pull": 0.3, "rubric_pull": 0.3},
}


def small(name, n=4):
    """Values for a run of n synthetic items of a task, `<family>/<task>`."""
    family, _, task = name.partition("/")
    known = {each.name for each in load_family(family).tasks[task].parameters}
    if task == "complexeval_attention_limit":
        return {"n": 2, "k": "0,2,5,9", "mode": "joint,per_dimension"}
    data = str(JUDGED) if family == "judge_bias" and "probes" in known else "synthetic"
    return {"n": n} | {name: data for name in known if name == "data"}


def inspect_task(name, **given):
    """Inspect's task of that name."""
    family, _, task = name.partition("/")
    return getattr(import_module(f"bias_tasks.{family}_tasks"), task)(**given)


def scored(task, family, **traits):
    """What Inspect's scorer makes of a respondent's answers, of which several rounds are equal."""
    respondent, brought = make_simulated_model("steadfast", TRAITS | traits), load_family(family)
    return [
        SampleScore(
            score=build_score(
                brought.score_answer(
                    scoring_data_of(brought, sample.metadata), _answer(sample, said)
                ),
                family,
            )
        )
        for sample, said in (
            (sample, output(respondent.respond(sample.input, _known(sample))))
            for sample in task.dataset
        )
    ]


def _answer(sample, said):
    answer = convert_output(said)
    setting = sample.metadata["variant"].partition("@")[0]
    has_rounds = setting in ("multi_turn", "pushback")
    return replace(answer, earlier_rounds=(answer, answer)) if has_rounds else answer


def _known(sample):
    return sample.state.question
