"""Values in messages, and hints to the nearest valid name."""

import math

import pytest

from bias_tasks.commands.inspect_options import parse_name_values
from bias_tasks.contract.parameters import Parameter, select_names
from bias_tasks.families import FAMILY_NAMES, import_family, load_family
from bias_tasks.messages import format_count, format_value
from bias_tasks.user_names import did_you_mean, find_nearest, unknown_name

KNOWN = ("judging", "choice", "all", "bolding", "n", "format_gsm8k_train", "format_semeval2017")
NEAREST = {
    **{"chioce": "choice", "JUDGING": "judging", "nn": "n", "bold": "bolding"},
    **{"gsm": "format_gsm8k_train", "gs": None, "format": None},  # too short a part; a part of two
    **{"xyz": None, "": None, 7: None, None: None},
}
HUGE = "x" * 3_000_000
LONG = (HUGE, [HUGE], {HUGE: HUGE}, ["x"] * 100_000, -(10**10_000), [[[[[[[HUGE]]]]]]])
LINE = 600


def test_the_nearest_name_is_found():
    assert {name: find_nearest(name, KNOWN) for name in NEAREST} == NEAREST
    hint = did_you_mean(["chioce", "xyz", "choic", "bold"], KNOWN)
    assert hint == " (did you mean 'choice' or 'bolding'?)"
    assert did_you_mean(["xyz"], KNOWN) == did_you_mean([], KNOWN) == ""
    assert find_nearest(HUGE, ("xxx",)) is None


def test_a_family_that_there_is_none_of(tmp_path, monkeypatch):
    for name in ("binary_QA", "nosuch", "os", "", ".x", "..", "bias_tasks", "a b"):
        with pytest.raises(ValueError, match=f"there is no family '{name}'.*{FAMILY_NAMES[-1]}"):
            load_family(name)
        with pytest.raises(ValueError, match=f"there is no family '{name}'"):
            import_family(name)
    (tmp_path / "broken_family.py").write_text("import no_such_module\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        import_family("broken_family")


def test_a_short_value_is_its_repr_and_a_long_one_is_truncated():
    for value in ("a\n", 3, -0.5, math.nan, None, [1, 2], {"a": 1}, (1,)):
        assert format_value(value) == repr(value)
    assert [format_value(value) for value in (True, False)] == ["true", "false"]  # as typed
    for value in LONG:
        assert len(format_value(value)) <= LINE
        for kind in ("shard", "number", "whole", "flag", "weights"):
            with pytest.raises(ValueError, match="expected") as refused:
                Parameter("it", kind, 0, "what it does", values=("word",)).check(value)
            assert len(str(refused.value)) <= LINE
    assert len(unknown_name(HUGE, ("a",), "parameters")) <= LINE
    with pytest.raises(ValueError, match="expected some of a, b") as refused:
        select_names("it", [f"{number}{HUGE}" for number in range(20)], ("a", "b"))
    assert len(str(refused.value)) <= 10 * LINE


def test_values_of_a_command_line():
    found = parse_name_values("-T", ["n=3", "data=a.jsonl", "names=[a, b]", "on=true"])
    assert found == {"n": 3, "data": "a.jsonl", "names": ["a", "b"], "on": True}
    for setting in (HUGE, "=3", f"n=[{'[' * 5_000}"):
        with pytest.raises(ValueError, match=r"^-T ") as refused:
            parse_name_values("-T", [setting])
        assert len(str(refused.value)) <= LINE


def test_a_noun_is_plural_unless_its_number_is_1():
    counts = [format_count(count, "other shard") for count in (0, 1, 2, 2000)]
    assert counts == ["0 other shards", "1 other shard", "2 other shards", "2,000 other shards"]
