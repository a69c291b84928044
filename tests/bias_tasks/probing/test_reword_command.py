"""`bias-tasks reword`: what is asked of a model, what becomes of its replies, and going on."""

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from bias_tasks import probe
from bias_tasks.cli import main
from bias_tasks.commands.model_calls.alone import alone
from bias_tasks.commands.reword import commands
from bias_tasks.probing.rewordings.checks import PASSED
from bias_tasks.probing.rewordings.file import read_rewordings
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.rewriter import FRAME, Rewriter
from tests.bias_tasks.full_disk import full_disk
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.probing.harness_tasks import write
from tests.bias_tasks.probing.probed import own

LETTERED = own("lettered_choices")
SIX = 6


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.jsonl"


class Asked(list):
    """The prompts that the command's model got, and how it replies."""

    def __init__(self, monkeypatch):
        super().__init__()
        self.rewriter = Rewriter()

        def reply(prompt):
            self.append(prompt)
            return self.rewriter.respond(prompt, KnownItems())

        monkeypatch.setattr(commands, "open_model", lambda role, name, limits: mock(reply, name))


@pytest.fixture
def asked(monkeypatch):
    return Asked(monkeypatch)


def run(out, *more, task=LETTERED, model="m"):
    given = ["--model", model] if model else []
    arguments = ["reword", task, "--out", out, *given, *more]
    return CliRunner().invoke(main, [str(each) for each in arguments])


def rows(out):
    return [json.loads(line) for line in Path(out).read_text(encoding="utf-8").splitlines()]


def test_every_item_is_reworded_and_translated(out, asked):
    result = run(out, "--language", "German")
    assert result.exit_code == 0
    assert "paraphrase: 6 of 6 items can be asked; 1 by the grammar" in result.output
    assert "language: 6 of 6 items can be asked" in result.output
    found = rows(out)
    assert Counter(each["kind"] for each in found) == {"paraphrase": SIX, "language": SIX}
    assert len(asked) == len(set(asked)) == (SIX - 1) * 2 + SIX * 3
    first, second = found[:2]
    assert first["item"] == second["item"] == "q0"
    assert first["reworded"].startswith(FRAME)
    assert second["back_translation"] == second["original"] != second["reworded"]
    assert {*first["checks"].values(), *second["checks"].values()} == {PASSED}
    assert "same" in first["checks"]
    assert (second["language"], second["model"], second["attempts"]) == ("German", "mockllm/m", 1)
    # nobody who translates back, or judges, is shown what the other call was shown
    backs = [each for each in asked if "from German into English" in each]
    assert len(backs) == SIX
    assert not any("strangers" in each for each in backs)


@pytest.mark.parametrize(
    ("fault", "check"),
    [
        ("drop_number", "numbers"),
        ("negate", "negation"),
        ("answer", "question"),
        ("preamble", "preamble"),
        ("repeat", "different"),
        ("huge", "form"),
        ("empty", "form"),
        ("disagree", "same"),
    ],
)
def test_what_is_planted_in_a_model_is_caught_and_kept_for_review(
    out, asked, tmp_path, fault, check
):
    asked.rewriter = Rewriter(**{fault: 1.0})
    path = write(tmp_path, "arc_easy", 3)
    result = run(out, "--host", "lm-eval", "-T", "n=1", "--max-connections", 1, task=path)
    assert result.exit_code == 0
    assert f"paraphrase: 0 of 1 items can be asked; 1 refused ({check} 1)" in result.output
    for each in rows(out):
        refused = {name: told for name, told in each["checks"].items() if told != PASSED}
        assert next(iter(refused)) == check
        assert (each["reworded"] is None) == (fault == "empty")
        assert len(each["reworded"] or "") <= 2000
        assert each["attempts"] == (1 if fault == "disagree" else 3)
    assert asked[1].startswith("To the request below") or fault == "disagree"


def test_a_translation_that_lost_something_is_told_by_its_way_back(out, asked, monkeypatch):
    def reply(prompt):
        asked.append(prompt)
        said = Rewriter().respond(prompt, KnownItems())
        return said.replace("strangers", "friends of Bello") if "German into" in prompt else said

    monkeypatch.setattr(commands, "open_model", lambda role, name, limits: mock(reply, name))
    run(out, "--language", "German", "-T", "seed=1")
    [first] = [e for e in rows(out) if e["item"] == "q0" and e["kind"] == "language"]
    assert first["checks"]["same"] == PASSED  # the model saw nothing in it; a person may
    assert "Bello" in first["back_translation"]


def test_a_run_goes_on_and_asks_nothing_twice(out, asked):
    run(out, "--language", "German")
    whole, before = out.read_bytes(), len(asked)
    assert run(out, "--language", "German").exit_code == 0
    assert (out.read_bytes(), len(asked)) == (whole, before)
    lines = whole.splitlines(keepends=True)
    out.write_bytes(b"".join(lines[:4]) + lines[4][:50])  # as a kill leaves it
    asked.clear()
    assert run(out, "--language", "German").exit_code == 0
    assert out.read_bytes() == whole
    assert 0 < len(asked) < before


def test_every_row_is_on_the_disk_at_once(out, asked, monkeypatch):
    class KilledError(BaseException):
        """Ends the run as a signal would."""

    respond = Rewriter.respond

    def dies(self, prompt, known):
        if len(asked) == 5:
            raise KilledError
        return respond(self, prompt, known)

    with monkeypatch.context() as patch:
        patch.setattr(Rewriter, "respond", dies)
        patch.setattr(commands.Output, "__exit__", lambda self, *error: None)
        with pytest.raises(KilledError):
            run(out, "--max-connections", 1)
    assert len(rows(out)) == 2
    asked.clear()
    assert run(out).exit_code == 0
    assert len(rows(out)) == SIX
    # one was made by the grammar, two rows were written, of which the second is asked of nobody
    assert len(asked) == (SIX - 1 - 2) * 2


