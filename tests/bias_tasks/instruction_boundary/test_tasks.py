"""The tasks in Inspect itself, in process, with a simulated model and with a mock."""

import math
from collections import Counter

import pytest
from inspect_ai.analysis import SampleColumn, SampleSummary, samples_df
from inspect_ai.model import get_model

from bias_tasks import instruction_boundary_tasks as tasks
from bias_tasks.contract.logged_outcomes import scoring_data_of
from bias_tasks.contract.outcomes import Answer
from bias_tasks.instruction_boundary.data.load import INSTRUCTION_BOUNDARY
from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.instruction_boundary.items import LABELS
from bias_tasks.instruction_boundary.settings import ALL_SETTINGS, SETTINGS, SOURCE
from tests.bias_tasks.builders import plan, questions
from tests.bias_tasks.inspect_runs import evaluate, outcomes, values
from tests.bias_tasks.mocks import mock, output

JUDGING = {"data": "synthetic", "form": "judging"}


def test_the_run_of_all_settings_prompts_vanilla_once():
    variants = Counter(q.variant for q in questions(ALL_SETTINGS, **JUDGING, n=4))
    assert variants == dict.fromkeys(SETTINGS, 4)


def test_the_second_round_is_one_more_call_and_quotes_the_first_answer(tmp_path):
    log = evaluate(tasks.multi_turn(**JUDGING, n=5), tmp_path)
    calls = {
        sample.id.rsplit("/", 1)[1]: sum(event.event == "model" for event in sample.events)
        for sample in log.samples
    }
    assert calls == {"multi_turn": 2, "vanilla": 1}
    for sample in log.samples[::2]:
        [first] = sample.metadata["previous_answers"]
        assert [message.role for message in sample.messages] == ["user", "assistant"]
        assert f"Your previous answer: {first}\n" in sample.messages[0].text


def test_the_first_round_is_scored_in_the_same_sample(tmp_path):
    def answer(prompt):
        return "Improved Answer: 2" if "Your previous answer:" in prompt else "Final Answer: 1"

    log = evaluate(tasks.multi_turn(**JUDGING, n=6, paired=False), tmp_path, model=mock(answer))
    extras = [score["extra"] for score in outcomes(log).values()]
    assert {(extra["first_label"], extra["label"]) for extra in extras} == {("True", "False")}
    golds = [extra["gold_label"] for extra in extras]
    assert [extra["first_correct"] for extra in extras] == [gold == "True" for gold in golds]
    metrics = values(log)
    assert metrics["judging/transition/True_to_False"] == 1
    assert metrics["delta_round"] == 0
    assert metrics["transition/right_to_wrong"] == metrics["transition/wrong_to_right"] == 2 / 6
    assert all(sample.metadata["previous_stop_reasons"] == ["stop"] for sample in log.samples)


def test_a_truncated_first_round_is_parsed_as_such(tmp_path):
    cut = "Fact 1 is it. So the statement is disproved. Fact 2 says more."

    def reply(messages, *_):
        result = output(cut if len(messages) == 1 else "Final Answer: 1")
        result.choices[0].stop_reason = "max_tokens" if len(messages) == 1 else "stop"
        return result

    model = get_model("mockllm/rounds", custom_outputs=reply, memoize=False)
    log = evaluate(
        tasks.multi_turn(**JUDGING, n=3, paired=False, dialogue=True), tmp_path, model=model
    )
    first = {each["extra"]["first_label"] for each in outcomes(log).values()}
    data = scoring_data_of(FAMILY, log.samples[0].metadata)
    assert FAMILY.score_answer(data, Answer(cut)).answer == "False"
    assert first == {"unparsed"}


def test_a_dialogue_sends_the_rounds_as_turns(tmp_path):
    log = evaluate(tasks.multi_turn(**JUDGING, n=4, rounds=3, dialogue=True), tmp_path)
    for sample in log.samples[::2]:
        assert [message.role for message in sample.messages] == ["user", "assistant"] * 3
        texts = [message.text for message in sample.messages]
        assert texts[0] == sample.input
        assert texts[1:5:2] == sample.metadata["previous_answers"]
        assert texts[2] == texts[4]
        assert texts[2].startswith("Now, please reflect on your previous answer")
        assert "Your previous answer:" not in texts[2]
    assert {"delta_round", "delta_acc"} <= set(values(log))


