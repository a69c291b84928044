"""Output formats through lm-eval's own evaluator."""

import collections
import math

import pytest
import yaml
from lm_eval.utils import make_table

from bias_tasks.family import Answer
from bias_tasks.harness.link import task_configs_folder
from bias_tasks.output_format.family import FAMILY
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.metrics import (
    format_scorecard,
)
from bias_tasks.output_format.metrics_table import (
    FormatOutcome,
)
from bias_tasks.simulated.lm_eval_model import SimulatedLM
from bias_tasks.statistics.estimate import flatten
from tests.bias_tasks.harness_runs import Answering, facts, load, manager, run, shown, values
from tests.bias_tasks.output_format.answers import in_format, mixed, question_of

FITS = {
    "mcq": ("mmlu", "bbh"),
    "wrapping": ("gsm8k", "hotpotqa", "fairytaleqa", "mmlu", "bbh"),
    "list": ("semeval2017", "scidocs"),
    "mapping": ("scirex_easy", "scirex_medium", "scirex_hard"),
}
"""The data sets whose answers a category's formats can hold."""
PAPER_FORMATS = {
    "mcq": ("character", "text"),
    "wrapping": (
        *("special_character", "bolding", "italicizing", "brackets", "parentheses"),
        *("placeholder", "quoting"),
    ),
    "list": ("python", "bullet", "sep", "newline"),
    "mapping": ("json", "yaml"),
}
ALL_FORMATS = [
    f"format_{category}_{dataset}"
    for category in FITS
    for dataset in (*FITS[category], "synthetic", "file")
]
ONE_FORMAT = [
    f"format_{category}_{dataset}_{fmt}"
    for category in FITS
    for dataset in (*FITS[category], "synthetic")
    for fmt in PAPER_FORMATS[category]
]
GROUPS = [*(f"format_{category}" for category in FITS), "format_synthetic", "output_format"]
SYNTHETIC = [f"format_{category}_synthetic" for category in FITS]
COMPARING = ("bias_f", "bias_f_corrected", "bias_f_noise", "fi_var", "formats_compared", "left_out")
N = 14


class _Loader(yaml.SafeLoader):
    """Takes the harness's `!function` for the name that stands behind it."""


_Loader.add_constructor("!function", lambda loader, node: node.value)


def ours(names):
    return sorted(name for name in names if name.startswith(("format_", "output_format")))


def outcomes(samples):
    """What became of the samples, by the shared reading."""
    for sample in samples:
        found = FAMILY.read(facts(sample["doc"]), Answer(sample["resps"][0][0]))
        assert sample["outcome"] == found.to_dict()
        follows = float(found.own["follows"])
        yield FormatOutcome(found.item, found.cluster, found.variant, follows, found.score)


def test_the_index_holds_the_table_of_what_fits():
    index = manager()
    assert ours(index.all_subtasks) == sorted([*ALL_FORMATS, *ONE_FORMAT])
    assert ours(index.all_groups) == sorted(GROUPS)


@pytest.mark.parametrize("category", FITS)
def test_each_file_says_what_its_name_does(category):
    for path in (task_configs_folder() / "output_format").glob(f"format_{category}_*.yaml"):
        said = yaml.load(path.read_text(encoding="utf-8"), _Loader)
        asked = said["dataset_kwargs"]
        parts = [asked["task"], asked.get("dataset", "file"), asked.get("formats")]
        assert path.stem == said["task"] == "_".join(filter(None, parts))
        assert asked.get("figures_of") == asked.get("formats")


@pytest.mark.parametrize("protocol", ["corrected", "published"])
@pytest.mark.parametrize("task", SYNTHETIC)
def test_figures_are_those_of_the_shared_scorecard(task, protocol):
    margins = {"moe": 0.2, "alpha": 0.1, "protocol": protocol}
    results = run([task], mixed, n=N, **margins)
    expected = flatten(format_scorecard(list(outcomes(results["samples"][task])), **margins))
    figures = values(results, task)
    assert (figures.pop("items"), figures.pop("items_n")) == (N, N)
    del figures["items_ci_low"], figures["items_ci_high"]
    assert figures == pytest.approx(expected, abs=1e-12, nan_ok=True)
    category = task.split("_")[1]
    assert {f"fi/{fmt}" for fmt in PAPER_FORMATS[category]} <= set(figures)
    assert figures["fi_var"] > 0


