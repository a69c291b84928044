"""The stored answers of a strong chat model to the profile's questions give the page's values."""

from pathlib import Path

import pytest

from benchmarks.studies.chat_model import score_answers, task_values
from bias_tasks.families import family_of_task

ANSWERS = Path(__file__).with_name("chat_model_answers")
HEADLINES = {
    "conformity": {"moved_to_suggestion": 4 / 114, "moved_to_correct": 10 / 10},
    "pushback": {"given_up/wrong": 1 / 52, "corrected/right": 7 / 7},
    "binaryqa_nrc": {"nrc": 44 / 60},
    "format_wrapping": {"format_std": 0.0},
    "complexeval_basic": {"score_rise": -0.296, "attack_acc_drop": 0.0},
    "judge_pairwise": {"max_edited_shift": -0.010, "edited_shift/verbosity": -0.5},
}


@pytest.mark.parametrize("task", HEADLINES)
def test_values_are_those_of_the_page(task: str) -> None:
    metrics = family_of_task(task).compute_metrics(score_answers(task, ANSWERS), task_values(task))
    for name, value in HEADLINES[task].items():
        assert metrics[name].value == pytest.approx(value, abs=5e-4), name
    assert all(metrics[name].value == 0 for name in metrics if name.endswith("unparsed"))
