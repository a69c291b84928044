"""`bias-tasks data list` and `bias-tasks data fetch`."""

import json

import pytest
from click.testing import CliRunner

from bias_tasks.commands.data import command as commands
from bias_tasks.commands.data.catalogue import SOURCES
from bias_tasks.data.errors import DataError


def _run(*arguments):
    return CliRunner().invoke(commands.data, arguments)


def test_list_names_every_data_set_with_its_facts(tmp_path, monkeypatch):
    monkeypatch.setenv("BIAS_TASKS_DATA", str(tmp_path))
    result = _run("list")
    assert result.exit_code == 0
    for source in SOURCES.values():
        assert source.name in result.output
        assert f"licence: {source.licence}" in result.output
        assert (source.revision or "that the first load resolves") in result.output
    assert "synthetic" in result.output


def test_list_as_json(tmp_path, monkeypatch):
    monkeypatch.setenv("BIAS_TASKS_DATA", str(tmp_path))
    facts = {row["name"]: row for row in json.loads(_run("list", "--json").output)}
    assert set(facts) == {*SOURCES, "synthetic"}
    row = facts["ib_choice"]
    assert (row["records"], row["published"], row["corrected"]) == (450, 450, 373)
    assert row["labels"] == {"single": 73, "multiple": 150, "none": 150}
    assert [name for name, row in facts.items() if row["default"]] == ["ib_choice", "folio"]
    assert [name for name, row in facts.items() if row["cached"]] == ["synthetic"]
    assert facts["fld"]["revision"] is None


def test_list_says_what_is_cached(shared_data):
    facts = json.loads(_run("list", "--json").output)
    cached = {row["name"] for row in facts if row["cached"]}
    assert {"ib_choice", "ib_choice_2700", "folio", "mmlu_pro"} <= cached


@pytest.fixture
def fetched(monkeypatch):
    """Names of the sources that were fetched; `fld` and `ib_judging` fail."""
    names = []

    def fetch(source):
        if source.name in ("fld", "ib_judging"):
            raise DataError(f"cannot fetch {source.name}")
        names.append(source.name)

    monkeypatch.setattr(commands, "fetch_source", fetch)
    return names


def test_fetch_takes_the_defaults(fetched):
    assert _run("fetch").exit_code == 0
    assert set(fetched) == {"ib_choice", "folio"}


def test_fetch_goes_on_after_a_failure_and_tells_each_at_the_end(fetched):
    result = _run("fetch", "fld", "folio", "ib_judging", "mmlu_pro")
    assert result.exit_code == 1
    assert fetched == ["folio", "mmlu_pro"]
    assert "fld: cannot fetch fld\nib_judging: cannot fetch ib_judging\n" in result.output
    assert result.output.index("mmlu_pro: cached in") < result.output.index("cannot fetch")


def test_fetch_of_an_unknown_data_set(fetched):
    result = _run("fetch", "nope")
    assert result.exit_code == 2
    assert "unknown source 'nope'; the sources are ib_choice," in result.output
