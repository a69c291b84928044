"""Output formats through lm-eval's own evaluator."""

import re

import pytest

from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.plan import question_from_dict
from bias_tasks.simulated.formats import wrong_answer
from bias_tasks.simulated.lm_eval_model import SimulatedLM
from tests.bias_tasks.binary_qa.paper_rows import write_jsonl
from tests.bias_tasks.harness_runs import facts, load, run, shown, values

FITS = {
    "mcq": ("mmlu", "bbh"),
    "wrapping": ("gsm8k", "hotpotqa", "fairytaleqa", "mmlu", "bbh"),
    "list": ("semeval2017", "scidocs"),
    "mapping": ("scirex_easy", "scirex_medium", "scirex_hard"),
}
"""The data sets whose answers a category's formats can hold."""
GROUPS = [*(f"format_{category}" for category in FITS)]
GROUPS += ["format_core", "format_synthetic", "output_format"]
COMPARING = {"bias_f", "bias_f_corrected", "bias_f_noise", "fi_var", "formats_compared", "left_out"}


def question_of(doc):
    return question_from_dict(facts(doc)["question"])


def in_format(doc, answer=None):
    """An answer in the document's format: the right one, where no other is given."""
    question = question_of(doc)
    payload = question.item.answer if answer is None else answer
    return FORMATS[question.format].render(payload, question.item, question.params.prompting)


def mixed(doc):
    """Right and wrong answers in the format, right ones in no format, and none, by the id."""
    answers = [
        in_format(doc),
        in_format(doc),
        in_format(doc, wrong_answer(question_of(doc).item, 0)),
        f"It is {doc['gold']}.",
        "",
    ]
    return answers[sum(doc["id"].encode()) % len(answers)]


def test_one_format_has_the_figures_that_it_has_among_all():
    fmt = "quoting"
    alone, among = f"format_wrapping_synthetic_{fmt}", "format_wrapping_synthetic"
    results = run([alone, among], mixed, n=14)
    figures, all_figures = values(results, alone), values(results, among)
    kinds = ("fi", "sys", "est_true", "reliable", "needed_fi")
    names = {*(f"{kind}/{fmt}" for kind in kinds), "items"}
    flat = {f"{name}{end}" for name in names for end in ("", "_ci_low", "_ci_high", "_n")}
    figures = {n: each for n, each in figures.items() if not re.match("above|can_tell", n)}
    assert figures == pytest.approx({name: all_figures[name] for name in flat}, nan_ok=True)
    assert 0 < figures[f"fi/{fmt}"] < 1
    assert set(all_figures) >= COMPARING


def test_a_group_has_the_mean_bias_over_its_data_sets(shared_data):
    results = run(["format_mapping"], SimulatedLM("steadfast", follow_json=0.7), n=12)
    for dataset in FITS["mapping"]:
        record = results["configs"][f"format_mapping_{dataset}"]["metadata"]["bias_tasks"]
        assert (record["data"], record["provenance"][0]["source"]) == (dataset, dataset)
    for name in ("bias_f", "bias_f_corrected", "fi_var"):
        each = [values(results, f"format_mapping_{dataset}")[name] for dataset in FITS["mapping"]]
        assert shown(results, "format_mapping")[name] == pytest.approx(sum(each) / 3)
    assert len(set(each)) > 1


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
    assert len(load(TASK, n=4, data="synthetic").task_docs) == 4 * 7


def test_one_s_own_file_is_asked_in_the_category_s_formats(tmp_path):
    more = [{**ROWS[0], "input": "What is 1 + 4?"}]
    own, more = (
        str(write_jsonl(tmp_path / f"{n}.jsonl", rows)) for n, rows in enumerate((ROWS, more))
    )
    data = f"{own}, {more}"
    results = run(["format_wrapping_file"], in_format, data=data, formats="quoting,bolding")
    figures = values(results, "format_wrapping_file")
    assert figures["items"] == 3
    record = results["configs"]["format_wrapping_file"]["metadata"]["bias_tasks"]
    assert (record["data"], record["parameters"]["formats"]) == (data, "quoting,bolding")
    asked = [sample["doc"]["id"] for sample in results["samples"]["format_wrapping_file"]]
    assert [name.rpartition("/")[2] for name in asked] == ["bolding", "quoting"] * 3
    assert [(each["n"], each["left_out"]) for each in record["provenance"]] == [(2, 1), (1, 0)]
    with pytest.raises(RuntimeError, match="json, yaml can hold an answer"):
        load("format_mapping_file", data=own)
