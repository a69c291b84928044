"""Every parameter is stated once: both hosts take its name, default and values from there."""

import inspect
import math
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lm_eval.tasks._yaml_loader import load_yaml

from bias_tasks.families import FAMILY_NAMES, family_of_task, load_family
from bias_tasks.harness.link import task_configs_folder
from bias_tasks.parameters import Parameter, TaskSpec, chosen_names, names_in
from tests.bias_tasks.contract.runs import SPECS, inspect_task, small

IDS = [spec.name for _, spec in SPECS]
every_task = pytest.mark.parametrize(("family", "spec"), SPECS, ids=IDS)
NAN, INF = math.nan, math.inf


def parameter(kind, default=0, **fields):
    return Parameter("it", kind, default, "what it does", **fields)


TAKEN = [
    ("text", "anything", "anything"),
    ("text", "", ""),
    # Command lines turn such texts into other types before a task sees them.
    ("text", True, "True"),
    ("text", 7, "7"),
    ("text", 0.5, "0.5"),
    *(("names", names, names) for names in ("a, b", "", ["a", "b"], ("a",), [])),
    *(("whole", number, number) for number in (0, 7, -7, 2**70)),
    *(("whole_list", numbers, numbers) for numbers in (3, "3, 4", [3, "4"], (3,))),
    *(("number", number, number) for number in (0, 0.5, -3, 1e300)),
    ("flag", True, True),
    ("flag", False, False),
    *(("weights", weights, weights) for weights in ({"f1": 0.5, "prc": 1}, {})),
]
REFUSED = [
    ("text", (None, ["a"], {"a": 1}), "a text"),
    ("names", (None, 3, True, [1], ["a", None], {"a": 1}), "a name or a list of names"),
    ("whole", (None, True, False, 1.0, "1", [1], NAN), "a whole number"),
    ("whole_list", (None, True, 1.5, {"a": 1}), "whole numbers"),
    ("number", (None, True, "0.5", [0.5], NAN, INF, -INF), "a number"),
    ("flag", (None, 0, 1, "true", "False"), "true or false"),
    ("weights", (None, 0.5, "f1", ["f1"], {"f1": True}, {"f1": "1"}), "a number for each metric"),
]


@pytest.mark.parametrize(("kind", "value", "taken"), TAKEN)
def test_what_a_kind_takes(kind, value, taken):
    found = parameter(kind).check(value)
    assert (found, type(found)) == (taken, type(taken))


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [(kind, value, expected) for kind, values, expected in REFUSED for value in values],
)
def test_what_a_kind_refuses(kind, value, expected):
    with pytest.raises(ValueError, match=f"^it=.*: expected {expected}$"):
        parameter(kind).check(value)


@pytest.mark.parametrize("kind", [kind for kind, *_ in REFUSED])
def test_nothing_is_a_value_where_nothing_is_the_default(kind):
    assert parameter(kind, None).check(None) is None


@pytest.mark.parametrize(
    ("bounds", "taken", "refused", "said"),
    [
        ({"low": 1}, (1, 99), (0, -1), "a number from 1 on"),
        ({"low": 1, "high": 3}, (1, 2.5, 3), (0.99, 3.01), "a number from 1 to 3"),
        ({"low": 0, "open_ends": True}, (1e-9, 5), (0, -1), "a number above 0"),
        (
            {"low": 0, "high": 1, "open_ends": True},
            (0.001, 0.999),
            (0, 1, 1.5),
            "a number between 0 and 1",
        ),
        ({"high": 2**63 - 1}, (2**63 - 1,), (2**63,), "a number"),
    ],
)
def test_bounds_of_numbers(bounds, taken, refused, said):
    bounded = parameter("number", **bounds)
    assert [bounded.check(value) for value in taken] == list(taken)
    for value in (*refused, NAN, INF):
        with pytest.raises(ValueError, match=f"expected {said}"):
            bounded.check(value)


