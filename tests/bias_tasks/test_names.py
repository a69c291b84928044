"""The nearest name of one that there is none of."""

import pytest

from bias_tasks.families import FAMILY_NAMES, load_family
from bias_tasks.names import did_you_mean, nearest

KNOWN = ("judging", "choice", "all", "bolding", "n", "format_gsm8k_train", "format_semeval2017")


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("chioce", "choice"),
        ("JUDGING", "judging"),
        ("nn", "n"),
        ("bold", "bolding"),
        ("gsm", "format_gsm8k_train"),
        ("gs", None),  # too short a part of a name
        ("format", None),  # a part of two
        ("xyz", None),
        ("", None),
        (7, None),
        (None, None),
        ([], None),
    ],
)
def test_the_nearest_name(name, near):
    assert nearest(name, KNOWN) == near


def test_it_is_told_once_for_each_that_has_one():
    assert did_you_mean(["chioce", "xyz", "choic", "bold"], KNOWN) == (
        " (did you mean 'choice' or 'bolding'?)"
    )
    assert did_you_mean(["xyz"], KNOWN) == did_you_mean([], KNOWN) == ""


@pytest.mark.parametrize("name", ["binary_QA", "nosuch", "os", "", ".x", "..", "bias_tasks", "a b"])
def test_a_family_that_there_is_none_of(name):
    with pytest.raises(ValueError, match=f"there is no family '{name}'.*{FAMILY_NAMES[-1]}"):
        load_family(name)


def test_a_module_that_a_family_lacks_is_named_itself(tmp_path, monkeypatch):
    (tmp_path / "broken_family.py").write_text("import no_such_module\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        load_family("broken_family")
