"""Tasks of many kinds under probes in Inspect: where probes stand, and where they can't."""

import re

import pytest

from bias_tasks import probe
from bias_tasks.probing.items import variant_in_id
from bias_tasks.probing.placement import NO_OPTIONS, OTHER_ORDER
from bias_tasks.probing.probes import PROBES
from bias_tasks.scorers.outcome import score_as_share
from bias_tasks.scorers.probed import NOT_PLACED
from bias_tasks.solvers.inspect_api import TaskError
from tests.bias_tasks.inspect_runs import values
from tests.bias_tasks.probing.probed import always, knows, label_of, outcomes, own, run, sent


def prompt_of(log, sample_id):
    [sample] = [each for each in log.samples if each.id == sample_id]
    return sent(sample)[0]


def test_free_text_is_probed_without_choices(tmp_path):
    log = run(own("free_text"), lambda _: "It is the dog.", tmp_path, repeats=1)
    need_choices = {"order", "labels", "separator", "casing", "suggest"}
    need_others = {"paraphrase", "language", "polish"}  # a file of rewordings, a model role
    expected = {"baseline", "repeat1", *PROBES} - need_choices - need_others
    assert {variant for _, variant in outcomes(log)} == expected
    [note] = log.eval.metadata["bias_tasks"]["notes"]
    assert "order for 6 (its prompt displays no choices)" in note
    plain = prompt_of(log, "w0/plain")[0].text
    assert "step-by-step" in plain  # the task's own way to ask
    assert prompt_of(log, "w0/format")[0].text.startswith(plain)
    assert {item for (item, _), each in outcomes(log).items() if each["score"] == 1} == {"w0"}


def test_the_last_question_of_a_conversation_is_probed(tmp_path):
    log = run(own("conversation"), knows, tmp_path, repeats=1)
    plain, slipped, labelled = (
        prompt_of(log, f"c2/{variant}") for variant in ("plain", "typo", "labels")
    )
    assert [each.role for each in plain] == ["system", "user", "assistant", "user"]
    for other in (slipped, labelled):
        assert [each.text for each in other[:3]] == [each.text for each in plain[:3]]
        assert other[3].text != plain[3].text
    assert {each["score"] for each in outcomes(log).values()} == {1.0}


def test_choices_in_a_sample_s_text_move_with_their_target(tmp_path):
    def says(messages):
        return f"({knows(messages).removeprefix('ANSWER: ')})"

    log = run(own("printed_choices"), says, tmp_path, probes="order,labels,suggest,typo", repeats=1)
    by_variant = {}
    for sample in log.samples:
        by_variant.setdefault(sample.id.split("/")[1], []).append(sample)
    for sample in by_variant["order"]:
        text = sent(sample)[0][-1].text
        assert sample.target == f"({label_of(text)})"
        assert text.endswith("\nEnd with the letter.")
    assert all("(the" not in s.input and s.input.count("\n(") in (3, 4) for s in by_variant["typo"])
    found = outcomes(log)
    scores = {
        v: [e["score"] for (_, variant), e in found.items() if variant_in_id(variant) == v]
        for v in by_variant
    }
    assert scores["plain"] == scores["order"] == scores["suggest"] == [1.0] * 6
    assert {e["answer"] for (_, v), e in found.items() if v == "order"} == {"#0", "#1", "#2", "#3"}


def test_probes_of_choices_need_a_prompt_that_displays_them(tmp_path):
    probes = "order,labels,suggest,typo"
    log = run(own("unprinted"), always("A"), tmp_path, probes=probes, repeats=1)
    scores = [(s.id.split("/")[1], next(iter(s.scores.values()))) for s in log.samples]
    unplaced = {(variant, s.explanation) for variant, s in scores if s.reason == NOT_PLACED}
    assert unplaced == {("order", OTHER_ORDER), ("labels", NO_OPTIONS), ("suggest", OTHER_ORDER)}
    assert not [call for s in log.samples if s.id.endswith("/labels") for call in sent(s)]
    card = values(log)
    assert "score/typo" in card
    assert "score/order" not in card