def test_bounds_of_whole_numbers():
    bounded = parameter("whole", 2, low=2, high=10)
    assert [bounded.check(value) for value in (2, 10)] == [2, 10]
    for value in (1, 11, 3.0, True):
        with pytest.raises(ValueError, match=f"it={value!r}: expected a whole number from 2 to 10"):
            bounded.check(value)


def test_words_of_a_text():
    word = parameter("text", "a", values=("a", "True", "7"))
    assert [word.check(value) for value in ("a", True, 7)] == ["a", "True", "7"]
    for value in ("b", "A", False, ""):
        with pytest.raises(ValueError, match="expected one of a, True, 7"):
            word.check(value)


SPEC = TaskSpec(
    "adding",
    "Adds.",
    (
        parameter("whole", 3, low=1),
        Parameter("seed", "whole", 0, "seed"),
        Parameter("theta", "number", 0.5, "ties", for_figures=True),
        Parameter("domains", "names", None, "which"),
    ),
)


def test_values_are_those_given_and_the_defaults():
    defaults = {"it": 3, "seed": 0, "theta": 0.5, "domains": None}
    assert SPEC.values({}) == defaults
    found = SPEC.values({"domains": "a,b", "it": 9})
    assert found == defaults | {"domains": "a,b", "it": 9}
    assert list(found) == list(defaults)
    assert SPEC.for_figures(found) == {"theta": 0.5}


def test_an_unknown_name_is_told_with_the_nearest_and_all():
    with pytest.raises(ValueError, match="unknown parameter 'sead': did you mean 'seed'") as told:
        SPEC.values({"sead": 1})
    assert str(told.value).endswith("The parameters of adding are it, seed, theta, domains")
    with pytest.raises(ValueError, match=r"unknown parameter 'xyz'\. The parameters"):
        SPEC.values({"xyz": 1})


def test_a_wrong_value_is_told_by_its_name():
    with pytest.raises(ValueError, match=r"^it=0: expected a whole number from 1 on$"):
        SPEC.values({"it": 0})


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (None, []),
        ("", []),
        (" , ,", []),
        ("a", ["a"]),
        (" b ,a,, b", ["b", "a"]),
        (["b", " a", "b"], ["b", "a"]),
        (("a", ""), ["a"]),
        ([3, 4], ["3", "4"]),
        (["a,b"], ["a,b"]),
    ],
)
def test_names_are_taken_once_and_bare(given, names):
    assert names_in(given) == names


@given(st.lists(st.text(st.characters(exclude_characters=","), max_size=5)))
def test_a_text_of_names_is_the_list_of_them(names):
    assert names_in(",".join(names)) == names_in(names) == names_in(names_in(names))


def test_chosen_names_stand_in_the_order_of_those_there_are():
    allowed = ("none", "reference", "rubric")
    assert chosen_names("aux", None, allowed) == allowed
    assert chosen_names("aux", "rubric, none", allowed) == ("none", "rubric")
    assert chosen_names("aux", ["rubric", "rubric"], allowed) == ("rubric",)
    with pytest.raises(ValueError, match="aux='a', 'b': expected some of none, reference, rubric"):
        chosen_names("aux", "b,none,a", allowed)
    for nothing in ("", [], " , "):
        with pytest.raises(ValueError, match="aux=nothing: expected some of"):
            chosen_names("aux", nothing, allowed)


def test_a_task_is_of_one_family():
    assert len(SPECS) == len(set(IDS)) >= 25
    assert {name: family_of_task(name).name for name in IDS} == {
        spec.name: family for family, spec in SPECS
    }
    with pytest.raises(LookupError, match="no family has a task 'nope'"):
        family_of_task("nope")


