"""The frameworks' own results have the metrics of a task with their standard errors.

Each value is the one that `bias-tasks results` computes from the answers.
"""

import math
from pathlib import Path

import pytest
from inspect_ai import score
from inspect_ai.analysis import evals_df
from inspect_ai.log import read_eval_log

from bias_tasks import binary_qa_tasks, instruction_boundary_tasks, output_format_tasks
from bias_tasks.contract.metrics import reported_names
from bias_tasks.harness.metrics import result_names, result_values, score_outcome
from bias_tasks.results.answers import load_all_metrics
from bias_tasks.results.find import read_runs
from bias_tasks.scorers.outcome import outcome
from bias_tasks.statistics.estimate import Estimate, standard_error
from tests.bias_tasks.command_line import typed_inspect
from tests.bias_tasks.harness_runs import gold, log, run
from tests.bias_tasks.inspect_runs import evaluate
from tests.bias_tasks.mocks import mock

TASKS = {
    "conformity": (instruction_boundary_tasks.conformity, {"data": "core", "n": 12}),
    "binaryqa": (binary_qa_tasks.binaryqa, {"n": 16}),
    "format_wrapping": (output_format_tasks.format_wrapping, {"data": "core", "n": 6}),
}
HARNESS_TASKS = {"ib_conformity_choice": 12, "binaryqa": 16, "format_wrapping": 6}


def varied(prompt):
    """An answer that follows from the prompt, in one of several formats."""
    n = len(prompt) % 7
    return ("Final answer: 1", "Yes", "No", "**A**", "[B]", "Final Answer: 2", "It depends.")[n]


def computed(folder):
    """Every metric of the only run below a folder, and the names that its task reports."""
    [logged] = read_runs([folder])
    loaded = load_all_metrics(logged)
    metrics = getattr(loaded, "metrics", loaded)
    return metrics, reported_names(logged.spec, metrics)


def same(first, second):
    return first == second or (math.isnan(first) and math.isnan(second))


@pytest.fixture(scope="module")
def inspect_logs(tmp_path_factory):
    logs = {}
    for name, (task, parameters) in TASKS.items():
        folder = tmp_path_factory.mktemp(name)
        logs[name] = evaluate(task(**parameters), folder, mock(varied))
    return logs


@pytest.mark.parametrize("name", TASKS)
def test_inspect_shows_what_results_computes(inspect_logs, name):
    shown = {n: m.value for n, m in inspect_logs[name].results.scores[0].metrics.items()}
    metrics, names = computed(Path(inspect_logs[name].location).parent)
    headline = names[0]
    assert [*shown][:4] == [headline, "stderr", "ci_low", "ci_high"]
    assert same(shown["stderr"], standard_error(metrics[headline]))
    assert same(shown["ci_low"], metrics[headline].ci_low)
    assert len(names) > 20
    for metric in names:
        assert same(shown[metric], metrics[metric].value), metric
        error = shown["stderr" if metric == headline else f"{metric}_stderr"]
        assert same(error, standard_error(metrics[metric])), metric


def test_evals_df_finds_the_headline_and_its_standard_error(tmp_path):
    task = instruction_boundary_tasks.vanilla(data="core", n=12)
    log = evaluate(task, tmp_path, mock(varied))
    frame, shown = evals_df([log.location]), log.results.scores[0].metrics
    assert frame["score_headline_value"][0] == shown["rs"].value
    assert frame["score_headline_stderr"][0] == shown["stderr"].value > 0


@pytest.mark.parametrize("name", HARNESS_TASKS)
def test_lm_eval_shows_what_results_computes(name, tmp_path):
    given = {"data": "core", "n": HARNESS_TASKS[name]}
    results = run([name], lambda doc: gold(doc) if len(doc["id"]) % 3 else "1", **given)
    table = results["results"][name]
    log(results, name, tmp_path)
    metrics, names = computed(tmp_path)
    for metric in names:
        assert same(table[f"{metric},none"], metrics[metric].value), metric
        error = standard_error(metrics[metric])
        assert table[f"{metric}_stderr,none"] == ("N/A" if math.isnan(error) else error), metric
    assert not [key for key in table if "_stderr_stderr" in key]


