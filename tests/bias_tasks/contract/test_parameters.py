"""Every parameter is stated once: both hosts take its name, default and values from there."""

import inspect
import math
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lm_eval.tasks._yaml_loader import load_yaml

from bias_tasks.contract.declarations import load_declaration
from bias_tasks.contract.parameters import Parameter, TaskSpec, select_names
from bias_tasks.families import family_of_task
from bias_tasks.harness.link import task_configs_folder
from bias_tasks.instruction_boundary.settings import SettingParams
from bias_tasks.output_format.items import FormatParams
from bias_tasks.output_format.metrics import MetricOptions
from bias_tasks.user_names import parse_names
from tests.bias_tasks.contract.runs import SPECS, inspect_task, small

NAN, INF = math.nan, math.inf
TAKEN = {
    # Command lines turn texts into other types before a task sees them.
    "text": [("", ""), ("x", "x"), (True, "True"), (7, "7"), (0.5, "0.5"), (Path("a/b"), "a/b")],
    "names": [(names, names) for names in ("a, b", "", ["a", "b"], ("a",), [])]
    + [([Path("a/b"), "c"], ["a/b", "c"])],
    "whole": [(number, number) for number in (0, 7, -7, 2**70)],
    "whole_list": [(numbers, numbers) for numbers in (3, "3, 4", [3, "4"], (3,))],
    "number": [(number, number) for number in (0, 0.5, -3, 1e300)],
    "flag": [(True, True), (False, False)],
    "weights": [(weights, weights) for weights in ({"f1": 0.5, "prc": 1}, {})],
}
REFUSED = {
    "text": ((None, ["a"], {"a": 1}), "text"),
    "names": ((None, 3, True, [1], ["a", None], {"a": 1}), "a name or a list of them"),
    "whole": ((None, True, False, 1.0, "1", [1], NAN), "an integer"),
    "whole_list": ((None, True, 1.5, {"a": 1}), "integers"),
    "number": ((None, True, "0.5", [0.5], NAN, INF, -INF, 10**400), "a number"),
    "flag": ((None, 0, 1, "true", "False"), "true or false"),
    "weights": ((None, 0.5, "f1", {"f1": True}, {"f1": "1"}), "a number for each metric"),
}
RANGES = [
    ("number", {"low": 1}, (1, 99), (0, NAN, INF), "a number of at least 1"),
    ("number", {"low": 1, "high": 3}, (1, 2.5, 3), (0.99, 3.01), "a number from 1 to 3"),
    ("number", {"low": 0, "open_ends": True}, (1e-9, 5), (0, -1), "a number above 0"),
    ("number", {"low": 0, "high": 1, "open_ends": True}, (0.5,), (0, 1), "between 0 and 1"),
    ("whole", {"low": 2, "high": 10}, (2, 10), (1, 11, 3.0, True), "an integer from 2 to 10"),
    ("whole", {"low": 1, "values": ("all",)}, (1, "all"), (0, "x"), "of at least 1, or all"),
    ("text", {"values": ("a", "True")}, ("a", "True"), ("b", "A", ""), "expected one of a, True"),
]


def parameter(kind, default=0, **fields):
    return Parameter("it", kind, default, "what it does", **fields)


def refusal(kind, value, **fields):
    """What is said of a value; empty where it is taken."""
    try:
        parameter(kind, **fields).check(value)
    except ValueError as error:
        return str(error)
    return ""


def test_what_each_kind_takes_and_refuses():
    wrong = []
    for kind, pairs in TAKEN.items():
        found = [parameter(kind).check(value) for value, _ in pairs]
        wrong += [kind] if repr(found) != repr([taken for _, taken in pairs]) else []
        assert parameter(kind, None).check(None) is None
    for kind, (values, expected) in REFUSED.items():
        said = [refusal(kind, value) for value in values]
        wrong += [each for each in said if not each.endswith(f": expected {expected}")]
    for kind, fields, taken, refused, expected in RANGES:
        wrong += [(kind, value) for value in taken if refusal(kind, value, **fields)]
        wrong += [(kind, v) for v in refused if expected not in refusal(kind, v, **fields)]
    assert wrong == []


SPEC = TaskSpec(
    "adding",
    "Adds.",
    (
        parameter("whole", 3, low=1),
        Parameter("seed", "whole", 0, "seed"),
        Parameter("theta", "number", 0.5, "ties", affects_metrics=True),
        Parameter("domains", "names", None, "which"),
    ),
)