@pytest.mark.parametrize("fmt", ["bolding", "quoting"])
def test_one_format_has_the_figures_that_it_has_among_all(fmt):
    alone, among = f"format_wrapping_synthetic_{fmt}", "format_wrapping_synthetic"
    results = run([alone, among], mixed, n=N)
    figures, all_figures = values(results, alone), values(results, among)
    kinds = ("fi", "sys", "est_true", "reliable", "needed_fi")
    names = {*(f"{kind}/{fmt}" for kind in kinds), "items"}
    flat = {f"{name}{end}" for name in names for end in ("", "_ci_low", "_ci_high", "_n")}
    assert set(figures) == flat
    assert figures == pytest.approx({name: all_figures[name] for name in flat}, nan_ok=True)
    assert 0 < figures[f"fi/{fmt}"] < 1
    assert set(COMPARING) <= set(all_figures)


@pytest.mark.parametrize("prompting", ["zs", "zs_cot"])
@pytest.mark.parametrize("task", SYNTHETIC)
def test_an_item_s_formats_stand_side_by_side_and_no_prompt_twice(task, prompting):
    docs = load(task, n=N, prompting=prompting).task_docs
    formats = PAPER_FORMATS[task.split("_")[1]]
    asked = collections.defaultdict(list)
    for doc in docs:
        item, _, fmt = doc["id"].rpartition("/")
        asked[item].append(fmt)
    assert len(asked) == N
    questions = {question_of(doc).item.id: question_of(doc).item for doc in docs}
    for item, there in asked.items():
        assert there == [fmt for fmt in formats if FORMATS[fmt].holds(questions[item])]
    assert max(map(len, asked.values())) == len(formats)
    items = [doc["id"].rpartition("/")[0] for doc in docs]
    assert items == [item for item in dict.fromkeys(items) for _ in asked[item]]
    assert len({doc["prompt"] for doc in docs}) == len(docs)


@pytest.mark.parametrize("task", SYNTHETIC)
@pytest.mark.parametrize("prompting", ["zs", "zs_cot"])
def test_right_answers_in_their_format_show_no_bias(task, prompting):
    figures = values(run([task], in_format, n=N, prompting=prompting), task)
    formats = PAPER_FORMATS[task.split("_")[1]]
    assert {figures[f"{kind}/{fmt}"] for kind in ("fi", "sys", "est_true") for fmt in formats} == {
        1.0
    }
    assert (figures["bias_f"], figures["left_out"]) == (0, 0)


def test_a_format_that_nothing_follows_is_left_out_and_named():
    task = "format_wrapping_synthetic"
    model = SimulatedLM("steadfast", accuracy=0.5, follow=1.0, follow_bolding=0.0)
    figures = values(run([task], model, n=60), task)
    assert (figures["fi/bolding"], figures["fi/quoting"]) == (0, 1)
    assert (figures["formats_compared"], figures["left_out"]) == (6, 1)
    assert math.isnan(figures["est_true/bolding"])
    assert "difference/bolding-quoting" not in figures
    assert figures["difference/brackets-quoting"] == pytest.approx(0)
    assert figures["bias_f"] == pytest.approx(0)
    assert 0 < figures["est_true/quoting"] < 1


def test_planted_accuracies_give_the_variance_over_formats():
    planted = {"accuracy": 1.0, "accuracy_bullet": 0.0, "follow": 1.0}
    figures = values(
        run(["format_list_synthetic"], SimulatedLM("steadfast", **planted), n=20),
        "format_list_synthetic",
    )
    scores = [figures[f"est_true/{fmt}"] for fmt in PAPER_FORMATS["list"]]
    assert [score == 1 for score in scores] == [True, False, True, True]
    by_hand = 100**2 * 3 / 16 * (1 - scores[1]) ** 2
    assert figures["bias_f"] == pytest.approx(by_hand)
    assert figures["difference/bullet-python"] == pytest.approx(scores[1] - 1)


