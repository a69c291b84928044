"""`bias-tasks attack`, run again with other attacks: they are added, and nothing is asked twice."""

import json

import pytest

from tests.bias_tasks.complex_eval.attacker_runs import (
    manifest,
    read,
    replies_file,
    run,
)
from tests.bias_tasks.full_disk import full_disk

pytestmark = pytest.mark.usefixtures("hurry")
N = 3
FIRST, SECOND = "format", "solution_fixation"


def attack(out, names, *more):
    arguments = ("--data", "synthetic", "-n", N, "--attacker", "m", "--out", out)
    return run("math", *arguments, "--attacks", names, *more)


@pytest.fixture
def at_once(asked, tmp_path):
    """Rows and manifest of both attacks made in one run."""
    out = tmp_path / "at_once.jsonl"
    assert attack(out, f"{FIRST},{SECOND}").exit_code == 0
    asked.clear()
    return read(out), manifest(out)


def cut(path):
    path.write_bytes(path.read_bytes()[:-40])


@pytest.mark.parametrize(
    "between",
    [
        lambda out: None,
        lambda out: replies_file(out).unlink(),
        lambda out: out.unlink(),
        lambda out: cut(out),
        lambda out: cut(replies_file(out)),
    ],
    ids=["whole", "no replies", "no rows", "rows cut off", "replies cut off"],
)
def test_other_attacks_are_added(out, asked, at_once, between):
    attack(out, SECOND)
    before = list(asked)
    between(out)
    asked.clear()
    result = attack(out, FIRST)
    assert result.exit_code == 0, result.output
    assert not set(asked) & set(before)
    assert (read(out), manifest(out)) == at_once


def test_a_row_that_is_lost_with_its_replies_is_told_and_made_again(out, asked, at_once):
    attack(out, FIRST)
    replies_file(out).unlink()
    cut(out)
    asked.clear()
    result = attack(out, SECOND)
    assert "1 not made yet: run it again" in result.output
    assert manifest(out)["results"]["attacks"][FIRST]["lacking"] == 1
    assert attack(out, FIRST).exit_code == 0
    assert (read(out), manifest(out)) == at_once


def test_a_model_that_fails_takes_nothing_of_the_first_run_away(out, asked):
    attack(out, FIRST)
    rows = read(out)

    def answer(prompt):
        raise RuntimeError("no such model")

    asked.answer = answer
    result = attack(out, SECOND)
    assert result.exit_code == 1
    assert f"{N} of {N} items are not attacked yet" in result.output
    assert read(out) == rows


def test_a_wrong_row_is_named(out, asked):
    attack(out, FIRST)
    first, *others = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(b"".join([b'{"provenance": 1}\n', first, *others]))
    result = attack(out, SECOND)
    assert result.exit_code == 1
    assert "line 1 is no row that was made here" in " ".join(result.output.split())


@pytest.mark.parametrize("most", [0, 4000])
def test_a_full_disk_is_one_line_and_loses_nothing(out, asked, at_once, most):
    with full_disk(most):
        result = attack(out, f"{FIRST},{SECOND}", "--max-connections", 1)
    assert result.exit_code == 1
    assert result.output.count("Error: cannot write") == 1
    kept = replies_file(out).read_text(encoding="utf-8") if replies_file(out).exists() else ""
    assert all(map(json.loads, kept.splitlines()))
    lost = len(asked) - kept.count("\n")
    assert lost in (0, 1)
    assert attack(out, f"{FIRST},{SECOND}").exit_code == 0
    assert len(asked) == 4 * N + lost
    assert (read(out), manifest(out)) == at_once
