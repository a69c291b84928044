"""`bias-tasks compare` on logs of tasks of other packages."""

import json
import math

import pytest
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalError
from inspect_ai.scorer import Score, accuracy, match, mean, scorer
from scipy import stats

from bias_tasks.results.other_tasks import parse_score
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.harness_runs import log, run
from tests.bias_tasks.mocks import mock
from tests.bias_tasks.results.runs import edit_log, run_inspect

N = 24
RIGHT = {"weak": lambda i: i % 3 == 0, "strong": lambda i: i % 6 != 1}
"""The items that each model answers correctly: 8 and 20 of 24."""
YAML = {
    "task": "local",
    "dataset_path": "json",
    "test_split": "test",
    "output_type": "generate_until",
    "doc_to_text": "{{q}}",
    "doc_to_target": "{{a}}",
    "generation_kwargs": {"until": ["\n"]},
    "metric_list": [
        {"metric": "exact_match", "aggregation": "mean", "higher_is_better": True},
        {"metric": "bleu", "aggregation": "bleu", "higher_is_better": True},
        {"metric": "ter", "aggregation": "ter", "higher_is_better": False},
    ],
    "metadata": {"version": 1.0},
}


@scorer(metrics={"*": [mean()]})
def grades():
    """Points on a scale of 10, the errors, and a comment; every eighth sample gets no points."""

    async def score(state, target):
        is_right = state.output.completion == target.text
        points = math.nan if state.sample_id % 8 == 0 else 4 + 3 * is_right
        values = {"points": points, "errors": 1 - is_right, "note": "a comment"}
        return Score(value=values, reason="grader_failed")

    return score


@scorer(metrics=[accuracy()])
def letter():
    async def score(state, target):
        return Score(value="C" if state.output.completion == target.text else "P")

    return score


