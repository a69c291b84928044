"""`bias-tasks export eee`: records of Every Eval Ever for runs of both frameworks.

The last test validates records with the schemas if these are available; the other tests check what
the schemas require without them.
"""

import hashlib
import json
import math
import os
import re
from pathlib import Path

import jsonschema
import pytest

from bias_tasks import outcomes_df
from bias_tasks.contract.metrics import find_metric_spec
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.results.conftest import RUNS

SCHEMAS = "BIAS_TASKS_EEE_SCHEMAS"
RECORD_PATH = re.compile(
    r"data/[^/]+/[^/]+/[^/]+/"
    r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?:\.json|_samples\.jsonl)"
)


def export(*arguments):
    return typed("export", "eee", *arguments)


@pytest.fixture(scope="session")
def exported(store, tmp_path_factory):
    folder = tmp_path_factory.mktemp("eee")
    done = export(store, "--out", folder, "--organization", "Us", "--relationship", "third_party")
    assert done.exit_code == 0, done.output
    assert f"{RUNS} records" in done.stdout
    return folder


def strict(text):
    """Parse JSON without NaN and infinities, which other readers refuse."""

    def refuse(word):
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


def records(folder):
    """Yield each record with its rows; None if it has no rows."""
    for path in sorted(folder.rglob("*.json")):
        record = strict(path.read_text(encoding="utf-8"))
        rows_file = record.get("detailed_evaluation_results")
        rows = None
        if rows_file is not None:
            content = (folder / rows_file["file_path"]).read_bytes()
            assert rows_file["checksum"] == hashlib.sha256(content).hexdigest()
            rows = [strict(line) for line in content.decode().splitlines()]
            assert rows_file["total_rows"] == len(rows)
        yield record, rows


def details(record):
    return record["source_metadata"]["additional_details"]


def test_every_metric_is_a_result_with_its_interval_direction_and_range(exported, runs):
    for record, rows in records(exported):
        run, metrics = runs[details(record)["digest"]]
        results = {
            result["evaluation_result_id"]: result for result in record["evaluation_results"]
        }
        has_value = math.isfinite(metrics[run.headline].value)  # of few answers it may have none
        headlines = [run.headline] if has_value else []
        assert [*results][: len(headlines)] == headlines
        assert set(results) == {name for name, e in metrics.items() if math.isfinite(e.value)}
        without_value = json.loads(details(record).get("metrics_without_value", "[]"))
        assert set(without_value) == set(metrics) - set(results)
        marked = [n for n, r in results.items() if r["score_details"]["details"].get("headline")]
        assert marked == headlines
        named = {row.get("evaluation_result_id") for row in rows}
        assert named == ({run.headline} if has_value else {None})
        for name, result in results.items():
            estimate, score = metrics[name], result["score_details"]
            assert score["score"] == estimate.value
            assert score["uncertainty"]["num_samples"] == estimate.n
            if math.isfinite(estimate.ci_low) and math.isfinite(estimate.ci_high):
                interval = score["uncertainty"]["confidence_interval"]
                assert (interval["lower"], interval["upper"]) == (estimate.ci_low, estimate.ci_high)
            spec, config = find_metric_spec(name, run.family.metrics), result["metric_config"]
            assert config["lower_is_better"] is (spec.better == "lower")
            better = config["additional_details"]["better"]
            assert better == spec.better or (not spec.better and "neither" in better)
            bounds = [float(config[end]) for end in ("min_score", "max_score")]
            assert bounds == [spec.low, spec.high]
            assert config["score_type"] in {"binary", "continuous"}


def test_each_answer_has_a_row(exported, runs, store):
    frame = outcomes_df(store, output=True)
    for record, rows in records(exported):
        run, _ = runs[details(record)["digest"]]
        answers = frame[frame["log"] == str(run.path)]
        for row, (_, answer) in zip(rows, answers.iterrows(), strict=True):
            assert row["sample_id"] == f"{answer['item']}/{answer['variant']}"
            assert row["evaluation_id"] == record["evaluation_id"]
            assert row["model_id"] == record["model_info"]["id"]
            assert row["input"]["raw"] == answer["prompt"]
            parsed = [part["extracted_value"] for part in row["answer_attribution"]]
            for values, column in ((row["output"]["raw"], "output"), (parsed, "answer")):
                assert values == ([answer[column]] if isinstance(answer[column], str) else [])
            assert row["evaluation"]["is_correct"] is (answer["correct"] is True)
            unscored = math.isnan(answer["score"])
            assert (row["error"] or "").startswith("no score: " if unscored else "")
            assert row["evaluation"]["score"] == (0 if unscored else answer["score"])
            if run.record.task == "complexeval_basic":
                assert unscored == (row["output"]["raw"] == ["no verdict"])
                assert row["metadata"]["correct"] == "neither correct nor wrong"
            if run.record.task == "binaryqa_qa":
                assert "likelihood" in row["answer_attribution"][0]["source"]


def test_exporting_a_run_again_writes_the_same_files(store, exported, tmp_path):
    for _ in range(2):
        assert export(store / "logs", "--out", tmp_path).exit_code == 0
    again = {path.name for path in tmp_path.rglob("*.json")}
    assert again < {path.name for path in exported.rglob("*.json")}
    for path in exported.rglob("*.json*"):
        assert RECORD_PATH.fullmatch(str(path.relative_to(exported)))
    for record, _ in records(exported):
        source, library = record["source_metadata"], record["eval_library"]
        assert source["source_organization_name"] == "Us"
        assert source["evaluator_relationship"] == "third_party"
        assert library["name"] in {"inspect_ai", "lm_eval"}
        assert re.match(r"\d+\.\d+", library["version"])


def test_results_of_lm_eval_without_samples_are_reported(store, tmp_path):
    results = min((store / "results").rglob("results_*.json"))
    (tmp_path / results.name).write_bytes(results.read_bytes())
    done = export(tmp_path / results.name, "--out", tmp_path / "eee", "--developer", "us")
    assert done.exit_code == 1
    assert "--log_samples" in done.stderr
    assert not list(records(tmp_path / "eee"))


def test_records_are_valid_by_the_schemas(exported):
    folder = os.environ.get(SCHEMAS)
    if not folder:
        pytest.skip(f"{SCHEMAS} is not set: it names the folder with every_eval_ever's schemas")
    files = [Path(folder) / f"{name}.schema.json" for name in ("eval", "instance_level_eval")]
    whole, row = (jsonschema.Draft7Validator(strict(file.read_text())) for file in files)
    for record, rows in records(exported):
        whole.validate(record)
        for values in rows:
            row.validate(values)
