"""Rewordings from a file: which of them a run uses, and its prompts and scores."""

import json
import math

import pytest
from click.testing import CliRunner
from inspect_ai import eval as inspect_eval

from bias_tasks.cli import main
from bias_tasks.contract.record import RECORD
from bias_tasks.data.core import core_rows
from bias_tasks.data.errors import DataError
from bias_tasks.digests import digest
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.rewordings import (
    find_defect,
    item_digest,
    read_rewordings,
    reason_not_to_reword,
)
from bias_tasks.simulated.roles import FRAME, reverse_words
from bias_tasks.written_texts_tasks import make_rewordings
from tests.bias_tasks.inspect_runs import values as inspect_values
from tests.bias_tasks.probing.outcomes import planned
from tests.bias_tasks.probing.probed import knows, own, run

ITEM = ProbedItem("i/1", "  What is the sum of 17 and 25?\n", ("forty", "forty-two"), (1,), "B")
FREE = ProbedItem("f", "Who wrote the book on the 3 hills?", target="Anna")
GOOD = "Adding 17 to 25 gives which figure?"
IDS = ("i/1", "f")
LETTERED = own("lettered_choices")


def row(item=ITEM, kind="paraphrase", reworded=GOOD, **changed):
    made = {"item": item.id, "kind": kind, "digest": item_digest(item), "reworded": reworded}
    if kind == "language":
        made["language"] = "German"
    made |= {"made": digest(reworded), "checks": {"text": "passed"}, "by": "model", "model": "m"}
    return made | changed


@pytest.fixture
def written(tmp_path):
    def write_rows(*rows):
        path = tmp_path / "r.jsonl"
        path.write_text("".join(json.dumps(each) + "\n" for each in rows), encoding="utf-8")
        return str(path)

    return write_rows


def asked_by(rewordings, *items, probes="paraphrase,system"):
    return planned(items or (ITEM,), probes, repeats=1, rewordings=rewordings, ids=IDS)


def texts_of(plan):
    """What the items are asked in other words."""
    return [each.perturbation.text for each in plan.questions if each.variant == "paraphrase"]


def test_rules_refuse_texts_that_cannot_replace_the_original():
    cases = {
        ("What is it?", "Which thing is it?"): None,
        ("What is it?", " \n "): "it is empty",
        ("What is it?", "what  is IT?"): "it is the original",
        ("What is it?", "x" * 200): "it is much longer or shorter than the original",
        ("What is it? " * 9, "It?"): "it is much longer or shorter than the original",
        ("What is it?", "What\x07 may it be?"): "it contains control characters",
        ("What is it?", "What may it be \ud800?"): "it contains control characters",
        ("Which?\nA) x\nB) y", "Which one?\nA) x"): "it adds or loses choices",
        ("Which?", "Which one?\nA) x\nB) y"): "it adds or loses choices",
        ("Fill {name} in ___.", "Put {name} there."): "it loses a placeholder",
        ("Fill {name} in ___.", "Put {name} into ___."): None,
    }
    found = {(o, t): find_defect(ProbedItem("i", o), t, "paraphrase") for o, t in cases}
    assert found == cases
    items = {" ": "no text of its own", "x" * 9000: "more than 8,000", "\ud800?": "surrogate"}
    assert all(told in reason_not_to_reword(ProbedItem("i", text)) for text, told in items.items())
    assert "continues" in reason_not_to_reword(ProbedItem("i", "The man then", correct=(0,)))


def test_a_row_is_used_unless_a_check_or_a_reviewer_refuses_it(written):
    failed = {"text": "passed", "same": "the model says that it does not ask the same"}
    edited = "17 and 25 come to what when they are added?"
    by_hand = {name: row()[name] for name in ("item", "kind", "digest", "reworded")}
    cases = [
        (row(), GOOD),
        (by_hand, GOOD),
        (row(checks=failed), "its rewording was refused (check same)"),
        (row(checks=failed, approved=True), GOOD),
        (row(approved=False), "its reviewer did not approve the rewording"),
        (row(checks=failed) | {"reworded": edited}, edited),
        (row() | {"reworded": ITEM.text}, "its rewording was refused (it is the original)"),
        (row(reworded="x", made=None) | {"reworded": None}, "no rewording of it was made"),
    ]
    found = []
    for given, _ in cases:
        plan = asked_by(written(given))
        found += [text.strip() for text in texts_of(plan)]
        found += [note.partition("for 1 (")[2][:-1] for note in plan.notes if "skipped" in note]
    assert found == [told for _, told in cases]
    plan = asked_by(written(row() | {"reworded": edited}))
    assert texts_of(plan) == [f"  {edited}\n"]
    assert plan.notes[0].startswith("paraphrase: 1 by hand, from ")