@every_task
def test_what_every_task_declares(family, spec):
    names = [each.name for each in spec.parameters]
    assert len(set(names)) == len(names)
    assert {"protocol", "seed", "n"} <= set(names)
    assert spec.summary.endswith((".", "?"))
    for each in spec.parameters:
        assert each.check(each.default) == each.default, each.name
        assert each.meaning
        assert not each.meaning.endswith(".")
        assert each.low <= each.high
    # How far a run goes is told by whoever wants less than the whole, and stands in no other run.
    whole = {each.name: each.default for each in spec.parameters if each.name != "shard"}
    assert spec.values({}) == whole


@every_task
def test_inspect_s_task_has_the_declared_parameters(family, spec):
    task = getattr(import_module(f"bias_tasks.tasks.{family}"), spec.name)
    signature = inspect.signature(task)
    *declared, others = signature.parameters.values()
    assert others.kind is inspect.Parameter.VAR_KEYWORD
    found = [(each.name, each.default, each.annotation) for each in declared]
    assert found == [(each.name, each.default, each.annotation) for each in spec.parameters]
    documented = " ".join(inspect.getdoc(task).split())
    assert documented.startswith(f"{spec.summary} Args: ")
    for each in spec.parameters:
        assert f" {each.name}: {' '.join(each.meaning.split())}." in documented


@every_task
def test_inspect_refuses_what_is_not_declared(family, spec):
    task = getattr(import_module(f"bias_tasks.tasks.{family}"), spec.name)
    with pytest.raises(ValueError, match="unknown parameter 'sead': did you mean 'seed'"):
        task(sead=1)
    with pytest.raises(ValueError, match="seed='x': expected a whole number"):
        task(seed="x")


def configured():
    """The configuration of each task of lm-eval that we bring, by its file."""
    loaded = {
        path: load_yaml(path, resolve_func=False) for path in task_configs_folder().rglob("*.yaml")
    }
    return {path: config for path, config in loaded.items() if isinstance(config.get("task"), str)}


def test_every_lm_eval_task_fixes_declared_values():
    tasks = configured()
    assert len(tasks) > 100
    asked = set()
    for path, config in tasks.items():
        fixed = dict(config["dataset_kwargs"])
        family = family_of_task(fixed["task"])
        spec = family.tasks[fixed.pop("task")]
        alone = fixed.pop("figures_of", None)
        asked.add(spec.name)
        assert path.parent.name == family.name, path
        assert path.stem == config["task"]
        for name in fixed.pop("may_say", {}):
            assert name not in {each.name for each in spec.parameters}, path
        values = spec.values(fixed)
        assert {name: values[name] for name in fixed} == fixed
        assert alone is None or alone == values["formats"], path
        taken = {each.name for each in spec.parameters if each.inspect_only is None}
        assert set(fixed) <= taken
    # What two of these ask at once is groups there; the third asks several models.
    elsewhere = {"instruction_boundary", "format_bias", "self_preference"}
    assert asked == set(IDS) - elsewhere | {"probe"}


@every_task
def test_inspect_asks_at_the_declared_temperature(family, spec):
    task = inspect_task(f"{family}/{spec.name}", **small(f"{family}/{spec.name}", 1))
    assert task.config.temperature == spec.temperature == 0


def test_lm_eval_asks_at_the_declared_temperature():
    for path, config in configured().items():
        asking = config["generation_kwargs"]
        if asking is None:  # a likelihood has no temperature
            assert config["output_type"] == "multiple_choice"
            continue
        fixed = config["dataset_kwargs"]
        spec = family_of_task(fixed["task"]).tasks[fixed["task"]]
        assert asking["temperature"] == spec.temperature, path
        assert asking["do_sample"] is (spec.temperature > 0), path


def test_what_groups_add_is_declared():
    for name in FAMILY_NAMES:
        family = load_family(name)
        for added in family.in_groups:
            assert added.check(added.default) == added.default
            somewhere = [
                each
                for spec in family.tasks.values()
                for each in spec.parameters
                if each.name == added.name
            ]
            assert somewhere or added.name == "first_round"  # of lm-eval alone