def build_task(*, n=N, version=0, change=lambda i: {}, **options):
    samples = [
        Sample(**{"id": i, "input": f"{i}?", "target": f"a{i}", "metadata": {"passage": i // 2}})
        for i in range(1, n + 1)
    ]
    samples = [sample.model_copy(update=change(sample.id)) for sample in samples]
    scorers = options.pop("scorers", [match(location="exact"), letter(), grades()])
    return Task(samples, name="sums", scorer=scorers, version=version, **options)


def run_model(folder, name, **options):
    model = mock(lambda p: f"a{p[:-1]}" if RIGHT[name](int(p[:-1])) else "no", name)
    return run_inspect(folder, build_task(**options), model)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("other")
    return {name: run_model(folder / name, name, epochs=2) for name in RIGHT}


def compare(*arguments, status=0):
    done = typed("compare", *arguments, "--format", "json")
    assert done.exit_code == status, done.output
    return {row["metric"]: row for row in json.loads(done.stdout)} if done.stdout else done.stderr


def test_each_numeric_score_of_an_inspect_log_is_compared(logs):
    rows = compare(logs["weak"], logs["strong"], "--lower-is-better", "grades/errors")
    values = {name: (row["first"], row["second"], row["n"]) for name, row in rows.items()}
    # Sample 8 is right in the second run only, 16 in it too, 24 in both: they have no points.
    assert values == {
        "match": pytest.approx((8 / 24, 20 / 24, 24)),
        "letter": pytest.approx((16 / 24, 22 / 24, 24)),
        "grades/points": pytest.approx((5, 4 + 3 * 17 / 21, 21)),
        "grades/errors": pytest.approx((16 / 24, 4 / 24, 24)),
    }
    assert {row["verdict"] for row in rows.values()} == {"BETTER"}
    assert {row["unit"] for name, row in rows.items() if name != "grades/points"} == {"share"}
    assert rows["grades/points"]["unit"] == "score"
    # One adjustment covers all of them: the smallest p-value is multiplied by 4.
    smallest = min(rows.values(), key=lambda row: row["p_value"])
    assert smallest["p_adjusted"] == pytest.approx(4 * smallest["p_value"])
    assert [*compare(logs["weak"], logs["strong"], "--score", "let*")] == ["letter"]


def test_what_is_left_out_is_counted(logs):
    text = " ".join(typed("compare", *logs.values()).stdout.split())
    assert "grades/note: 48 values left out (no number" in text
    assert "grades/points: 6 values left out (without a verdict of the grader)" in text


def test_a_gate_fails_on_a_worse_score_beyond_a_margin(logs):
    arguments = logs["strong"], logs["weak"], "--score", "match"
    assert typed("compare", *arguments, "--fail-on", "worse").exit_code == 1
    equal = typed("compare", *arguments, "--fail-on", "worse", "--margin", "0.9")
    assert equal.exit_code == 0
    assert "EQUIVALENT" in equal.stdout


def test_clusters_widen_the_interval_and_must_exist(logs, tmp_path):
    paired = [run_model(tmp_path / name, name) for name in RIGHT]
    rows = [compare(*paired, "--score", "match", *o) for o in ((), ("--cluster", "passage"))]
    widths = [row["match"]["ci_high"] - row["match"]["ci_low"] for row in rows]
    assert widths[0] != pytest.approx(widths[1], abs=1e-3)
    message = compare(*logs.values(), "--cluster", "pasage", status=3)
    assert "item 1 has no value of it" in message
    assert "did you mean 'passage'?" in message


def test_the_interval_of_a_mean_is_students(logs):
    row = compare(*logs.values(), "--score", "grades/points")["grades/points"]
    weak = [4 + 3 * RIGHT["weak"](i) for i in range(1, N + 1) if i % 8]
    strong = [4 + 3 * RIGHT["strong"](i) for i in range(1, N + 1) if i % 8]
    paired = stats.ttest_rel(strong, weak).confidence_interval()
    # The correlation is estimated from groups of items: the interval is a little wider.
    assert row["ci_low"] == pytest.approx(paired.low, abs=0.35)
    assert row["ci_high"] == pytest.approx(paired.high, abs=0.35)


def test_other_data_under_the_same_ids_are_named(logs, tmp_path):
    other = run_model(
        tmp_path, "strong", epochs=2, change=lambda i: {"target": "x"} if i == 7 else {}
    )
    message = compare(logs["weak"], other, status=3)
    assert "other questions or prompts under the same ids" in message
    assert "7/match" in message


def test_shuffled_choices_are_the_same_question(tmp_path):
    def shuffle(order):
        return lambda i: {"choices": order, "target": "AB"[order.index("right")]}

    paths = [
        run_model(tmp_path / name, name, change=shuffle(order), scorers=[letter()])
        for name, order in (("weak", ["right", "wrong"]), ("strong", ["wrong", "right"]))
    ]
    assert compare(*paths)["letter"]["n"] == N


def test_secrets_among_the_arguments_of_a_task_are_hidden(logs, tmp_path):
    def set_key(log):
        log.eval.eval_id, log.eval.task_args = "other", {"api_key": "abcdef"}

    other = edit_log(logs["strong"], tmp_path / "other.eval", set_key)
    [row] = compare(logs["weak"], other, "--score", "match").values()
    assert "api_key" in row["differences"]
    assert "abcdef" not in row["differences"]


def test_missing_items_and_versions_are_named(logs, tmp_path):
    fewer = run_model(tmp_path / "fewer", "strong", epochs=2, n=20)
    row = compare(logs["weak"], fewer)["match"]
    assert (row["items"], row["first_only"], row["second_only"]) == (20, 4, 0)
    newer = run_model(tmp_path / "newer", "strong", version=1)
    assert "version of the task is not the same (" in compare(logs["weak"], newer, status=3)


def test_failed_samples_are_no_zeros_and_make_a_run_worse(logs, tmp_path):
    def fail(log):
        log.eval.eval_id = "other"
        for sample in log.samples[: 2 * 16]:
            sample.scores = None
            sample.error = EvalError(message="", traceback="", traceback_ansi="")

    failed = edit_log(logs["strong"], tmp_path / "failed.eval", fail)
    done = typed("compare", logs["strong"], failed, "--score", "match", "--fail-on", "worse")
    assert done.exit_code == 1
    text = " ".join(done.stdout.split())
    assert "WORSE: 130 of 192 answers are unparsed or unscored" in text
    assert "32 of 48 samples are in no metric: 32 failed" in text
    assert compare(logs["strong"], failed)["match"]["difference"] == 0


def test_options_must_apply(logs):
    done = typed("compare", *logs.values(), "--lower-is-better", "grades/eror")
    assert done.exit_code == 2
    assert "grades/errors" in done.output
    message = compare(*logs.values(), "--score", "mach", status=3)
    assert "no metric matches 'mach'" in message
    assert "grades/errors, grades/note, grades/points, items, letter, match" not in message
    assert "expected grades/errors, grades/points, items, letter, match" in message


def run_lm_eval(folder, name):
    """Run a task of a local file; return the folder with results and samples."""
    data = folder / "items.jsonl"
    data.parent.mkdir(parents=True, exist_ok=True)
    rows = [{"q": f"{i}?", "a": f"a{i}", "passage": f"p{i // 2}"} for i in range(1, N + 1)]
    data.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    config = YAML | {"dataset_kwargs": {"data_files": {"test": str(data)}}}
    answer = lambda doc: doc["a"] if RIGHT[name](int(doc["a"][1:])) else "no"  # noqa: E731
    log(run([config], answer, options={"log_samples": True, "bootstrap_iters": 0}), "local", folder)
    return folder


def test_samples_of_lm_eval_are_compared(tmp_path):
    folders = [run_lm_eval(tmp_path / name, name) for name in RIGHT]
    rows = compare(*folders, "--cluster", "passage")
    assert [*rows] == ["exact_match"]
    row = rows["exact_match"]
    assert (row["first"], row["second"]) == pytest.approx((8 / 24, 20 / 24))
    assert (row["better"], row["verdict"], row["items"]) == ("higher", "BETTER", N)
    [samples] = folders[0].rglob("samples_*.jsonl")
    samples.write_text(samples.read_text(encoding="utf-8")[:-40], encoding="utf-8")
    message = compare(*folders, status=3)
    assert "samples cannot be read (JSONDecodeError" in message
    samples.write_text('{"doc": {}}\n', encoding="utf-8")
    assert "samples cannot be read (KeyError: 'doc_id')" in compare(*folders, status=3)


def test_logs_of_inspect_evals_are_compared(tmp_path):
    evals = pytest.importorskip("inspect_evals.agent_threat_bench")
    for name, reply in (("refuses", "I will not do this."), ("attacked", "hello")):
        task = evals.agent_threat_bench_memory_poison()
        run_inspect(tmp_path, task, mock(lambda p, r=reply: r, name), options={"limit": 3})
    rows = compare(tmp_path)
    assert {name.rpartition("/")[2] for name in rows} == {"utility", "security"}
    assert {row["items"] for row in rows.values()} == {3}


@pytest.mark.parametrize(
    ("value", "number"),
    [("C", 1), ("I", 0), ("P", 0.5), ("N", 0), (True, 1), ("no", 0), ("0.25", 0.25), (7, 7)],
)
def test_scores_are_numbers_as_in_inspect(value, number):
    assert parse_score(value) == number


def test_texts_and_lists_are_no_numbers():
    assert parse_score("maybe") is parse_score([1, 2]) is None
    assert math.isnan(parse_score(None))
