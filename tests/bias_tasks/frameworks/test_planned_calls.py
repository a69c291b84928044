"""A sample is scored only if every call that its question plans was made, in both frameworks."""

import json
from collections import Counter

import pytest
from inspect_ai.solver import chain_of_thought, generate

from bias_tasks import binaryqa_nrc, conformity, multi_turn, probe, prompt_polishing
from bias_tasks.contract.planned_calls import find_missing_calls
from bias_tasks.results.find import read_answers
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.harness_runs import log, run
from tests.bias_tasks.inspect_runs import evaluate
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.probing.probed import own

N = 12


def run_task(folder, task, model="simulated/wavering", **options):
    return evaluate(task, folder, model, status=None, **options)


def reasons(finished):
    """The reasons of the scores without a value, with their numbers."""
    scores = [score for sample in finished.samples for score in (sample.scores or {}).values()]
    return Counter(score.reason for score in scores if score.value != score.value)


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    folder = tmp_path_factory.mktemp("full")
    run_task(folder, multi_turn(data="core", n=N))
    return folder


@pytest.mark.parametrize(
    ("planned", "made", "has_output", "reason"),
    [
        (None, None, True, None),  # another solver may answer a question of one call
        (None, 1, True, None),
        (2, 2, True, None),
        (3, 2, True, "incomplete"),
        (2, 0, False, "incomplete"),
        (None, 0, False, "incomplete"),
        (2, None, True, "other_solver"),
        (None, None, False, "other_solver"),
    ],
)
def test_planned_and_made_calls_by_hand(planned, made, has_output, reason):
    counts = {"planned_calls": planned, "calls_made": made}
    metadata = {name: count for name, count in counts.items() if count is not None}
    missing = find_missing_calls(metadata, has_output=has_output)
    assert (missing and missing[0]) == reason


@pytest.mark.parametrize(
    ("limit", "parameters"),
    [
        ({"turn_limit": 1}, {}),
        ({"message_limit": 3}, {"dialogue": True}),
        ({"token_limit": 420}, {}),
    ],
    ids=["turn", "message", "token"],
)
def test_a_limit_between_two_rounds_leaves_no_score(full, tmp_path, limit, parameters):
    run_task(tmp_path, multi_turn(data="core", n=N, **parameters), **limit)
    [kind] = (name.removesuffix("_limit") for name in limit)
    output = typed("results", tmp_path, columns=200).stdout
    stopped = f"{N} of {2 * N} samples are in no metric: {N} stopped by the {kind} limit"
    assert stopped in output
    assert "NO VALUE" in output
    assert "NOT" not in output
    [answers] = read_answers(tmp_path)
    assert answers.run.headline == "delta_acc"
    assert {a.outcome.variant for a in answers.answers} == {"vanilla"}
    if not parameters:
        done = typed("compare", full, tmp_path, "--fail-on", "worse", columns=200)
        assert done.exit_code == 1
        assert "the share of unparsed or unscored answers under multi_turn rises" in done.stderr


