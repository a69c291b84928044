"""Whatever is mistyped on Inspect's command line ends in one line that says what to do."""

import math
from functools import partial
from inspect import signature

import pytest
from inspect_ai.model import get_model

from bias_tasks import _registry
from bias_tasks.solvers.inspect_api import PrerequisiteError, ScorerError, SolverError, TaskError
from bias_tasks.tasks import _build
from tests.bias_tasks.contract.runs import SPECS, inspect_task, small

ODD = [
    *(None, True, -1, 0, 3, 1.5, math.nan, math.inf, "", " ", ",", "1,2", "nosuch", "nosuch,other"),
    *("[bold]x[/bold]", "no/such.jsonl", "/", [], [1], [[]], {}, {"a": 1}),
]
NEEDED = {
    "follow_up": {"text": "Sure?"},
    "format_instruction": {"format": "bolding"},
    "with_setting": {"name": "suggest"},
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


def test_a_typo_in_any_family_is_told_with_the_nearest_name():
    names = {spec.name: f"{family}/{spec.name}" for family, spec in SPECS}
    missed = []
    for task, given, told in (
        ("conformity", {"nn": 4}, "unknown parameter 'nn': did you mean 'n'? The parameters of c"),
        ("conformity", {"form": "chioce"}, "form='chioce' (did you mean 'choice'?): expected one"),
        ("conformity", {"data": "papre"}, "data='papre' (did you mean 'paper'?) is neither"),
        ("conformity", {"data": "a.jsonl"}, "cannot read a.jsonl: No such file or directory"),
        ("format_wrapping", {"formats": "bold"}, "formats='bold' (did you mean 'bolding'?)"),
        ("format_wrapping", {"data": "gsm"}, "unknown data 'gsm' (did you mean 'gsm8k'?)"),
        ("binaryqa", {"domains": "readng"}, "unknown domain 'readng' (did you mean 'reading'?)"),
        ("binaryqa", {"weights": {"f2": 1}}, "f2"),
        ("binaryqa_nrc", {"data": "paper", "sources": "bolq"}, "(did you mean 'boolq'?)"),
        ("complexeval_basic", {"aux": "rubrics"}, "aux='rubrics' (did you mean 'rubric'?)"),
        ("complexeval_writing", {"data": "paper"}, "make_attacks -T family=creative_writing"),
    ):
        base = {name: value for name, value in small(names[task]).items() if name not in given}
        message = refused(TaskError, partial(inspect_task, names[task]), **base, **given)
        missed += [] if told in str(message) else [(given, message)]
    assert missed == []


@pytest.mark.parametrize("family", sorted({family for family, _ in SPECS}))
def test_no_value_of_any_parameter_ends_otherwise(family, tmp_path, monkeypatch):
    monkeypatch.setenv("BIAS_TASKS_DATA", str(tmp_path))
    monkeypatch.setattr("bias_tasks.data.fetch._RAW_FILES", "http://127.0.0.1:1")
    tried = set()
    for name, spec in SPECS:
        for parameter in spec.parameters:
            if name == family and parameter not in tried:
                tried.add(parameter)
                task = f"{name}/{spec.name}"
                for value in ODD:
                    given = small(task, 2) | {parameter.name: value}
                    refused(TaskError, partial(inspect_task, task), **given)
    assert tried


def test_no_argument_of_any_solver_ends_otherwise():
    solvers = {n: e for n, e in vars(_registry).items() if e.__class__.__name__ == "function"}
    solvers = {n: e for n, e in solvers.items() if e.__module__.startswith("bias_tasks.solvers.")}
    assert len(solvers) == 12
    for name, make in solvers.items():
        needed = NEEDED.get(name, {})
        for parameter in signature(make).parameters:
            for value in ODD:
                told = refused(SolverError, make, **needed | {parameter: value})
                assert told is None or told.startswith(f"{name}: ")
        assert "unknown parameter 'nosuch'" in refused(SolverError, make, **needed, nosuch=1)
    for name, given, told in (
        ("reflect", {"rounds": 1}, "reflect: rounds=1: expected an integer from 2"),
        ("suggest", {"seed": "x"}, "suggest: seed='x': expected an integer"),
        ("format_instruction", {}, "missing a required argument: 'format'; its parameters"),
        ("ask", {"structured": "maybe"}, "ask: structured='maybe': expected true or false"),
        ("with_setting", {"name": "suggst"}, "name='suggst' (did you mean 'suggest'?)"),
        (
            "with_setting",
            {"name": "reflect", "rounds": 1},
            "with_setting: reflect: rounds=1: expected an integer from 2",
        ),
    ):
        assert told in refused(SolverError, solvers[name], **given)


def test_a_scorer_s_argument_is_told_in_one_line():
    for scorer, given, told in (
        ("outcome", {"family": "binaryqa"}, "outcome: there is no family 'binaryqa' (did you mean"),
        ("outcome", {"famly": "binary_qa"}, "unknown parameter 'famly': did you mean 'family'?"),
        ("format_gated", {"scorer": "match", "format": "bold"}, "(did you mean 'bolding'?)"),
        ("format_gated", {}, "format_gated: missing a required argument: 'scorer'"),
    ):
        assert told in refused(ScorerError, getattr(_registry, scorer), **given)


def test_a_model_role_that_is_misspelt_is_told(monkeypatch):
    for roles, told in (
        (["gradr"], [("gradr", "grader")]),
        (["polsher", "Grader"], [("polsher", "polisher"), ("Grader", "grader")]),
        (["grader", "graders", "attacker"], []),
    ):
        warned = []
        monkeypatch.setattr(_build.logger, "warning", lambda _, *names, w=warned: w.append(names))
        given = {role: get_model("mockllm/model") for role in roles}
        monkeypatch.setattr(_build, "model_roles", lambda given=given: given)
        _build.warn_of_misspelt_roles(("grader", "polisher"))
        assert warned == told
