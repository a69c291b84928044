"""What `bias_probe` finds of models with planted habits, and how its runs are read again."""

import json
import re

import pytest

from bias_tasks.contract.record import RECORD
from bias_tasks.families import load_family
from bias_tasks.probing.probes.prompt import SYSTEM_MESSAGES
from bias_tasks.results.find import read_answers
from bias_tasks.statistics.estimate import flatten
from tests.bias_tasks.harness_runs import log, values
from tests.bias_tasks.probing.harness_tasks import (
    LAYOUTS,
    Scripted,
    plain,
    run,
    write,
    write_lettered,
)

COUNT = 12
ROWS = tuple(map(LAYOUTS["mmlu"][1], range(COUNT)))
_OPTION = re.compile(r"^\(?([A-Z]+|\d+)[.)]\s*(.*)$", re.MULTILINE)
_NUMBER = re.compile(r" (\d+)\.\n")


def row_of(context):
    """The row that is asked about last: no probe changes its number."""
    return ROWS[int(_NUMBER.findall(context)[-1])]


def right_label(context):
    """The label behind which the last question's right choice is printed."""
    row = row_of(context)
    wanted = row["choices"][row["answer"]].casefold()
    shown = {text.casefold(): label for label, text in _OPTION.findall(context)}
    return shown[wanted]


def knowing(context, continuation):
    return 0 if continuation.strip() == right_label(context) else -5


def first_label(context, continuation):
    """The habit of a model that always says the first label, whatever stands behind it."""
    return 0 if continuation.strip() in ("A", "1", "I", "P") else -5


@pytest.fixture
def mmlu(tmp_path):
    write(tmp_path, "mmlu", COUNT)
    return tmp_path


def figures(folder, model, task="mmlu", **metadata):
    return values(run(folder, task, model, n="all", **metadata), "bias_probe")


def test_a_model_that_always_gives_the_first_label_changes_under_order(mmlu):
    """Right is A in 3 of 12; a permutation moves the right choice from its label, always."""
    found = figures(mmlu, Scripted(first_label), probes="order,labels")
    assert found["score/baseline"] == 0.25
    assert found["flips_to_wrong/order"] == 0.25
    assert found["same_answer/order"] < 0.5
    assert found["same_answer/labels"] == 1
    assert found["max_answers_changed"] == pytest.approx(1 - found["same_answer/order"])


def reply(context):
    """A letter that is right in every second question, and wrong where the words have slips."""
    row = row_of(context)
    if row["question"] not in context:
        return "Z"
    return right_label(context) if ROWS.index(row) % 2 else "A"


def test_repeats_of_written_answers_do_not_come_from_the_cache(tmp_path):
    write_lettered(tmp_path, COUNT)
    options = {"use_cache": str(tmp_path / "answers")}
    plain(tmp_path, "lettered", Scripted(text=reply), options=options)
    model = Scripted(text=reply)
    run(tmp_path, "lettered", model, n="all", probes="system", repeats=2, options=options)
    assert len(model.asked) == 3 * COUNT  # the plain ones are the task's own, asked before
    again = Scripted(text=reply)
    run(tmp_path, "lettered", again, n="all", probes="system", repeats=2, options=options)
    assert again.asked == []


SCORING = """
def score(doc, results):
    likelihoods = [likelihood for likelihood, _ in results]
    return {"acc": float(likelihoods.index(max(likelihoods)) == doc["answer"])}

"""


@pytest.mark.parametrize(("habit", "score"), [(knowing, 1.0), (first_label, None)])
def test_a_scoring_function_finds_the_target_in_the_document(habit, score, tmp_path):
    (tmp_path / "scoring.py").write_text(SCORING)
    path = write(tmp_path, "mmlu", COUNT)
    path.write_text(f"{path.read_text()}process_results: !function scoring.score\n")
    found = values(run(tmp_path, "mmlu", Scripted(habit), n="all", probes="order"), "bias_probe")
    assert found["score/order"] == (found["flips_to_right/order"] if score is None else score)
    assert found["flips_to_wrong/order"] == (0.25 if score is None else 0)


def test_metrics_recomputed_from_samples_equal_those_of_the_run(tmp_path):
    write(tmp_path, "mmlu", COUNT)
    write_lettered(tmp_path, COUNT)
    for task in ("mmlu", "lettered"):
        model = Scripted(first_label, reply)
        results = run(tmp_path, task, model, n="all", probes="order,typo")
        log(results, "bias_probe", tmp_path / f"of_{task}")
        [path] = (tmp_path / f"of_{task}").rglob("results_*.json")
        [found] = read_answers(path)
        again = load_family("probing").compute_metrics(found.outcomes(), {})
        assert flatten(again) == pytest.approx(values(results, "bias_probe"), abs=0, nan_ok=True)
        assert all(answer.prompt for answer in found.answers)


def test_a_system_message_of_a_probe_begins_the_chat(mmlu):
    """It is a message of its own, or else precedes the run's."""
    for chat, system in ((True, None), (True, "Be brief."), (False, None)):
        model, options = Scripted(lambda *_: 0), {"apply_chat_template": chat}
        options |= {"system_instruction": system} if system else {}
        run(mmlu, "mmlu", model, n=1, probes="system", options=options)
        (plain, _), (probed, _) = model.asked[0], model.asked[-1]
        if not chat:
            assert probed.endswith(f"\n\n{plain}")
            continue
        first, *others = json.loads(probed)
        assert first["role"] == "system"
        assert first["content"].startswith(SYSTEM_MESSAGES)
        assert (f"\n\n{system}\n\n" in first["content"]) == (system is not None)
        assert others == [m for m in json.loads(plain) if m["role"] != "system"]


def test_the_digest_depends_on_the_task_s_prompts_and_scores(tmp_path):
    digests = []
    for changed in ({}, {"target_delimiter": "\n"}, {"description": "Answer.\n\n"}):
        write(tmp_path, "arc_easy", 4, **changed)
        results = run(tmp_path, "arc_easy", Scripted(lambda *_: 0), n=2)
        digests.append(results["configs"]["bias_probe"]["metadata"][RECORD]["digest"])
    results = run(tmp_path, "arc_easy", Scripted(lambda *_: 0), n=2, metric="acc_norm")
    digests.append(results["configs"]["bias_probe"]["metadata"][RECORD]["digest"])
    assert len(set(digests)) == 4
