"""Under `published` the tasks send the prompts of the authors' public scripts.

The prompts were recorded by running the scripts. They are in the folder `papers` next to the folder
of the real upstream files.
"""

import json
from collections import Counter
from dataclasses import replace

import pytest

from bias_tasks.output_format.data.sources import FORMAT_DATASETS
from bias_tasks.output_format.family import FAMILY
from bias_tasks.output_format.formats import FORMATS, wrappings
from bias_tasks.output_format.items import SCRIPT_VARIANTS, FormatItem, FormatParams
from bias_tasks.output_format.prompts import render_prompt
from tests.bias_tasks.output_format.cases import item

OPTIONS = "Question: {question}\nAnswer choices: {options}"
INPUTS = {
    "mmlu": OPTIONS,
    "bbh": OPTIONS,
    "gsm8k": "Question: {question}",
    "hotpotqa": "Question: {question}\nContext: {context}",
    "fairytaleqa": "Content: {context}\n\nQuestion: {question}",
    "scidocs": "Topic: {query}\nList of documents: {documents}",
}
"""The part of a recorded prompt that is the item; {document} for the other data sets."""


@pytest.fixture
def sent(shared_data):
    """The recorded prompts."""
    path = shared_data.parent / "papers" / "output_format_public_prompts.json"
    if not path.is_file():
        pytest.skip(f"{path.name} is not in the folder papers next to BIAS_TASKS_DATA")
    return json.loads(path.read_text(encoding="utf-8"))["rows"]


def plan(task, **values):
    return FAMILY.plan(task, FAMILY.tasks[task].values(values), likelihoods=False).questions


def stand_in(dataset):
    """An item with the placeholders of the recorded prompts."""
    answer_type = FORMAT_DATASETS[dataset].answer_type
    answer = {"Task": ("t",)} if answer_type == "mapping" else "A"
    options = ("yes", "no") if answer_type == "option_letter" else ()
    text = INPUTS.get(dataset, "{document}")
    return FormatItem("i", dataset, text, answer, answer_type, "i", options)


def test_every_recorded_prompt_is_sent(sent):
    """Of all 268: the messages of users. System messages are the host's."""
    assert Counter(row["family"] for row in sent) == {
        "wrapping": 196, "list": 32, "mapping": 24, "mcq": 16,
    }  # fmt: skip
    for row in sent:
        # Gemma's script for BBH sends five copies where one is meant.
        for repeat in {1, 5} if row["repeat"] == 5 else {row["repeat"]}:
            params = FormatParams(row["mode"], repeat, protocol="published", variant=row["model"])
            prompt = render_prompt(stand_in(row["dataset"]), FORMATS[row["format"]], params)
            assert prompt == row["template"]


@pytest.mark.parametrize("variant", SCRIPT_VARIANTS)
def test_the_tasks_send_them_with_the_papers_items(sent, variant, shared_data):
    by_key = {
        (row["dataset"], row["format"], row["mode"], row["model"]): row["template"]
        for row in reversed(sent)
        if row["repeat"] != 3
    }
    for task, datasets in {
        "format_mcq": ("bbh",),
        "format_wrapping": ("bbh", "gsm8k", "hotpotqa", "fairytaleqa"),
        "format_list": ("scidocs", "semeval2017"),
        "format_mapping": ("scirex_easy", "scirex_medium", "scirex_hard"),
    }.items():
        values = {"n": 1, "prompting": "zs,zs_cot", "variant": variant, "protocol": "published"}
        for dataset in datasets:
            for question in plan(task, data=dataset, **values):
                data = question.scoring_data
                # The rule: the requested variant, or the first of all that has a script.
                template = next(
                    by_key[key]
                    for model in (variant, *SCRIPT_VARIANTS)
                    if (key := (dataset, data.format, data.prompting, model)) in by_key
                )
                part = INPUTS.get(dataset, "{document}").removeprefix("Topic: ")
                assert part in template
                text = data.input.removeprefix("Topic: ")
                assert question.prompt == template.replace(part, text)


def test_the_papers_wording_is_sent_by_paper_text_and_without_a_script():
    number = item("number", "11")
    texts = {
        protocol: render_prompt(
            replace(number, dataset="gsm8k"), FORMATS["bolding"], FormatParams(protocol=protocol)
        )
        for protocol in ("corrected", "published", "paper_text")
    }
    assert texts["paper_text"] == texts["corrected"] != texts["published"]
    phrases = item("string_list", ("a",))
    params = FormatParams(protocol="paper_text")
    printed = render_prompt(phrases, FORMATS["python"], params)
    assert "Generate your binary list as a Python list without any explanation." in printed
    without_script = replace(params, protocol="published")
    assert render_prompt(phrases, FORMATS["python"], without_script) == printed
    [question] = plan("format_list", data="core", n=1, formats="python", protocol="paper_text")
    assert question.scoring_data.protocol == "published"  # how it is read and scored
    outcome = FAMILY.example_outcome(question.scoring_data)
    outcomes = [replace(outcome, item=name, score=score) for name, score in (("a", 0), ("b", 1))]
    metrics = {
        protocol: FAMILY.compute_metrics(outcomes, {"protocol": protocol})["needed_fi/python"].value
        for protocol in ("corrected", "published", "paper_text")
    }
    assert metrics["paper_text"] == metrics["published"] != metrics["corrected"]


def test_repetitions_without_a_script_have_blanks_between():
    params = FormatParams(protocol="published", repeat=2)
    prompt = render_prompt(stand_in("gsm8k"), FORMATS["brackets"], params)
    sentence = "Wrap your final answer using double square brackets."
    assert prompt.endswith(f"{{question}}\n{sentence} {sentence}")


def test_every_format_and_data_set_of_the_paper_says_so():
    assert {fmt.source for fmt in FORMATS.values()} == {"paper"}
    assert {source.source for source in FORMAT_DATASETS.values()} == {"paper"}


@pytest.mark.parametrize("protocol", ["published", "paper_text"])
def test_a_format_of_ours_does_not_join_the_papers_runs(monkeypatch, protocol):
    monkeypatch.setitem(
        FORMATS, "ours", wrappings.Wrapping("ours", "<u>", "</u>", instruction_text="x")
    )
    values = {"data": "core", "n": 1}
    corrected = [question.variant for question in plan("format_wrapping", **values)]
    assert corrected[-1] == "ours"
    papers = plan("format_wrapping", protocol=protocol, **values)
    assert [question.variant for question in papers] == corrected[:-1]
    with pytest.raises(ValueError, match="formats='ours': expected some of special_char"):
        plan("format_wrapping", protocol=protocol, formats="ours", **values)


def test_data_sets_of_ours_are_refused(monkeypatch):
    ours = replace(FORMAT_DATASETS["gsm8k"], source="ours")
    monkeypatch.setitem(FORMAT_DATASETS._read(), "gsm8k", ours)
    with pytest.raises(ValueError, match="paper's alone, and format_gsm8k is this"):
        plan("format_wrapping", data="gsm8k", n=1, protocol="published")