def test_a_failed_round_is_failed_although_it_is_scored_on_error(tmp_path):
    calls = Counter()

    def reply(prompt):
        calls["all"] += 1
        if "reconsider" in prompt.lower() or "reflect" in prompt.lower():
            calls["second"] += 1
            if calls["second"] % 2:
                raise RuntimeError("the server is gone")
        return "Final Answer: 1"

    task = multi_turn(data="core", n=N, form="choice")
    options = {"fail_on_error": False, "score_on_error": True, "max_samples": 1}
    finished = run_task(tmp_path, task, mock(reply), **options)
    failed = [sample for sample in finished.samples if sample.error]
    assert len(failed) == N // 2
    assert reasons(finished) == {"incomplete": N // 2}
    [answers] = read_answers(tmp_path)
    assert answers.run.samples.failed == N // 2
    assert answers.run.unscored_reasons == {"failed": N // 2}
    assert answers.run.metrics["delta_acc"].n == N - N // 2
    assert f"{N // 2} failed" in typed("results", tmp_path, columns=200).stdout


@pytest.mark.parametrize("task", [multi_turn, prompt_polishing])
def test_another_solver_gives_one_sentence_and_no_change(tmp_path, task):
    parameters = {"polish": "live"} if task is prompt_polishing else {}
    roles = {"polisher": "simulated/polisher"} if parameters else None
    planned = task(data="core", n=N, **parameters)
    own, other = tmp_path / "own", tmp_path / "other"
    run_task(own, planned, "simulated/perfect", model_roles=roles)
    run_task(other, planned, "simulated/perfect", solver=generate(), model_roles=roles)
    output = typed("results", other, columns=200).stdout
    assert f"{N} for which the task's own solver did not run" in output
    assert "NO VALUE" in output
    assert typed("compare", own, other, "--fail-on", "worse").exit_code == 1


def test_a_solver_that_never_calls_the_model_leaves_no_metric(tmp_path):
    run_task(tmp_path, multi_turn(data="core", n=N), solver=chain_of_thought())
    done = typed("results", tmp_path, columns=200)
    assert done.exit_code == 1
    assert "the task's own solver did not run" in done.stderr


def test_a_question_of_one_call_may_be_answered_by_another_solver(tmp_path):
    own = run_task(tmp_path / "own", conformity(data="core", n=N))
    other = run_task(tmp_path / "other", conformity(data="core", n=N), solver=generate())
    values = [score.metrics for finished in (own, other) for score in finished.results.scores]
    assert values[0] == values[1]


def test_a_stopped_probe_is_unscored_and_no_solver_is_blamed(tmp_path):
    task = probe(task=own("lettered_choices"), probes="reflect", repeats=1, n=4)
    finished = run_task(tmp_path, task, mock(lambda prompt: "ANSWER: A"), turn_limit=1)
    assert finished.status == "success", finished.error
    assert reasons(finished)["incomplete"] == 4


def test_a_log_without_samples_says_how_to_run_it_again(tmp_path):
    run_task(tmp_path, conformity(data="core", n=4), log_samples=False)
    done = typed("results", tmp_path, columns=300)
    assert "run it again without --no-log-samples" in done.stderr


def test_a_headline_whose_questions_failed_has_no_value_and_no_substitute(tmp_path):
    """Every negated question fails: `f1` of the others is not the task's result."""
    prompts = {}
    task = binaryqa_nrc(data="core", n=N)
    for sample in task.dataset:
        prompts[sample.input] = sample.metadata["variant"]

    def reply(prompt):
        if prompts[prompt] != "original":
            raise RuntimeError("no answer to a negation")
        return "Yes"

    finished = run_task(tmp_path / "failed", task, mock(reply), fail_on_error=False)
    shown = finished.results.scores[0].metrics
    assert next(iter(shown)) == "nrc"
    assert shown["nrc"].value != shown["nrc"].value
    output = typed("results", tmp_path, columns=200).stdout
    assert "n=12): nrc" in output
    assert "NO VALUE" in output
    assert "f1" not in output
    run_task(tmp_path / "whole", task, mock(lambda prompt: "Yes", "other"))
    paths = tmp_path / "whole", tmp_path / "failed"
    done = typed("compare", *paths, "--fail-on", "worse", columns=200)
    assert done.exit_code == 1
    assert "24 of 36 answers are unparsed or unscored" in done.stderr
    assert "NO VALUE: nrc" in done.stdout


def test_a_request_without_a_result_is_failed_in_lm_eval(tmp_path):
    asked = iter(range(1000))
    results = run(
        ["ib_vanilla_judging"],
        lambda doc: None if next(asked) % 3 == 0 else f"Final Answer: {doc['gold']}",
        options={"log_samples": True},
        data="synthetic",
        n=6,
    )
    rows = results["samples"]["ib_vanilla_judging"]
    assert sum(row["doc"]["outcome"] is None for row in rows) == 2
    log(results, "ib_vanilla_judging", tmp_path)
    [answers] = read_answers(tmp_path)
    assert answers.run.unscored_reasons == {"failed": 2}
    assert answers.run.n == 4
    assert answers.run.metrics["judging/acc"].value == 1
    table = json.loads(typed("results", tmp_path, "--format", "json").stdout)
    assert table[0]["samples_failed"] == 2