def test_questions_of_the_core_set_need_no_file():
    row = core_rows("binary")[0]
    item = ProbedItem("c", f"{row['context']}\n\n{row['question']}", target="yes")
    plans = [planned([item], "paraphrase", seed=seed) for seed in range(9)]
    assert {text for plan in plans for text in texts_of(plan)} == {
        f"{row['context']}\n\n{row[kind]}" for kind in ("synonym", "polite")
    }


def test_a_probe_without_its_rewordings_is_skipped_with_a_note(written):
    plan = asked_by(None, FREE, probes="paraphrase,typo")
    assert plan.probes == ("typo",)
    assert "paraphrase for 1 (the run has no file of rewordings)" in plan.notes[0]
    path = written(row(), row(FREE))
    for rewordings, there in ((None, set()), (path, {"paraphrase"})):
        with pytest.raises(ValueError, match=r"language needs .*make_rewordings -T task=TASK"):
            asked_by(rewordings, probes="language")
        plan = asked_by(rewordings, probes=None)
        assert {*plan.probes} & {"language", "paraphrase"} == there
    with pytest.raises(ValueError, match="rewordings: none of the selected probes uses it"):
        asked_by(path, probes="order,typo")


def test_messages_name_wrong_files_and_rows(written, tmp_path):
    (tmp_path / "d.jsonl").mkdir()
    files = {
        "row 2: it repeats row 1: the same paraphrase of item 'i/1'; remove": [
            row(),
            row(),
        ],
        "column kind: expected 'paraphrase'": [row(kind="synonym")],
        "column language: expected a language": [row(kind="language") | {"language": None}],
        "it has no row": [],
        "expected an existing .jsonl file": str(tmp_path / "none.jsonl"),
        r"expected an existing \.jsonl file; ": "rows.csv",
        "not a file": str(tmp_path / "d.jsonl"),
    }
    for told, given in files.items():
        path = written(*given) if isinstance(given, list) else given
        with pytest.raises(DataError, match=told):
            read_rewordings(path, IDS, [ITEM], "mine")
    path = written(row(task="mine"))
    assert read_rewordings(path, IDS, [ITEM], "mine").keys() == {("i/1", "paraphrase")}
    changed = ProbedItem("i/1", ITEM.text, ("forty", "two"))
    tasks = {
        "made from mine: other has no item 'i/1'": (["f"], [FREE], "other"),
        "item 'i/1' has another text or other choices in mine": (IDS, [changed], "mine"),
        "no row for an item of the run": (IDS, [FREE], "mine"),
    }
    for told, given in tasks.items():
        with pytest.raises(ValueError, match=told):
            read_rewordings(path, *given)


def made(folder, task):
    """The file that the simulated rewriter makes of a task."""
    out = str(folder / "made.jsonl")
    [log] = inspect_eval(
        make_rewordings(task, language="German"),
        model="simulated/rewriter",
        log_dir=str(folder),
        display="none",
    )
    done = CliRunner().invoke(main, ["collect", log.location, "--to", out])
    assert done.exit_code == 0, done.output
    return out


def shy(messages):
    """Knows the right choice, but where it is not asked in the items' own words."""
    others = (FRAME, "hcihW", "Hcihw")
    return "ANSWER: Z" if any(w in messages[-1].text for w in others) else knows(messages)


def test_inspect_uses_the_file_and_the_task_s_own_scorer(tmp_path, caplog):
    path = made(tmp_path, LETTERED)
    log = run(LETTERED, shy, tmp_path / "l", probes="paraphrase,language", rewordings=path)
    found = inspect_values(log)
    assert (found["score/baseline"], found["score/paraphrase"]) == (1, 0)
    assert math.isnan(found["flips_to_wrong/paraphrase"])  # none of its answers is parsed
    shown = log.results.scores[0].metrics
    assert math.isnan(shown["answers_changed/paraphrase"].value)
    assert "no answer under paraphrase is parsed" in caplog.text
    assert "the probed task's own scorer found no answer; by variant: paraphrase" in caplog.text
    example = "An example: the task's own scorer found no answer in 'ANSWER: Z'"
    assert example in caplog.text
    printed = CliRunner().invoke(main, ["results", log.location]).output
    for sentence in (example, "no answer under paraphrase is parsed"):
        assert sentence in " ".join(printed.split())
    # Five of six answers are unparsed, and so no flips. The sixth item begins with "Is".
    assert (found["flips_to_wrong/language"], found["flips_to_wrong/language_n"]) == (0, 1)
    assert found["score/language"] == pytest.approx(1 / 6)
    inputs = {each.id: each.input for each in log.samples}
    assert inputs["q1/language"] == reverse_words(inputs["q1/plain"])
    assert inputs["q1/paraphrase"] == f"{FRAME} {inputs['q1/plain']}"
    assert len({tuple(each.choices) for each in log.samples if each.id.startswith("q1/")}) == 1
    notes = log.eval.metadata[RECORD]["notes"]
    assert f"language (German): 6 by simulated/rewriter, from {path}" in notes
