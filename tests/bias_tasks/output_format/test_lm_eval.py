"""Output formats through lm-eval's own evaluator."""

import pytest

from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.items import TASK_CATEGORIES
from bias_tasks.output_format.scoring_data import FormatData
from bias_tasks.simulated.draws import Simulated
from bias_tasks.simulated.formats import wrong_answer
from bias_tasks.simulated.lm_eval_model import SimulatedLM
from tests.bias_tasks.binary_qa.paper_rows import write_jsonl
from tests.bias_tasks.contract.runs import inspect_task
from tests.bias_tasks.harness_runs import facts, load, run, values

TASK = "format_wrapping"
SYNTHETIC = {"data": "synthetic"}
COMPARING = {"bias_f", "bias_f_corrected", "bias_f_noise", "fi_var"}
COMPARING |= {"n_formats", "n_formats_excluded"}


def data_of(doc):
    return FormatData.from_dict(facts(doc))


def in_format(doc, answer=None):
    """An answer in the document's format, by default the correct one."""
    data = data_of(doc)
    payload = data.gold_value if answer is None else answer
    return FORMATS[data.format].render(payload, data.to_item(), data.prompting)


def mixed(doc):
    """By the id: a correct or wrong answer in the format, one without format, or none."""
    answers = [
        in_format(doc),
        in_format(doc),
        in_format(doc, wrong_answer(data_of(doc).to_item(), Simulated())),
        f"It is {doc['gold']}.",
        "",
    ]
    return answers[sum(doc["id"].encode()) % len(answers)]


def test_a_run_of_one_format_has_the_metrics_of_the_whole_run():
    fmt = "quoting"
    metrics, all_metrics = (
        values(run([TASK], mixed, n=14, **SYNTHETIC, **chosen), TASK)
        for chosen in ({"formats": fmt}, {})
    )
    true_score = ("true_score_low", "true_score_high", "true_score", "true_score_coverage")
    kinds = ("fi", "sys", "est_true", *true_score, "reliable", "needed_fi")
    names = {*(f"{kind}/{fmt}" for kind in kinds), "items"}
    flat = {f"{name}{end}" for name in names for end in ("", "_ci_low", "_ci_high", "_n")}
    metrics = {name: metrics[name] for name in flat}
    assert metrics == pytest.approx({name: all_metrics[name] for name in flat}, nan_ok=True)
    assert 0 < metrics[f"fi/{fmt}"] < 1
    assert set(all_metrics) >= COMPARING


def test_data_select_data_sets_as_in_inspect(shared_data):
    model = SimulatedLM("steadfast", follow_json=0.7)
    for data, sources in (
        ("scirex_easy", ["scirex_easy"]),
        ("core", ["core"]),
        ("paper", ["scirex_easy", "scirex_medium", "scirex_hard"]),
    ):
        results = run(["format_mapping"], model, n=10, data=data)
        record = results["configs"]["format_mapping"]["metadata"]["bias_tasks"]
        assert [origin["source"] for origin in record["provenance"]] == sources
        there = inspect_task("output_format/format_mapping", n=10, data=data)
        assert there.metadata["bias_tasks"]["digest"] == record["digest"]
    results = run(["output_format"], mixed, n=7, **SYNTHETIC)
    assert {*results["configs"]} == {*TASK_CATEGORIES} - {"format_bias"}


ROWS = [
    {"input": "What is 2 + 3?", "answer": "5", "answer_type": "number"},
    {"input": "Who wrote Emma?", "answer": "Jane Austen", "answer_type": "text"},
    {"input": "Which keys?", "answer": ["a", "b"], "answer_type": "string_list"},
]


def test_a_users_file_is_prompted_in_the_formats_of_the_category(tmp_path):
    more_rows = [{**ROWS[0], "input": "What is 1 + 4?"}]
    first, second = (
        str(write_jsonl(tmp_path / f"{n}.jsonl", rows)) for n, rows in enumerate((ROWS, more_rows))
    )
    data = f"{first}, {second}"
    results = run(["format_wrapping"], in_format, data=data, formats="quoting,bolding")
    metrics = values(results, "format_wrapping")
    assert metrics["items"] == 3
    record = results["configs"]["format_wrapping"]["metadata"]["bias_tasks"]
    assert (record["data"], record["parameters"]["formats"]) == (data, "quoting,bolding")
    ids = [sample["doc"]["id"] for sample in results["samples"]["format_wrapping"]]
    assert [name.rpartition("/")[2] for name in ids] == ["bolding", "quoting"] * 3
    assert [(origin["n"], origin["left_out"]) for origin in record["provenance"]] == [
        (2, 1),
        (1, 0),
    ]
    with pytest.raises(RuntimeError, match="formats json, yaml supports the answers"):
        load("format_mapping", data=first)
