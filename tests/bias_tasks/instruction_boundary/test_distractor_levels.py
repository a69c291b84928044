"""Several numbers of distractors side by side, and what is said of items with too few options."""

import pytest
from inspect_ai import eval as inspect_eval

from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.respondents.harness_model import SimulatedLM
from bias_tasks.tasks import instruction_boundary as tasks
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.harness_runs import run, values

MISCELLANY = "disturbing_miscellany"
SYNTHETIC = {"data": "synthetic", "form": "choice", "n": 12}


def plan(task=MISCELLANY, **given):
    return FAMILY.plan(task, FAMILY.tasks[task].values(given))


def test_the_levels_share_one_twin_and_only_add_options():
    questions = plan(**SYNTHETIC, distractors="1,5,9").questions
    variants = [question.variant for question in questions[:4]]
    assert variants == [f"{MISCELLANY}@1", f"{MISCELLANY}@5", f"{MISCELLANY}@9", "vanilla"]
    assert len(questions) == 4 * 12
    assert len({question.id for question in questions}) == len(questions)
    for start in range(0, len(questions), 4):
        one, five, nine, twin = questions[start : start + 4]
        positions = [set(q.facts["shown"]["positions"]) for q in (one, five, nine)]
        assert positions[0] < positions[1] < positions[2]
        assert [len(each) for each in positions] == [2, 6, 10]
        assert one.prompt == twin.prompt
        assert (one.repeats, five.repeats, twin.repeats) == (True, False, False)


def test_a_single_level_is_asked_under_the_settings_own_name():
    assert [q.variant for q in plan(**SYNTHETIC, distractors=[4]).questions[:2]] == [
        MISCELLANY,
        "vanilla",
    ]


def test_without_pairs_the_levels_stand_alone():
    questions = plan(**SYNTHETIC, distractors="all", paired=False).questions
    assert [q.variant for q in questions[:9]] == [f"{MISCELLANY}@{n}" for n in range(1, 10)]
    assert len(questions) == 9 * 12


def test_all_settings_ask_each_level_once_beside_the_others():
    questions = plan(
        "instruction_boundary", data="synthetic", form="choice", n=2, distractors=[1, 2]
    ).questions
    variants = [question.variant for question in questions[: len(questions) // 2]]
    assert variants.count("vanilla") == 1
    assert [v for v in variants if v.startswith(MISCELLANY)] == [
        f"{MISCELLANY}@1",
        f"{MISCELLANY}@2",
    ]
    assert not any(question.repeats for question in questions)  # vanilla shows every option


@pytest.mark.parametrize("task", [MISCELLANY, "instruction_boundary"])
@pytest.mark.parametrize("form", ["all", "judging"])
def test_several_levels_of_judging_items_are_refused(task, form):
    with pytest.raises(ValueError, match="run them with form=choice"):
        plan(task, data="synthetic", form=form, distractors="1,2")


PLANTED = {"accuracy": 0.9, "seed": 4}


def test_the_curve_is_the_same_in_both_hosts(tmp_path):
    """Figures of each level, paired with the twin, their p-values adjusted across levels."""
    parameters = {**SYNTHETIC, "n": 30, "distractors": "1,3,9"}
    [log] = inspect_eval(
        tasks.disturbing_miscellany(**parameters),
        model="simulated/steadfast",
        model_args=PLANTED,
        log_dir=str(tmp_path),
        display="none",
        log_realtime=False,
    )
    assert log.status == "success", log.error
    ours = inspect_runs.values(log)
    task = f"ib_{MISCELLANY}_choice"
    theirs = values(run([task], SimulatedLM("steadfast", **PLANTED), **parameters), task)
    assert ours == pytest.approx(theirs, abs=1e-9, nan_ok=True)
    for level in (1, 3, 9):
        name = f"{MISCELLANY}@{level}"
        assert ours[f"{name}/choice/acc_n"] == ours[f"{name}/delta_acc_n"] == 30
        assert f"{name}/delta_acc_p" in ours
        change = ours[f"{name}/choice/acc"] - ours["vanilla/choice/acc"]
        assert ours[f"{name}/delta_acc"] == pytest.approx(change)
        assert FAMILY.figure(f"{name}/choice/acc").name == "acc"
    assert ours[f"{MISCELLANY}@1/delta_acc"] == 0


def notes(**given):
    return plan(form="choice", **given).notes


def test_items_with_fewer_options_are_counted_by_what_they_show(tmp_path):
    rows = [
        '{"question": "Q1", "options": ["a", "b", "c", "d"], "answer": [0]}',
        '{"question": "Q2", "options": ["a", "b", "c", "d", "e"], "answer": [1]}',
        '{"question": "Q3", "options": ["a", "b", "c", "d"], "answer": []}',
        '{"question": "Q4", "options": ["a", "b", "c", "d"], "answer": [2]}',
    ]
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(rows), encoding="utf-8")
    # Q3 has four wrong options: it can't show "All above are false", which would be right.
    assert notes(data=str(path), distractors="3,4,5") == (
        "distractors=4: 2 of 4 choice items have fewer wrong options of their own "
        "(2 show 3 and 1 of table 2)",
        "distractors=5: 4 of 4 choice items have fewer wrong options of their own "
        "(2 show 3 and 2 of table 2, 2 show 4 and 1 of table 2)",
    )
    assert notes(data=str(path), distractors=5, protocol="published") == (
        "distractors=5: 4 of 4 choice items have fewer wrong options of their own "
        "(2 show 3, 2 show 4)",
    )


def test_nothing_is_noted_where_every_item_has_enough():
    assert notes(data="synthetic", n=6, distractors="all") == ()


def test_the_public_sample_says_how_many_of_its_items_are_short(shared_data):
    [note] = notes(protocol="published", distractors=9)
    assert note.startswith("distractors=9: 55 of 300 choice items have fewer wrong options")
    assert "14 show 3" in note
    assert notes(distractors=9) == ()


def test_judging_items_have_no_number_of_distractors():
    [note] = plan(data="synthetic", form="judging", n=3).notes
    assert note == (
        "distractors: 3 judging items show table 2's two extra options, whatever the number"
    )


def test_notes_are_logged_in_both_hosts(tmp_path):
    task = tasks.disturbing_miscellany(data="synthetic", form="judging", n=2)
    [expected] = task.metadata["bias_tasks"]["notes"]
    results = run([f"ib_{MISCELLANY}_judging"], lambda doc: "1", data="synthetic", n=2)
    record = results["configs"][f"ib_{MISCELLANY}_judging"]["metadata"]["bias_tasks"]
    assert record["notes"] == [expected]