def test_several_correct_choices_can_have_any_labels_and_order(tmp_path):
    def says(messages):
        prompt = messages[-1].text
        right = ("seven", "nine") if "numbers?" in prompt else ("cow", "hen")
        named = [re.search(rf"^(\w+)\) {each}$", prompt, re.M)[1] for each in right]
        return f"ANSWER: {', '.join(named)}"

    log = run(own("several_right"), says, tmp_path, probes="order,labels", repeats=1)
    found = outcomes(log)
    assert {each["score"] for each in found.values()} == {1.0}
    assert {each["answer"] for (item, _), each in found.items() if item == "list"} == {"#0 #2"}
    assert {each["answer"] for (item, _), each in found.items() if item == "text"} == {"#1 #3"}


def test_one_error_explains_what_cannot_be_probed_or_is_mistyped():
    lettered, free = own("lettered_choices"), own("free_text")
    cases = [
        ({"task": own("an_agent")}, "its solver basic_agent is an agent"),
        ({"task": own("criticised")}, "self_critique has the model criticise"),
        ({"task": own("unscored")}, "it has no scorer"),
        ({"task": own("no_samples")}, "has no samples"),
        ({"task": own("one_id")}, "several items have one id, such as 'same'"),
        ({"task": own("fails_to_load")}, "the archive is corrupt"),
        ({"task": own("nothing")}, "nothing"),
        ({"task": own("several_values")}, "in_parts gives several values (a, b)"),
        ({"task": own("shuffled_choices")}, "multiple_choice shuffles the choices"),
        ({}, "name the task to probe"),
        ({"task": "/nowhere.py"}, "/nowhere.py"),
        ({"task": "no_such_package/mine"}, "no_such_package"),
        ({"task": "bias_tasks/vanilla", "data": "synthetic"}, "a task of bias-tasks itself"),
        ({"task": lettered, "probes": "ordre"}, "did you mean 'order'"),
        ({"task": lettered, "cuont": 2}, "did you mean 'count'? The parameters of"),
        ({"task": lettered, "probess": "order"}, "did you mean 'probes'?"),
        ({"task": free, "subject": 1}, "unknown parameter 'subject'"),
        ({"task": free, "probes": "order"}, "none of the probes applies"),
    ]
    found = []
    for parameters, told in cases:
        with pytest.raises(TaskError) as error:
            probe(**parameters)
        if told not in str(error.value):
            found.append((parameters, str(error.value)))
    assert found == []


def test_values_of_scores_are_shares_or_errors_of_the_run(tmp_path):
    shares = {"C": 1, "I": 0, "P": 0.5, "N": 0, True: 1, False: 0, 0.25: 0.25}
    assert {value: score_as_share(value) for value in shares} == shares
    assert score_as_share(float("nan")) is None
    for value in ("yes", "7", 7, -0.1, [1.0], {"a": 1}, float("inf")):
        with pytest.raises(ValueError, match=r"the task's scorer (gave|gives several)"):
            score_as_share(value)
    log = run(own("no_score"), always("A"), tmp_path, probes="system", repeats=1)
    assert [next(iter(s.scores.values())).reason for s in log.samples] == ["scoring_failed"] * 3


def test_a_solver_that_calls_the_model_itself_is_an_error(tmp_path):
    for name, told in (
        ("asks_by_itself", "calls the model itself"),
        ("asks_past", "calls the model itself"),
        ("shuffled_by_itself", "shuffles the choices of q0/plain itself"),
    ):
        log = run(own(name), always("A"), tmp_path / name, probes="system", repeats=1, n=1)
        assert (log.status, told in log.error.message) == ("error", True), name


def test_the_headline_metric_selects_the_scorer_and_its_value(tmp_path):
    log = run(own("one_of_several_values"), always("A"), tmp_path, probes="system", repeats=1)
    assert {each["score"] for each in outcomes(log).values()} == {0.25}
    log = run(own("two_scorers"), always("A"), tmp_path, probes="system", repeats=1)
    [note] = log.eval.metadata["bias_tasks"]["notes"]
    assert note == "of its scorers choice counts, and not includes"
    assert outcomes(log)["q0", "baseline"]["answer"] == "#0"


def test_a_server_without_a_system_role_ends_the_run_with_advice(tmp_path):
    def refuses(messages):
        if messages[0].role == "system":
            raise ValueError("System role not supported")
        return "It is the dog."

    log = run(own("free_text"), refuses, tmp_path, probes="persona", repeats=1)
    assert log.status == "error"
    assert "if the server has no system role, leave out the probes system and persona" in (
        log.error.message
    )
    assert "System role not supported" in log.error.message
