"""`bias-tasks export eee`: records of Every Eval Ever, of runs of either host.

What the schema demands of a record is held here in words of our own; the last test holds records to
the schema itself where that is at hand.
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
from bias_tasks.contract.figures import figure_of
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.results.conftest import RUNS

SCHEMAS = "BIAS_TASKS_EEE_SCHEMAS"
PLACE = re.compile(
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
    """JSON as others read it: without NaN and infinities."""

    def refuse(word):
        raise AssertionError(f"{word} is no JSON")

    return json.loads(text, parse_constant=refuse)


def records(folder):
    """Each record with the rows beside it; the rows are None where it names none."""
    for path in sorted(folder.rglob("*.json")):
        record = strict(path.read_text(encoding="utf-8"))
        named = record.get("detailed_evaluation_results")
        rows = None
        if named is not None:
            content = (folder / named["file_path"]).read_bytes()
            assert named["checksum"] == hashlib.sha256(content).hexdigest()
            rows = [strict(line) for line in content.decode().splitlines()]
            assert named["total_rows"] == len(rows)
        yield record, rows


def details(record):
    return record["source_metadata"]["additional_details"]


def test_every_figure_is_a_result_with_its_interval_direction_and_range(exported, runs):
    for record, rows in records(exported):
        run, card = runs[details(record)["digest"]]
        found = {each["evaluation_result_id"]: each for each in record["evaluation_results"]}
        assert next(iter(found)) == run.headline
        assert set(found) == {name for name, each in card.items() if math.isfinite(each.value)}
        told = json.loads(details(record).get("figures_without_value", "[]"))
        assert set(told) == set(card) - set(found)
        marked = [n for n, e in found.items() if e["score_details"]["details"].get("headline")]
        assert marked == [run.headline]
        assert {row["evaluation_result_id"] for row in rows} == {run.headline}
        for name, result in found.items():
            figure, score = card[name], result["score_details"]
            assert score["score"] == figure.value
            assert score["uncertainty"]["num_samples"] == figure.n
            if math.isfinite(figure.ci_low) and math.isfinite(figure.ci_high):
                interval = score["uncertainty"]["confidence_interval"]
                assert (interval["lower"], interval["upper"]) == (figure.ci_low, figure.ci_high)
            declared, metric = figure_of(name, run.family.figures), result["metric_config"]
            assert metric["lower_is_better"] is (declared.better == "lower")
            better = metric["additional_details"]["better"]
            assert better == declared.better or (not declared.better and "neither" in better)
            limits = [float(metric[end]) for end in ("min_score", "max_score")]
            assert limits == [declared.low, declared.high]
            assert metric["score_type"] in {"binary", "continuous"}


def test_a_row_an_answer(exported, runs, store):
    frame = outcomes_df(store, output=True)
    for record, rows in records(exported):
        run, _ = runs[details(record)["digest"]]
        answers = frame[frame["log"] == str(run.path)]
        for row, (_, answer) in zip(rows, answers.iterrows(), strict=True):
            assert row["sample_id"] == f"{answer['item']}/{answer['variant']}"
            assert row["evaluation_id"] == record["evaluation_id"]
            assert row["model_id"] == record["model_info"]["id"]
            assert row["input"]["raw"] == answer["prompt"]
            read = [each["extracted_value"] for each in row["answer_attribution"]]
            for told, kept in ((row["output"]["raw"], "output"), (read, "answer")):
                assert told == ([answer[kept]] if isinstance(answer[kept], str) else [])
            assert row["evaluation"]["is_correct"] is (answer["right"] is True)
            nothing = math.isnan(answer["score"])
            assert (row["error"] or "").startswith("no score: " if nothing else "")
            assert row["evaluation"]["score"] == (0 if nothing else answer["score"])
            if run.record["task"] == "complexeval_basic":
                assert nothing == (row["output"]["raw"] == ["no verdict"])
                assert row["metadata"]["right"] == "neither right nor wrong"
            if run.record["task"] == "binaryqa_qa":
                assert "likelihood" in row["answer_attribution"][0]["source"]


def test_what_a_record_says_is_the_same_when_it_is_exported_again(store, exported, tmp_path):
    for _ in range(2):
        assert export(store / "logs", "--out", tmp_path).exit_code == 0
    again = {path.name for path in tmp_path.rglob("*.json")}
    assert again < {path.name for path in exported.rglob("*.json")}
    for path in exported.rglob("*.json*"):
        assert PLACE.fullmatch(str(path.relative_to(exported)))
    for record, _ in records(exported):
        source, library = record["source_metadata"], record["eval_library"]
        assert source["source_organization_name"] == "Us"
        assert source["evaluator_relationship"] == "third_party"
        assert library["name"] in {"inspect_ai", "lm_eval"}
        assert re.match(r"\d+\.\d+", library["version"])


def test_lm_evals_results_without_samples_have_a_record_alone(store, tmp_path):
    results = min((store / "results").rglob("results_*.json"))
    (tmp_path / results.name).write_bytes(results.read_bytes())
    done = export(tmp_path / results.name, "--out", tmp_path / "eee", "--developer", "us")
    assert done.exit_code == 0
    assert "--log_samples" in done.stderr
    [(record, rows)] = records(tmp_path / "eee")
    assert rows is None
    assert record["evaluation_results"]
    assert record["model_info"]["developer"] == "us"


def test_records_are_valid_by_the_schemas(exported):
    folder = os.environ.get(SCHEMAS)
    if not folder:
        pytest.skip(f"{SCHEMAS} is not set: it names the folder with every_eval_ever's schemas")
    files = [Path(folder) / f"{name}.schema.json" for name in ("eval", "instance_level_eval")]
    whole, row = (jsonschema.Draft7Validator(strict(file.read_text())) for file in files)
    for record, rows in records(exported):
        whole.validate(record)
        for each in rows:
            row.validate(each)
