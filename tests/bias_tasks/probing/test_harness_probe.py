"""What `bias_probe` finds of models with planted habits, and how it runs in the harness."""

import re
from collections import Counter

import pytest

from bias_tasks.contract.record import RECORD
from tests.bias_tasks.harness_runs import values
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


def test_a_model_that_always_says_the_first_label_is_not_consistent_under_order(mmlu):
    """Right is A in 3 of 12; a permutation moves the right choice from its label, always."""
    found = figures(mmlu, Scripted(first_label), probes="order,labels")
    assert found["score/plain"] == 0.25
    assert found["lost/order"] == 0.25
    assert found["same_answer/order"] < 0.5
    assert found["same_answer/labels"] == 1
    assert found["most_changed"] == pytest.approx(1 - found["same_answer/order"])


def test_likelihoods_are_not_asked_again_and_count_as_the_same_again(mmlu):
    model = Scripted(knowing)
    results = run(mmlu, "mmlu", model, n="all", probes="typo", repeats=5)
    assert len(model.asked) == COUNT * 2 * 4
    assert max(Counter(model.asked).values()) == 1
    found = values(results, "bias_probe")
    assert found["same_answer/repeat"] == 1
    notes = results["configs"]["bias_probe"]["metadata"][RECORD]["notes"]
    assert any("nothing is asked again" in note for note in notes)


def reply(context):
    """A letter that is right in every second question, and wrong where the words have slips."""
    row = row_of(context)
    if row["question"] not in context:
        return "Z"
    return right_label(context) if ROWS.index(row) % 2 else "A"


def test_written_letters_are_followed_to_their_choices(tmp_path):
    write_lettered(tmp_path, COUNT)
    model = Scripted(text=reply)
    found = figures(tmp_path, model, "lettered", probes="order,labels,typo", repeats=1)
    # Right are six by knowing them, and of the others those whose right choice is A: 0, 4 and 8.
    assert found["score/plain"] == found["score/repeat"] == 0.75
    assert found["score/typo"] == 0
    assert found["lost/order"] == 0.25
    assert found["same_answer/repeat"] == 1
    assert found["same_score/labels"] >= 0.75  # "A" is no label then


def test_repeats_of_written_answers_are_asked_of_the_model_though_others_are_cached(tmp_path):
    write_lettered(tmp_path, COUNT)
    options = {"use_cache": str(tmp_path / "answers")}
    plain(tmp_path, "lettered", Scripted(text=reply), options=options)
    model = Scripted(text=reply)
    run(tmp_path, "lettered", model, n="all", probes="system", repeats=2, options=options)
    assert len(model.asked) == 3 * COUNT  # the plain ones are the task's own, asked before
    again = Scripted(text=reply)
    run(tmp_path, "lettered", again, n="all", probes="system", repeats=2, options=options)
    assert again.asked == []