def test_published_runs_use_the_papers_settings_variants_and_data_sets_alone():
    spec = FAMILY.tasks[ALL_SETTINGS]
    assert set(SETTINGS) <= set(SOURCE)
    assert set(SOURCE.values()) == {"paper", "ours"}
    published = {"n": 1, "protocol": "published"}
    planned = questions(ALL_SETTINGS, **JUDGING, **published)
    assert {SOURCE[question.variant] for question in planned} == {"paper"}
    variants = [name.split("=") for name in SOURCE if "=" in name]
    for name, value in variants:
        assert name in {parameter.name for parameter in spec.parameters}
        values = {name: value == "true" if name == "dialogue" else value, **JUDGING}
        assert plan(ALL_SETTINGS, **values, n=1).questions
        with pytest.raises(ValueError, match=f"paper's alone, and {name}={value} is this"):
            plan(ALL_SETTINGS, **values, **published)
    ours = [name for name, source in INSTRUCTION_BOUNDARY.items() if source.source == "ours"]
    assert ours == ["ib_choice_within"]
    for data_set in ours:
        with pytest.raises(ValueError, match=f"the paper's alone, and {data_set} is this package"):
            plan("vanilla", sources=f"ib_choice,{data_set}", protocol="published")


def test_a_note_reports_that_the_papers_judging_items_are_from_folio(shared_data):
    for changed, n_notes in (({}, 1), ({"form": "choice"}, 0), ({"sources": "folio"}, 0)):
        notes = plan("vanilla", n=4, **changed).notes
        assert len([note for note in notes if "from FOLIO" in note]) == n_notes
        assert len([n for n in notes if "FLD, 600 of the 1,240 judging items" in n]) == n_notes


def test_answers_that_the_grader_cannot_parse_either_are_unscored(tmp_path):
    silent = mock(["I would rather not say."] * 3 + ["__PROVED__"] * 3)
    unparsed = {"model": mock(["Hm."] * 4), "max_samples": 1, "model_roles": {"grader": silent}}
    log = evaluate(tasks.vanilla(**JUDGING, n=4), tmp_path, **unparsed)
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
    log = evaluate(task, tmp_path, model_roles={"polisher": mock(careless_once)})
    for sample in log.samples:
        polished = sample.messages[0].text.startswith("Kindly consider:")
        assert polished == sample.id.endswith("/prompt_polishing")
    for polisher, message in (
        (lambda request: "A better prompt.", "the last one lost the question; the fact "),
        (lambda request: prompt_in(request).replace("\n1. ", "\n7. "), "with its number"),
    ):
        task = tasks.prompt_polishing(**JUDGING, n=1, polish="live", paired=False)
        log = evaluate(task, tmp_path, status="error", model_roles={"polisher": mock(polisher)})
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
        [question] = questions("vanilla", form=form, data="core", n=1, **changed)
        answer = Answer(text, stop, prompt=question.prompt)
        return FAMILY.score_answer(question.scoring_data, answer)

    truncated, whole = outcome("truncated"), outcome("stop")
    assert truncated.answer == expected
    assert truncated.unparsed_reason == (None if expected else "truncated")
    assert whole.answer is not None
    if form == "judging":  # the published instrument ignores truncation
        assert outcome("truncated", protocol="published").answer == "False"


def test_each_field_of_a_question_is_a_column_of_inspects_data_frame(tmp_path):
    evaluate(tasks.conformity(n=4, data="core"), tmp_path)
    paths = {
        "label": "metadata.suggestion.label",
        "difficulty": "metadata.columns.difficulty",
        "answer": "scores.outcome.answer",
    }
    columns = [SampleColumn(name, path=path) for name, path in paths.items()]
    frame = samples_df(str(tmp_path), columns=[*SampleSummary, *columns], quiet=True)
    assert {"metadata_form", "metadata_gold", "metadata_suggestion"} <= set(frame.columns)
    assert set(frame["difficulty"]) <= {1, 2, 3}
    assert set(frame["metadata_form"]) == {"judging", "choice"}
    assert set(frame["label"].dropna()) <= {*LABELS["judging"], *LABELS["choice"]}
    assert frame["answer"].notna().all()
