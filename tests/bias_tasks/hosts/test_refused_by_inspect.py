"""Whatever is mistyped on Inspect's command line ends in one line that says what to do."""

import math
import os
import subprocess
import sys
from functools import partial
from inspect import signature

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import get_model
from inspect_ai.solver import SolverSpec

from bias_tasks import _registry
from bias_tasks.respondents.personas import ASSISTANTS, PERSONAS
from bias_tasks.respondents.provider import SimulatedAPI
from bias_tasks.respondents.traits import PARAMETERS
from bias_tasks.solvers.inspect_host import RespondentError, ScorerError, SolverError, TaskError
from bias_tasks.tasks import _roles
from tests.bias_tasks.contract.runs import SPECS, inspect_task, small

ODD = [
    *(None, True, False, -1, 0, 3, 10**30, 1.5, math.nan, math.inf, "", " ", ",", "1,2", "-1"),
    *("nosuch", "nosuch,other", "[bold]x[/bold]", "no/such.jsonl", ".jsonl", "/"),
    *([], [1], [None], [[]], ["nosuch"], {}, {"a": 1}, {"f1": "x"}),
]
SOLVERS = [
    *("ask", "by_variant", "demonstrate", "format_instruction", "polish", "reflect", "replay"),
    *("distract", "few_shot", "omit_option", "terse", "suggest"),
    "compare_with_other",
]
NEEDED = {
    "demonstrate": {"format": "bolding"},
    "format_instruction": {"format": "bolding"},
    "replay": {"outputs": "no/such.jsonl"},
    "outcome": {"family": "binary_qa"},
    "format_gated": {"scorer": "match"},
}


def refused(error, make, **given):
    """The message of the error, if one is raised: one line, which Inspect shows without more."""
    try:
        make(**given)
    except error as refusal:
        found = refusal
    else:
        return None
    assert isinstance(found, PrerequisiteError)
    assert found.message.strip()
    assert "\n" not in found.message
    return found.message


def evaluate(task="conformity", *, model="simulated/perfect", solver=None, given=None, **options):
    return inspect_eval(
        f"bias_tasks/{task}",
        model=model,
        task_args={"data": "synthetic", "n": 2} | (given or {}),
        solver=solver and SolverSpec(f"bias_tasks/{solver}", args=options, args_passed=options),
        display="none",
        log_realtime=False,
        **({} if solver else options),
    )


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"given": {"nn": 4}}, "unknown parameter 'nn': did you mean 'n'? The parameters of con"),
        ({"given": {"domains": "reading"}}, "unknown parameter 'domains'. The parameters of con"),
        ({"given": {"n": "abc"}}, "n='abc': expected a whole number from 1 on"),
        ({"given": {"form": "chioce"}}, "form='chioce' (did you mean 'choice'?): expected one of"),
        ({"given": {"data": "papre"}}, "data='papre' (did you mean 'paper'?) is neither 'paper'"),
        ({"given": {"data": "a.jsonl"}}, "cannot read a.jsonl: No such file or directory"),
        ({"model": "simulated/conformst"}, "unknown persona 'conformst' (did you mean 'conformis"),
        ({"model": "simulated/nosuch"}, "unknown persona 'nosuch': expected one of perfect, "),
        ({"model_args": {"adopt": 2}}, "simulated/perfect: adopt=2: expected a number between 0 a"),
        ({"model_args": {"adopt": "x"}}, "simulated/perfect: adopt='x': expected a number between"),
        ({"model_args": {"adpot": 1}}, "parameter 'adpot' of persona 'perfect' (did you mean 'ado"),
        ({"model_args": {"style": "ask"}}, "style='ask' (did you mean 'asked'?): expected one of"),
        ({"model_roles": {"grader": "simulated/jugde"}}, "'jugde' (did you mean 'judge'?)"),
        ({"solver": "reflect", "rounds": 1}, "reflect: rounds=1: expected a whole number from 2"),
        ({"solver": "reflect", "rounds": "x"}, "reflect: rounds='x': expected a whole number"),
        ({"solver": "reflect", "round": 3}, "reflect: unknown parameter 'round': did you mean 'ro"),
        (
            {"solver": "suggest", "label": "spars"},
            "suggest: label='spars' (did you mean 'sparse'?)",
        ),
        ({"solver": "distract", "distractors": 99}, "distract: distractors=99: expected whole"),
        ({"solver": "few_shot", "shots": 0}, "few_shot: shots=0: expected a whole number from 1"),
        ({"solver": "format_instruction"}, "missing a required argument: 'format'; its parameters"),
        (
            {"solver": "format_instruction", "format": "bold"},
            "format_instruction: format='bold' (did you mean 'bolding'?): expected one of char",
        ),
        (
            {"solver": "demonstrate", "format": "bolding", "n": 0},
            "demonstrate: n=0: demonstrate shows at least 1 question",
        ),
        (
            {"solver": "demonstrate", "format": "bolding", "demos_from": "a.jsonl"},
            "demonstrate: cannot read a.jsonl",
        ),
        ({"solver": "replay", "outputs": "a.jsonl"}, "replay: can't read the outputs a.jsonl"),
        ({"solver": "polish", "live": "maybe"}, "polish: live='maybe': expected true or false"),
    ],
)
def test_a_typo_is_told_in_one_line_before_anything_is_asked(options, told):
    with pytest.raises(PrerequisiteError) as caught:
        evaluate(**options)
    assert told in caught.value.message
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("task", "given", "told"),
    [
        ("format_wrapping", {"formats": "bold"}, "formats='bold' (did you mean 'bolding'?)"),
        ("format_wrapping", {"dataset": "gsm"}, "unknown dataset 'gsm' (did you mean 'gsm8k'?)"),
        ("format_wrapping", {"data": "synthetic"}, "unknown parameter 'data': did you mean 'datas"),
        ("binaryqa", {"domains": "readng"}, "unknown domain 'readng' (did you mean 'reading'?)"),
        ("binaryqa", {"weights": {"f2": 1}}, "f2"),
        ("binaryqa_nrc", {"data": "paper", "sources": "bolq"}, "(did you mean 'boolq'?)"),
        ("complexeval_basic", {"aux": "rubrics"}, "aux='rubrics' (did you mean 'rubric'?)"),
        ("complexeval_math", {"data": "no.csv"}, "cannot read no.csv"),
        (
            "complexeval_writing",
            {"data": "paper"},
            "`bias-tasks attack creative_writing --attacker MODEL",
        ),
    ],
)
def test_a_typo_in_any_family_is_told_with_the_nearest_name(task, given, told):
    names = {spec.name: f"{family}/{spec.name}" for family, spec in SPECS}
    base = {name: value for name, value in small(names[task]).items() if name not in given}
    message = refused(TaskError, partial(inspect_task, names[task]), **base, **given)
    assert told in message