def test_another_model_is_asked_for_what_was_refused_alone(out, asked):
    asked.rewriter = Rewriter(preamble=0.5)
    run(out)
    bad = [each["item"] for each in rows(out) if each["checks"].get("preamble", PASSED) != PASSED]
    assert 0 < len(bad) < SIX
    edited = rows(out)
    place = next(p for p, each in enumerate(edited) if each["item"] == bad[0])
    edited[place]["approved"] = False
    out.write_text("".join(json.dumps(each) + "\n" for each in edited))
    asked.rewriter = Rewriter()
    asked.clear()
    assert run(out, model="other").exit_code == 0
    assert len(asked) == 2 * (len(bad) - 1)
    assert len(read_rewordings(str(out)).rows) == SIX


def test_what_a_reviewer_wrote_stays(out, asked):
    run(out, "-T", "n=2")
    edited = rows(out)
    edited[0] |= {"reworded": "Mine?", "approved": True}
    out.write_text("".join(json.dumps(each) + "\n" for each in edited))
    asked.clear()
    assert run(out).exit_code == 0
    assert [e for e in rows(out) if e["item"] == edited[0]["item"]] == [edited[0]]
    assert len(rows(out)) == SIX


def test_without_a_model_the_grammar_rewords_what_it_can(out):
    result = run(out, model=None)
    assert result.exit_code == 0
    assert "1 of 6 items can be asked; 1 by the grammar; 5 without a row: give --model" in (
        result.output
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--kinds", "language"], "--kinds language takes --language"),
        (["--kinds", "paraphrase", "--language", "German"], "--language says nothing without"),
        (["--kinds", "translation"], "expected some of paraphrase, language"),
        (["--language", "english"], "--language is the items' own, English"),
        (["--language", " "], "--language is empty"),
        (["-T", "probes=typo"], "-T probes: it says how a run asks"),
        (["-T", "subject=law"], "unknown parameter 'subject'"),
        (["-T", "n=0"], "n=0: expected a whole number from 1 on"),
        (["--host", "lm-eval", "-T", "count=2"], "unknown parameter 'count'"),
    ],
)
def test_what_can_not_be_done_is_said_in_a_line(out, asked, arguments, told):
    result = run(out, *arguments)
    assert result.exit_code != 0
    assert told in " ".join(result.output.split())
    assert not asked
    assert not out.exists()


def test_a_file_of_another_task_or_language_is_refused(out, asked):
    run(out, "--language", "German")
    whole = out.read_bytes()
    other = run(out, task=own("free_text"))
    assert f"was made from {LETTERED}" in other.output
    french = run(out, "--language", "French")
    assert "has translations from English into German. Give another --out" in french.output
    assert out.read_bytes() == whole


def test_one_process_at_a_time_writes_a_file(out, asked):
    with alone(out):
        result = run(out)
    assert "another process writes" in result.output
    assert not asked
    assert run(out).exit_code == 0


def test_what_items_share_is_asked_once_and_lines_stay(out, asked, tmp_path):
    (tmp_path / "mine.py").write_text(
        "from inspect_ai import Task, task\n"
        "from inspect_ai.dataset import Sample\n"
        "from inspect_ai.scorer import includes\n"
        "TEXT = 'The rule:\\n\\tx = 1\\nWhat is x?'\n"
        "@task\n"
        "def mine():\n"
        "    texts = [TEXT, TEXT, '', 'What is \\ud800?', 'How? ' * 2000]\n"
        "    return Task(dataset=[Sample(input=t, target='1', id=i) for i, t in enumerate(texts)],"
        " scorer=includes())\n"
    )
    result = run(out, task=tmp_path / "mine.py")
    assert result.exit_code == 0
    first, second, *unfit = rows(out)
    assert first["reworded"] == f"{FRAME} the rule:\n        x = 1\nWhat is x?"
    assert second["reworded"] == first["reworded"]
    assert len(asked) == 2
    assert [each["checks"]["text"] for each in unfit] == [
        "it has no text of its own",
        "its text holds half of a surrogate pair",
        "its text has more than 8,000 characters",
    ]
    assert {each["by"] for each in unfit} == {"nobody"}
    planned = probe(task=f"{tmp_path}/mine.py", probes="paraphrase", rewordings=str(out))
    asked_items = [s.id for s in planned.dataset if str(s.id).endswith("/paraphrase")]
    assert asked_items == ["0/paraphrase", "1/paraphrase"]


def test_other_kinds_are_added_and_other_models_named(out, asked):
    assert run(out).exit_code == 0
    first = rows(out)
    asked.clear()
    result = run(out, "--kinds", "language", "--language", "German", model="other")
    assert result.exit_code == 0
    assert f"{out} keeps what other models made: mockllm/m ({SIX - 1})" in result.stderr
    assert [each for each in rows(out) if each["kind"] == "paraphrase"] == first
    assert len(asked) == SIX * 3
    assert len(rows(out)) == 2 * SIX


def test_a_full_disk_is_one_line_and_loses_nothing(out, asked, tmp_path):
    whole = tmp_path / "whole.jsonl"
    run(whole)
    asked.clear()
    with full_disk(1500):
        result = run(out, "--max-connections", 1)
    assert result.exit_code == 1
    assert result.output.count("Error: cannot write") == 1
    assert 0 < len(rows(out)) < SIX
    assert run(out).exit_code == 0
    assert out.read_bytes() == whole.read_bytes()
    assert len(asked) == (SIX - 1) * 2 + 2  # one row, with its judgement, found no room
