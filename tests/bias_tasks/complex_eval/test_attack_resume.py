"""`bias-tasks attack`, stopped and run again: nothing is lost, and nothing asked twice."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from bias_tasks.commands.attack import commands
from bias_tasks.complex_eval.attacks.check import check_attack
from bias_tasks.complex_eval.data.load import load_judged
from tests.bias_tasks.complex_eval import attacker_process
from tests.bias_tasks.complex_eval.attacker_process import CONNECTIONS, ITEMS, Faulty, arguments
from tests.bias_tasks.complex_eval.attacker_runs import (
    Asked,
    manifest,
    read,
    replies_file,
    run,
    synthetic,
)

pytestmark = pytest.mark.usefixtures("hurry")
N = 5
ROOT = Path(__file__).parents[3]


class ProviderError(RuntimeError):
    """What a provider raises."""


def again(out, *more):
    return run("math", "--data", "synthetic", "-n", N, "--out", out, "--attacker", "m", *more)


def process(out, log):
    command = [sys.executable, "-m", attacker_process.__name__, str(out), str(log)]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, stdout=subprocess.PIPE)


def test_a_thousand_attacks_survive_a_kill_and_requests_that_fail(tmp_path, out, monkeypatch):
    log = tmp_path / "requests"
    first = process(out, log)
    printed = first.stdout.readline()
    assert b"waiting" in printed, printed
    os.kill(first.pid, signal.SIGKILL)
    first.communicate()
    assert not out.exists()
    kept = replies_file(out).read_bytes().count(b"\n")
    replied = Counter(log.read_text().split("\n"))
    assert 0 < kept < 2 * ITEMS

    monkeypatch.setattr(commands, "open_model", lambda *opened: Faulty(log, seed=2))
    for _ in range(3):  # a request that failed five times is left for the next run
        result = run(*arguments(out))
        if result.exit_code == 0:
            break
    assert result.exit_code == 0, result.output
    requests = Counter(line for line in log.read_text().split("\n") if line)
    answered = {line: n for line, n in requests.items() if line.startswith("reply")}
    faults = sum(n for line, n in requests.items() if line.startswith("fault"))
    assert len(answered) == 2 * ITEMS
    twice = {line for line, n in answered.items() if n > 1}
    assert len(twice) <= CONNECTIONS  # those under way at the kill
    assert all(line in replied and answered[line] == 2 for line in twice)
    assert 0.15 < faults / sum(requests.values()) < 0.25

    items = load_judged("basic", str(out)).items
    assert len(items) == ITEMS
    for item in items:
        assert {name: check_attack(item, name, text) for name, text in item.attacked.items()} == {
            "reference": None,
            "rubric": None,
        }


@pytest.mark.parametrize("kept", [0, 1, 700, 5_000, 20_000])
def test_a_reply_that_a_kill_cut_off_is_asked_for_again(out, asked, kept):
    again(out)
    whole, rows = replies_file(out).read_bytes(), out.read_bytes()
    told = manifest(out)
    replies_file(out).write_bytes(whole[:kept])
    out.unlink()
    complete = whole[:kept].count(b"\n")
    asked.clear()
    assert again(out).exit_code == 0
    assert len(asked) == whole.count(b"\n") - complete
    assert out.read_bytes() == rows
    assert manifest(out) == told


def test_the_same_again_asks_nothing(out, asked):
    again(out)
    rows = out.read_bytes()
    asked.clear()
    assert again(out, "--max-connections", 2).exit_code == 0
    assert not asked
    assert out.read_bytes() == rows


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("--seed", 1), "another data, items, seed"),
        (("-n", N - 1), "another data, items"),
        (("--attacker", "other"), "another models"),
    ],
)
def test_other_arguments_are_refused(out, asked, change, told):
    again(out)
    rows, before = out.read_bytes(), manifest(out)
    asked.clear()
    result = again(out, *change)
    assert result.exit_code == 1
    assert f"{out} was made with {told}: give another --out" in result.output
    assert not asked
    assert (out.read_bytes(), manifest(out)) == (rows, before)


def test_a_file_of_somebody_else_is_left_alone(out, asked):
    out.write_text("mine\n", encoding="utf-8")
    result = again(out)
    assert result.exit_code == 1
    assert "is there without its manifest" in result.output
    assert out.read_text(encoding="utf-8") == "mine\n"


@pytest.mark.parametrize("content", ["", "[]", '{"run": []}', "[" * 100_000])
def test_a_manifest_that_cannot_be_read_is_told(out, asked, content):
    out.with_name("out.jsonl.manifest.json").write_text(content, encoding="utf-8")
    result = again(out)
    assert result.exit_code == 1
    assert "is no manifest that can be read: give another --out" in result.output


@pytest.mark.parametrize("line", ["{}", "[]", "what?", "[" * 100_000, '{"asked": []}'])
def test_a_wrong_line_among_the_replies_is_named(out, asked, line):
    again(out)
    first, _, *others = replies_file(out).read_text(encoding="utf-8").splitlines()
    replies_file(out).write_text("\n".join([first, line, *others, ""]), encoding="utf-8")
    result = again(out)
    assert result.exit_code == 1
    assert "line 2 is no reply that was kept here" in " ".join(result.output.split())


def test_a_model_that_fails_on_one_item_leaves_the_others(out, asked):
    items = synthetic("math", N)
    good = asked.answer

    def answer(prompt):
        if items[2].reference in prompt:
            raise ProviderError("quota\nexceeded")
        return good(prompt)

    asked.answer = answer
    result = again(out)
    assert result.exit_code == 1
    assert f"1 of {N} items are not attacked yet" in result.output
    assert "mockllm/m failed: ProviderError: quota exceeded" in result.output
    assert "run the same again to go on" in result.output
    assert [row["id"] for row in read(out)] == [item.id for item in items if item is not items[2]]
    assert manifest(out)["results"]["failed"] == 1
    asked.answer = good
    asked.clear()
    assert again(out).exit_code == 0
    assert len(asked) == 4
    assert [row["id"] for row in read(out)] == [item.id for item in items]


def test_a_model_that_always_fails_is_soon_left_alone_and_takes_nothing_away(out, asked):
    again(out)
    rows = read(out)
    _, kept = replies_file(out).read_bytes().split(b"\n", 1)
    replies_file(out).write_bytes(kept)
    out.unlink()

    def answer(prompt):
        raise ProviderError("no such model")

    asked.answer = answer
    asked.clear()
    assert again(out).exit_code == 1
    assert len(asked) == 5
    left = read(out)
    assert [row for row in rows if row in left] == left
    assert len(left) == N - 1


def test_requests_stop_after_failures_in_a_row(out, monkeypatch):
    def answer(prompt):
        raise ProviderError("no such model")

    asked = Asked(monkeypatch, answer)
    arguments = ("--data", "synthetic", "-n", 60, "--attacker", "m", "--max-connections", 1)
    result = run("math", *arguments, "--out", out)
    assert result.exit_code == 1
    assert len(asked) == 5 * 5
    assert read(out) == []
    assert "failed: ProviderError: no such model" in result.output


def test_what_is_kept_is_what_the_rows_tell(out, asked):
    again(out)
    kept = Counter(json.loads(line)["reply"] for line in replies_file(out).open(encoding="utf-8"))
    told = Counter(
        reply["output"]
        for row in read(out)
        for made in row["provenance"]["attacks"].values()
        for step in made["steps"]
        for reply in step["replies"]
    )
    assert kept == told
