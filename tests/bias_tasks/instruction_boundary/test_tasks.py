"""The tasks in Inspect itself, in process, with a simulated model and with a mock."""

import math

import pytest
from inspect_ai import eval as inspect_eval

from bias_tasks.contract.outcomes import Answer
from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.instruction_boundary.settings import SETTINGS
from bias_tasks.tasks import instruction_boundary as tasks
from tests.bias_tasks.inspect_runs import values
from tests.bias_tasks.mocks import mock

JUDGING = {"data": "synthetic", "form": "judging"}


def run(task, tmp_path, model="simulated/steadfast", status="success", **options):
    run_options = {"log_dir": str(tmp_path), "display": "none", "log_realtime": False}
    [log] = inspect_eval(task, model=model, **run_options, **options)
    assert log.status == status, log.error
    return log


def test_the_run_of_all_settings_prompts_vanilla_once(tmp_path):
    log = run(tasks.instruction_boundary(**JUDGING, n=4), tmp_path)
    assert log.eval.task_version == f"{FAMILY.version}+{log.eval.metadata['bias_tasks']['digest']}"
    assert len(log.samples) == 4 * len(SETTINGS)
    metrics = values(log)
    assert {f"{setting}/judging/acc" for setting in SETTINGS} <= set(metrics)
    assert {"conformity/moved_to_suggestion", "conformity/delta_acc_p"} <= set(metrics)
    assert "vanilla/delta_acc" not in metrics


def test_the_second_round_is_one_more_call_and_quotes_the_first_answer(tmp_path):
    log = run(tasks.multi_turn(**JUDGING, n=5), tmp_path)
    calls = {
        sample.id.rsplit("/", 1)[1]: sum(event.event == "model" for event in sample.events)
        for sample in log.samples
    }
    assert calls == {"multi_turn": 2, "vanilla": 1}
    for sample in log.samples[::2]:
        [first] = sample.metadata["previous_answers"]
        assert [message.role for message in sample.messages] == ["user", "assistant"]
        assert f"Your previous answer: {first}\n" in sample.messages[0].text


def test_a_note_reports_that_the_papers_judging_items_are_from_folio(shared_data):
    spec = FAMILY.tasks["vanilla"]
    for changed, n_notes in (({}, 1), ({"form": "choice"}, 0), ({"sources": "folio"}, 0)):
        notes = FAMILY.plan("vanilla", spec.values({"n": 4, **changed})).notes
        assert len([note for note in notes if "from FOLIO" in note]) == n_notes


def test_answers_that_the_grader_cannot_parse_either_are_unscored(tmp_path):
    silent = mock(["I would rather not say."] * 3 + ["__PROVED__"] * 3)
    unparsed = {"model": mock(["Hm."] * 4), "max_samples": 1, "model_roles": {"grader": silent}}
    log = run(tasks.vanilla(**JUDGING, n=4), tmp_path, **unparsed)
    scores = [sample.scores["outcome"] for sample in log.samples]
    assert [score.reason for score in scores].count("grader_failed") == 1
    assert sum(isinstance(s.value, float) and math.isnan(s.value) for s in scores) == 1
    assert log.results.scores[0].unscored_samples == 1
    assert values(log)["judging/acc_n"] == 3


def prompt_in(request):
    """The prompt that a polisher is to rewrite."""
    return request.partition("\n\n")[2]


def test_live_polishing_calls_the_polisher_again_if_the_question_is_lost(tmp_path):
    seen = set()

    def careless_once(request):
        first = request not in seen
        seen.add(request)
        return "A better prompt." if first else f"Kindly consider:\n{prompt_in(request)}"

    task = tasks.prompt_polishing(data="synthetic", form="choice", n=3, polish="live")
    log = run(task, tmp_path, model_roles={"polisher": mock(careless_once)})
    for sample in log.samples:
        polished = sample.messages[0].text.startswith("Kindly consider:")
        assert polished == sample.id.endswith("/prompt_polishing")
    for polisher, message in (
        (lambda request: "A better prompt.", "the last one lost the question; the fact "),
        (lambda request: prompt_in(request).replace("\n1. ", "\n7. "), "with its number"),
    ):
        task = tasks.prompt_polishing(**JUDGING, n=1, polish="live", paired=False)
        log = run(task, tmp_path, status="error", model_roles={"polisher": mock(polisher)})
        assert message in log.error.message


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        *(("judging", "2", "False"), ("choice", "2, because the notes say", "2")),
        ("judging", "The statement is disproved, because the first fact", "False"),
        ("judging", "Fact 1 is it. So the statement is disproved. Fact 2 says more.", None),
        ("choice", "The answer is 1", None),
        ("choice", "The first is wrong. So it is 2.\n\nQuestion: Which of the", "2"),
    ],
)
def test_a_truncated_answer_counts_if_the_text_begins_with_it(form, text, expected):
    def outcome(stop, **changed):
        values = FAMILY.tasks["vanilla"].values({"form": form, "data": "core", "n": 1, **changed})
        [question] = FAMILY.plan("vanilla", values).questions
        return FAMILY.score_answer(
            question.scoring_data, Answer(text, stop, prompt=question.prompt)
        )

    truncated, whole = outcome("truncated"), outcome("stop")
    assert truncated.answer == expected
    assert truncated.unparsed_reason == (None if expected else "truncated")
    assert whole.answer is not None
    if form == "judging":  # the published instrument ignores truncation
        assert outcome("truncated", protocol="published").answer == "False"