def test_a_comma_in_the_name_of_a_domain_or_file_is_none_in_lm_evals_keys():
    metric = "law, tax/acc/none"
    names = result_names([metric])
    assert names == ["law; tax/acc/none", "items"]
    values = result_values({metric: Estimate(0.5, 0.4, 0.6, 9)})
    assert values[names[0]] == 0.5
    assert values[f"{names[0]}_stderr"] == standard_error(Estimate(0.5, 0.4, 0.6, 9))
    assert score_outcome(names, {metric: 1.0}, None)[names[0]] == 1
    without_interval = result_values({metric: Estimate.without_interval(0.5, 9)})
    assert without_interval[f"{names[0]}_stderr"] == "N/A"


@pytest.mark.parametrize("action", ["append", "overwrite"])
def test_inspect_score_needs_no_arguments(inspect_logs, action, tmp_path):
    log, out = inspect_logs["conformity"], tmp_path / "scored.eval"
    words = ["--scorer", "bias_tasks/outcome", "--action", action, "--output-file", str(out)]
    done = typed_inspect("score", log.location, *words, "--model", "none/none")
    assert done.exit_code == 0, done.output
    first, *others = read_eval_log(str(out)).results.scores
    expected = log.results.scores[0].metrics
    again = (others or [first])[0].metrics
    assert len(others) == (action == "append")
    names = [name for name in expected if name in again and name not in ("ci_low", "ci_high")]
    assert len(names) > 25
    for name in names:
        assert same(again[name].value, expected[name].value), name
    for sample in read_eval_log(str(out)).samples:
        logged = [score.metadata["outcome"] for score in sample.scores.values()]
        assert {one["family"] for one in logged} == {"instruction_boundary"}
        assert len({one["run_digest"] for one in logged}) == 1


def score_again(log, scorer, action="append"):
    return score(log, scorer, model="none/none", action=action, display="none")


def test_a_log_without_scores_is_scored_by_the_family_of_its_samples(tmp_path, caplog):
    def run(**options):
        task = binary_qa_tasks.binaryqa(n=8)
        return evaluate(task, tmp_path, mock(varied), **options)

    scored = score_again(run(score=False), outcome())
    shown, again = (one.results.scores[0].metrics for one in (run(), scored))
    for name in ("f1", "prc", "arc"):
        assert same(again[name].value, shown[name].value), name
    # The log does not say the protocol and the weights.
    assert "those of --action append are computed with the defaults" in caplog.text


def test_appended_metrics_are_computed_with_the_options_of_the_run(tmp_path, caplog):
    weights = {"f1": 0.25, "prc": 0.75}
    log = evaluate(binary_qa_tasks.binaryqa(n=16, weights=weights), tmp_path, mock(varied))
    again = score_again(log, outcome())
    shown, appended = (one.metrics for one in again.results.scores)
    assert same(appended["mbs"].value, shown["mbs"].value)
    assert "--action append" not in caplog.text
    logged = [one for sample in again.samples for one in sample.scores.values()]
    assert all(one.metadata["outcome"]["options"]["weights"] == weights for one in logged)


def test_options_of_the_scorer_reach_the_metrics(inspect_logs):
    log = inspect_logs["format_wrapping"]
    scorer = outcome("output_format", options={"moe": 0.9, "alpha": 0.05, "protocol": "corrected"})
    again = score_again(score_again(log, scorer, "overwrite"), outcome())
    [*_, appended] = again.results.scores
    logged = [one for s in again.samples for one in s.scores.values()]
    assert {one.metadata["outcome"]["options"]["moe"] for one in logged} == {0.9}
    assert appended.metrics["items"].value == 6
