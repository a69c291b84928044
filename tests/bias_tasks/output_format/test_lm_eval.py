"""Output formats through lm-eval's own evaluator."""

import re

import pytest

from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.plan import FormatQuestion
from bias_tasks.output_format.scoring_data import FormatData
from bias_tasks.simulated.formats import wrong_answer
from bias_tasks.simulated.lm_eval_model import SimulatedLM
from tests.bias_tasks.binary_qa.paper_rows import write_jsonl
from tests.bias_tasks.harness_runs import facts, load, run, shown, values
from tests.bias_tasks.output_format.cases import formats_in

FITS = {
    "mcq": ("mmlu", "bbh"),
    "wrapping": ("gsm8k", "hotpotqa", "fairytaleqa", "mmlu", "bbh"),
    "list": ("semeval2017", "scidocs"),
    "mapping": ("scirex_easy", "scirex_medium", "scirex_hard"),
}
"""The data sets whose answers a category's formats support."""
GROUPS = [*(f"format_{category}" for category in FITS)]
GROUPS += ["format_core", "format_synthetic", "output_format"]
COMPARING = {"bias_f", "bias_f_corrected", "bias_f_noise", "fi_var"}
COMPARING |= {"n_formats", "n_formats_excluded"}


def build_question(doc):
    return FormatQuestion.from_scoring_data(FormatData.from_dict(facts(doc)))


def in_format(doc, answer=None):
    """An answer in the document's format, by default the correct one."""
    question = build_question(doc)
    payload = question.item.answer if answer is None else answer
    return FORMATS[question.format].render(payload, question.item, question.params.prompting)


def mixed(doc):
    """By the id: a correct or wrong answer in the format, one without format, or none."""
    answers = [
        in_format(doc),
        in_format(doc),
        in_format(doc, wrong_answer(build_question(doc).item, 0)),
        f"It is {doc['gold']}.",
        "",
    ]
    return answers[sum(doc["id"].encode()) % len(answers)]


def test_a_task_of_one_format_has_the_metrics_of_the_whole_task():
    fmt = "quoting"
    alone, among = f"format_wrapping_synthetic_{fmt}", "format_wrapping_synthetic"
    results = run([alone, among], mixed, n=14)
    metrics, all_metrics = values(results, alone), values(results, among)
    true_score = ("true_score_low", "true_score_high", "true_score", "true_score_coverage")
    kinds = ("fi", "sys", "est_true", *true_score, "reliable", "needed_fi")
    names = {*(f"{kind}/{fmt}" for kind in kinds), "items"}
    flat = {f"{name}{end}" for name in names for end in ("", "_ci_low", "_ci_high", "_n")}
    metrics = {
        n: value
        for n, value in metrics.items()
        if not re.match("above|above_chance_significant", n)
    }
    assert metrics == pytest.approx({name: all_metrics[name] for name in flat}, nan_ok=True)
    assert 0 < metrics[f"fi/{fmt}"] < 1
    assert set(all_metrics) >= COMPARING


def test_a_group_has_the_mean_bias_over_its_data_sets(shared_data):
    results = run(["format_mapping"], SimulatedLM("steadfast", follow_json=0.7), n=30)
    for dataset in FITS["mapping"]:
        record = results["configs"][f"format_mapping_{dataset}"]["metadata"]["bias_tasks"]
        assert (record["data"], record["provenance"][0]["source"]) == (dataset, dataset)
    for name in ("bias_f", "bias_f_corrected", "fi_var"):
        by_dataset = [
            values(results, f"format_mapping_{dataset}")[name] for dataset in FITS["mapping"]
        ]
        assert shown(results, "format_mapping")[name] == pytest.approx(sum(by_dataset) / 3)
    assert len(set(by_dataset)) > 1


TASK = "format_wrapping_synthetic"
ROWS = [
    {"input": "What is 2 + 3?", "answer": "5", "answer_type": "number"},
    {"input": "Who wrote Emma?", "answer": "Jane Austen", "answer_type": "text"},
    {"input": "Which keys?", "answer": ["a", "b"], "answer_type": "string_list"},
]


def test_wrong_parameters_give_one_clear_error():
    for task, parameters, said in (
        (TASK, {"formats": "bolding,json"}, "formats='json': expected some of"),
        (f"{TASK}_bolding", {"formats": "quoting"}, "the task's name says formats='bolding'"),
        ("format_wrapping_file", {}, "data='paper'.* expected your own file"),
        ("format_wrapping_file", {"data": "gsm8k"}, "data='gsm8k'.*other data sets have"),
    ):
        own = {} if task == "format_wrapping_file" else {"n": 4}
        with pytest.raises((ValueError, RuntimeError), match=said):
            load(task, **own | parameters)
    assert len(load(TASK, n=4, data="synthetic").task_docs) == 4 * len(formats_in("wrapping"))


def test_a_users_file_is_prompted_in_the_formats_of_the_category(tmp_path):
    more_rows = [{**ROWS[0], "input": "What is 1 + 4?"}]
    first, second = (
        str(write_jsonl(tmp_path / f"{n}.jsonl", rows)) for n, rows in enumerate((ROWS, more_rows))
    )
    data = f"{first}, {second}"
    results = run(["format_wrapping_file"], in_format, data=data, formats="quoting,bolding")
    metrics = values(results, "format_wrapping_file")
    assert metrics["items"] == 3
    record = results["configs"]["format_wrapping_file"]["metadata"]["bias_tasks"]
    assert (record["data"], record["parameters"]["formats"]) == (data, "quoting,bolding")
    ids = [sample["doc"]["id"] for sample in results["samples"]["format_wrapping_file"]]
    assert [name.rpartition("/")[2] for name in ids] == ["bolding", "quoting"] * 3
    assert [(origin["n"], origin["left_out"]) for origin in record["provenance"]] == [
        (2, 1),
        (1, 0),
    ]
    with pytest.raises(RuntimeError, match="formats json, yaml supports the answers"):
        load("format_mapping_file", data=first)