@pytest.mark.parametrize(("family", "spec"), SPECS, ids=[spec.name for _, spec in SPECS])
def test_no_value_of_any_parameter_ends_otherwise(family, spec, tmp_path, monkeypatch):
    """Of numbers of items the very large one is left out: it takes what it takes."""
    monkeypatch.setenv("BIAS_TASKS_DATA", str(tmp_path))
    monkeypatch.setattr("bias_tasks.data.fetch._RAW_FILES", "http://127.0.0.1:1")
    name = f"{family}/{spec.name}"
    found = [
        refused(TaskError, partial(inspect_task, name), **given)
        for parameter in spec.parameters
        for value in ODD
        if not (value == 10**30 and parameter.name != "seed")
        for given in [small(name, 2) | {parameter.name: value}]
    ]
    assert None in found  # some of the values are allowed
    assert set(found) - {None}


@pytest.mark.parametrize("name", SOLVERS)
def test_no_argument_of_any_solver_ends_otherwise(name):
    make = getattr(_registry, name)
    needed = NEEDED.get(name, {})
    for parameter in signature(make).parameters:
        for value in ODD:
            told = refused(SolverError, make, **needed | {parameter: value})
            assert told is None or told.startswith(f"{name}: ")
    assert "unknown parameter 'nosuch'" in refused(SolverError, make, **needed, nosuch=1)
    if name != "replay":
        assert refused(SolverError, make, **needed) is None


def test_every_solver_that_is_registered_refuses_so():
    brought = {n for n, each in vars(_registry).items() if registered(each, "bias_tasks.solvers.")}
    assert brought == {*SOLVERS}


def registered(each, package):
    return getattr(each, "__module__", "").startswith(package)


@pytest.mark.parametrize("name", [*PERSONAS, *ASSISTANTS])
def test_no_parameter_of_any_respondent_ends_otherwise(name):
    def make(**given):
        return SimulatedAPI(name, **given)

    for parameter in ("nosuch", *PARAMETERS, "invalid"):
        for value in ODD:
            told = refused(RespondentError, make, **{parameter: value})
            assert told is None or told.startswith(f"simulated/{name}: ")
    assert refused(RespondentError, make, nosuch=1)
    assert refused(RespondentError, make) is None


@pytest.mark.parametrize(
    ("roles", "told"),
    [
        (["gradr"], [("gradr", "grader")]),
        (["polsher", "Grader"], [("polsher", "polisher"), ("Grader", "grader")]),
        (["grader", "graders"], []),
        (["attacker"], []),
    ],
)
def test_a_model_role_that_is_misspelt_is_told(roles, told, tmp_path, monkeypatch):
    warned = []
    monkeypatch.setattr(_roles.logger, "warning", lambda _, *names: warned.append(names))
    models = {role: get_model("simulated/judge") for role in roles}
    [log] = evaluate(model_roles=models, log_dir=str(tmp_path))
    assert log.status == "success"
    assert warned == told


@pytest.mark.parametrize(
    ("scorer", "given", "told"),
    [
        ("outcome", {"family": "binaryqa"}, "outcome: there is no family 'binaryqa' (did you mean"),
        ("outcome", {"family": "os"}, "outcome: there is no family 'os': expected instruction_bo"),
        ("outcome", {"family": ".x"}, "outcome: there is no family '.x'"),
        ("outcome", {"famly": "binary_qa"}, "unknown parameter 'famly': did you mean 'family'?"),
        ("outcome", {}, "outcome: missing a required argument: 'family'"),
        ("format_gated", {"scorer": "match", "format": "bold"}, "(did you mean 'bolding'?)"),
        ("format_gated", {}, "format_gated: missing a required argument: 'scorer'"),
    ],
)
def test_a_scorer_s_argument_is_told_in_one_line(scorer, given, told):
    assert told in refused(ScorerError, getattr(_registry, scorer), **given)


def command(*arguments):
    """Inspect's own command, as a user types it: its exit status and what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "inspect_ai", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "400"},
        timeout=300,
    )
    return done.returncode, [line for line in (done.stdout + done.stderr).splitlines() if line]


def test_inspect_s_command_prints_that_line_alone(tmp_path):
    common = ("eval", "bias_tasks/conformity", "-T", "data=synthetic", "--log-dir", str(tmp_path))
    status, lines = command(*common, "--model", "simulated/perfect", "-M", "adopt=[2]")
    assert status == 1
    assert lines == ["simulated/perfect: adopt=[2]: expected a number between 0 and 1"]
    assert list(tmp_path.iterdir()) == []