def test_values_are_those_given_and_the_defaults():
    defaults = {"it": 3, "seed": 0, "theta": 0.5, "domains": None}
    assert SPEC.values({}) == defaults
    found = SPEC.values({"domains": "a,b", "it": 9})
    assert found == defaults | {"domains": "a,b", "it": 9}
    assert list(found) == list(defaults)
    assert SPEC.metric_options(found) == {"theta": 0.5}
    with pytest.raises(ValueError, match="unknown parameter 'sead': did you mean 'seed'") as told:
        SPEC.values({"sead": 1})
    assert str(told.value).endswith("The parameters of adding are it, seed, theta, domains")


@given(st.lists(st.text(st.characters(exclude_characters=","), max_size=5)))
def test_a_text_of_names_is_the_list_of_them(names):
    assert parse_names(",".join(names)) == parse_names(names) == parse_names(parse_names(names))
    assert parse_names(" b ,a,, b") == ["b", "a"]
    assert parse_names(None) == []


def test_chosen_names_stand_in_the_order_of_those_there_are():
    allowed = ("none", "reference", "rubric")
    assert select_names("aux", None, allowed) == allowed
    assert select_names("aux", "rubric, none", allowed) == ("none", "rubric")
    for given_, said in (("b,none,a", "aux='a', 'b': expected some of none"), ("", "aux=nothing")):
        with pytest.raises(ValueError, match=said):
            select_names("aux", given_, allowed)


def test_every_task_declares_what_inspect_shows_and_checks():
    names = [spec.name for _, spec in SPECS]
    assert len(names) == len(set(names)) >= 25
    for family, spec in SPECS:
        assert family_of_task(spec.name).name == family
        own = [each.name for each in spec.parameters]
        assert len(set(own)) == len(own), spec.name
        assert {"protocol", "seed", "n", "shard"} <= set(own), spec.name
        assert all(each.check(each.default) == each.default for each in spec.parameters), spec.name
        whole = {each.name: each.default for each in spec.parameters if each.name != "shard"}
        assert spec.values({}) == whole
        task = getattr(import_module(f"bias_tasks.{family}_tasks"), spec.name)
        *declared, others = inspect.signature(task).parameters.values()
        assert others.kind is inspect.Parameter.VAR_KEYWORD
        found = [(each.name, each.default) for each in declared]
        assert found == [(each.name, each.default) for each in spec.parameters]
        documented = " ".join(inspect.getdoc(task).split())
        assert documented.startswith(f"{spec.summary} Args: ")
        for each in spec.parameters:
            assert f" {each.name}: {' '.join(each.meaning.split())}." in documented
        with pytest.raises(ValueError, match="unknown parameter 'sead': did you mean 'seed'"):
            task(sead=1)
        name = f"{family}/{spec.name}"
        assert inspect_task(name, **small(name, 1)).config.temperature == spec.temperature == 0
    with pytest.raises(LookupError, match="no family has a task 'nope'"):
        family_of_task("nope")


@pytest.mark.parametrize("values", [SettingParams(), FormatParams(), MetricOptions()])
def test_values_of_parameters_that_a_task_lacks_are_the_declared_defaults(values):
    declared = load_declaration(type(values).__module__.rpartition(".")[0]).parameters
    for name in values.__slots__:
        assert getattr(values, name) == declared[name].default, name


def test_every_lm_eval_task_fixes_declared_values_and_the_temperature():
    loaded = {
        path: load_yaml(path, resolve_func=False) for path in task_configs_folder().rglob("*.yaml")
    }
    tasks = {path: each for path, each in loaded.items() if isinstance(each.get("task"), str)}
    assert len(tasks) > 40
    asked = set()
    for path, config in tasks.items():
        fixed = dict(config["dataset_kwargs"])
        family = family_of_task(fixed["task"])
        spec = family.tasks[fixed.pop("task")]
        asked.add(spec.name)
        assert (path.parent.name, path.stem) == (family.name, config["task"])
        values = spec.values(fixed)
        assert {name: values[name] for name in fixed} == fixed
        assert not {each.name for each in spec.parameters if each.inspect_only} & set(fixed)
        asking = config["generation_kwargs"]
        if asking is None:  # a likelihood has no temperature
            assert config["output_type"] == "multiple_choice"
        else:
            assert asking["temperature"] == spec.temperature, path
            assert asking["do_sample"] is (spec.temperature > 0), path
    # What two of these ask at once is groups there; the third asks several models.
    elsewhere = {"instruction_boundary", "format_bias", "self_preference"}
    assert asked == {spec.name for _, spec in SPECS} - elsewhere | {"probe"}