def test_protocols_differ_in_answers_that_hold_an_answer_but_not_the_format():
    def twice(doc):
        return f"**{doc['gold']}** and again **{doc['gold']}**"

    task = "format_wrapping_synthetic_bolding"
    for protocol, score in [("corrected", 0), ("published", 1)]:
        figures = values(run([task], twice, n=8, protocol=protocol), task)
        assert figures["fi/bolding"] == 0
        assert (figures["sys/bolding"] > 0) == bool(score)


@pytest.mark.parametrize(
    ("category", "dataset"),
    [(category, name) for category in FITS for name in FITS[category] if name != "mmlu"],
)
def test_the_paper_s_data_are_asked_under_their_tasks(shared_data, category, dataset):
    task = load(f"format_{category}_{dataset}", n=2)
    formats = PAPER_FORMATS[category]
    assert [doc["id"].rpartition("/")[2] for doc in task.task_docs] == [*formats, *formats]
    assert {question_of(doc).item.dataset for doc in task.task_docs} == {dataset}
    record = task.config.metadata["bias_tasks"]
    assert (record["data"], record["items"]) == (dataset, 2)
    assert record["provenance"][0]["source"] == dataset
    assert record["provenance"][0]["revision"]


def test_a_group_has_the_mean_bias_over_its_data_sets(shared_data):
    results = run(["format_mapping"], SimulatedLM("steadfast", follow_json=0.7), n=20)
    tasks = [f"format_mapping_{dataset}" for dataset in FITS["mapping"]]
    for name in ("bias_f", "bias_f_corrected", "fi_var"):
        each = [values(results, task)[name] for task in tasks]
        assert shown(results, "format_mapping")[name] == pytest.approx(sum(each) / 3)
    assert len(set(each)) == 3
    assert list(results["groups"]) == ["format_mapping"]


def test_generation_is_greedy_and_has_room():
    model = Answering(mixed)
    run(["format_mcq_synthetic"], model, n=4)
    assert {str(request.args[1]) for request in model.requests} == {
        str({"until": [], "max_gen_toks": 2048, "do_sample": False, "temperature": 0.0})
    }


def test_better_is_said_where_it_can_be():
    directions = load("format_wrapping_synthetic", n=7).higher_is_better()
    higher = ("fi/bolding", "fi/brackets")
    lower = ("bias_f", "bias_f_corrected", "fi_var")
    assert {directions[name] for name in higher} == {True}
    assert {directions[name] for name in lower} == {False}
    unsaid = ("left_out", "items", "bias_f_stderr")
    assert [name for name in unsaid if name in directions] == []


def test_the_table_shows_the_headline_with_its_own_standard_error():
    results = run(["format_synthetic"], mixed, n=N)
    for task in SYNTHETIC:
        row, figures = results["results"][task], values(results, task)
        width = figures["bias_f_corrected_ci_high"] - figures["bias_f_corrected_ci_low"]
        assert row["bias_f_corrected_stderr,none"] == pytest.approx(width / 3.919928, nan_ok=True)
    assert "|bias_f_corrected" in make_table(results)


def test_a_limit_cuts_the_last_item_short():
    task = "format_wrapping_synthetic"
    figures = values(run([task], in_format, options={"limit": 9}, n=N), task)
    assert figures["items"] == 2
    assert (figures["fi/special_character_n"], figures["fi/quoting_n"]) == (2, 1)
    assert figures["difference/bolding-quoting_n"] == 1


def test_predict_only_keeps_the_answers_and_scores_nothing():
    task = "format_list_synthetic"
    results = run([task], mixed, options={"predict_only": True}, n=4)
    assert list(shown(results, task)) == ["bypass"]
    sample = results["samples"][task][0]
    assert sample["resps"][0][0] == mixed(sample["doc"])


def test_demonstrations_of_the_harness_are_not_mixed_in():
    task = "format_mapping_synthetic"
    results = run([task], mixed, options={"num_fewshot": 3}, n=3)
    sample = results["samples"][task][0]
    assert sample["arguments"][0][0] == sample["doc"]["prompt"]
