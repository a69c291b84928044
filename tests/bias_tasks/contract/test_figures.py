"""Every figure is declared once: what it means, its unit and range, and which way is better."""

import functools
import json
import math
from fnmatch import fnmatchcase as fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.binary_qa.data.paper import DOMAIN_SOURCES
from bias_tasks.binary_qa.data.synthetic import SYNTHETIC_DOMAINS
from bias_tasks.complex_eval.data.load import family_sources
from bias_tasks.families import FAMILY_NAMES, load_family
from bias_tasks.figures import BESIDE, ITEMS, figure_of, needs_noise, usable_prefix
from bias_tasks.record import RECORD
from bias_tasks.scorers.outcome import figures
from tests.bias_tasks.contract.runs import SPECS, inspect_task, scored, small
from tests.bias_tasks.harness_runs import load

TASKS = [f"{family}/{spec.name}" for family, spec in SPECS]
RANGES = {
    "share": (0, 1),
    "difference": (-1, 1),
    "verdict": (0, 1),
    "points": (-100, 100),
    "percent squared": (-10_000, math.inf),
    "count": (0, math.inf),
    "score": (-math.inf, math.inf),
}
"""The widest range that a figure of each unit may have."""
BOUNDS = ("_ci_low", "_ci_high", "_n", "_p")
NAMES = {
    "instruction_boundary": {
        **{"delta_acc": "delta_acc", "abs_delta_acc": "abs_delta_acc", "rs": "rs"},
        **{"judging/acc": "acc", "vanilla/judging/acc": "acc", "conformity/choice/sr": "sr"},
        **{"vanilla/choice/gr_none": "gr_none", "few_shot/acc_balanced": "acc_balanced"},
        **{"flips/lost": "flips", "multi_turn/flips/gained": "flips", "items": "items"},
        **{"or/True": "or", "vanilla/or/unread": "or", "unread": "unread"},
        **{"adopted": "adopted", "conformity/adopted/Unknown": "adopted"},
        "judge_usage": "judge_usage",
    },
    "binary_qa": {
        **{"mbs": "mbs", "f1": "f1", "reading/f1": "f1", "std/f1": "std", "reading/std/f1": "std"},
        **{"acc/polite": "acc", "multi_hop/acc/original": "acc", "unread": "unread"},
        **{"std/delta_recall": "std", "delta_recall": "delta_recall", "domains": "domains"},
        # Domains that are named like a figure.
        **{"f1/acc/original": "acc", "f1/f1": "f1", "mbs/prc": "prc", "items/unread": "unread"},
        "unread/unread": "unread",
    },
    "output_format": {
        **{"fi": "fi", "fi/bolding": "fi", "gsm8k/fi/bolding": "fi", "sys/text": "sys"},
        **{"bias_f": "bias_f", "wrapping/bias_f": "bias_f", "gsm8k/wrapping/bias_f": "bias_f"},
        **{"gsm8k/wrapping/fi_var": "fi_var", "difference/a-b": "difference"},
        **{"my/own file.jsonl/reliable/json": "reliable", "bias_f/est_true/yaml": "est_true"},
        **{"sys/needed_fi/yaml": "needed_fi", "bias_f_noise": "bias_f_noise"},
    },
    "complex_eval": {
        **{"acc/none": "acc", "acc/rubric~rubric": "acc", "Closed QA/acc/none": "acc"},
        **{"acc@theta=0.25/rubric": "acc", "Chat/acc@theta=2/none~rubric": "acc"},
        **{"asr@beta=5/format": "asr", "asr_excess/format": "asr_excess"},
        **{"found@k=20/joint": "found", "unread": "unread", "unread/joint": "unread"},
        **{"attackable": "attackable", "math/attackable": "attackable"},
        # Domains that are named like a figure.
        **{"unread/acc/none": "acc", "acc/acc/none": "acc", "rr/unread": "rr"},
        **{"found/gain/reference": "gain", "domains/attackable": "attackable"},
    },
}
UNKNOWN = {
    "instruction_boundary": ("", "/", "nope", "acc_n", "vanilla/delta", "or", "flips", "acc@x/y/z"),
    "binary_qa": ("rr", "acc", "std", "reading", "f1_ci_low", "F1", "@f1"),
    "output_format": ("difference", "bias_f/", "fi/a/b", "bias", "items_n"),
    "complex_eval": ("acc", "acc/none/more", "asr", "found@k=20", "gain", "theta=2/none"),
}


def declared():
    return [
        pytest.param(family, figure, id=f"{family}/{figure.name}")
        for family in FAMILY_NAMES
        for figure in load_family(family).figures
    ]


@pytest.mark.parametrize(
    ("family", "printed", "name"),
    [(family, *names) for family, table in NAMES.items() for names in table.items()],
)
def test_a_printed_name_leads_to_its_figure(family, printed, name):
    figure = load_family(family).figure(printed)
    assert figure is not None
    assert figure.name == name
    assert figure == figure_of(printed, reversed(load_family(family).figures))


@pytest.mark.parametrize(
    ("family", "printed"), [(family, name) for family in UNKNOWN for name in UNKNOWN[family]]
)
def test_what_is_no_figure_s_name_leads_nowhere(family, printed):
    assert load_family(family).figure(printed) is None


@pytest.mark.parametrize(("family", "figure"), declared())
def test_a_declaration_is_whole(family, figure):
    low, high = RANGES[figure.unit]
    assert low <= figure.low < figure.high <= high
    assert figure.better in ("higher", "lower", None)
    assert figure.higher_is_better is (None if figure.better is None else figure.better == "higher")
    assert figure.meaning
    assert not figure.meaning.endswith(".")
    assert figure.parts
    assert set(figure.parts) <= {0, 1}
    bare = "/".join([figure.name, *["x"] * figure.parts[0]])
    assert load_family(family).figure(bare) == figure


@pytest.mark.parametrize("family", FAMILY_NAMES)
def test_every_family_counts_its_items(family):
    figures = load_family(family).figures
    assert len({figure.name for figure in figures}) == len(figures)
    assert figures.count(ITEMS) == 1


@functools.cache
def figures_in_inspect(name):
    """Every figure of a small run, by its printed name."""
    return every_figure(inspect_task(name, **small(name)), name)


def every_figure(task, name):
    family, _, short = name.partition("/")
    options = load_family(family).tasks[short].for_figures(task.metadata[RECORD]["parameters"])
    return figures(options)(scored(task, family))


@pytest.mark.parametrize("name", TASKS)
def test_every_figure_of_a_run_is_declared(name):
    family = load_family(name.partition("/")[0])
    metrics = figures_in_inspect(name)
    printed = [metric for metric in metrics if f"{metric}_n" in metrics]
    assert {metric for metric in metrics if not metric.endswith(BOUNDS)} == set(printed)
    assert "items" in printed
    for figure_name in printed:
        value, figure = metrics[figure_name], family.figure(figure_name)
        assert figure is not None, figure_name
        assert math.isnan(value) or figure.low <= value <= figure.high, figure_name
        if figure.unit == "verdict":
            assert value in (0, 1) or math.isnan(value), figure_name
        assert metrics[f"{figure_name}_n"] == int(metrics[f"{figure_name}_n"]) >= 0
        if f"{figure_name}_p" in metrics:
            p = metrics[f"{figure_name}_p"]
            assert math.isnan(p) or 0 <= p <= 1
            assert figure.low < 0, f"{figure_name} has a p-value but cannot be below 0"
    assert metrics["items"] == metrics["items_n"] > 0


@pytest.mark.parametrize("family", FAMILY_NAMES)
def test_no_declared_figure_is_left_over(family, tmp_path):
    """Some task of the family has it: a declaration of what is gone would be found here."""
    brought = load_family(family)
    runs = [figures_in_inspect(name) for name in TASKS if name.startswith(f"{family}/")]
    if family == "complex_eval":
        runs.append(_of_two_domains(tmp_path))
    found = {brought.figure(name) for run in runs for name in run if f"{name}_n" in run}
    assert {figure.name for figure in brought.figures} == {figure.name for figure in found}


@pytest.mark.parametrize("name", TASKS)
def test_a_task_shows_its_headline_first_and_few_figures_beside_it(name):
    task = inspect_task(name, **small(name))
    family, _, short = name.partition("/")
    [metric] = task.metrics
    shown, every = metric(scored(task, family)), figures_in_inspect(name)
    first, *others = shown
    assert fnmatch(first, load_family(family).tasks[short].headline[0]) or family == "output_format"
    assert others[:3] == ["stderr", "ci_low", "ci_high"]
    assert others[-1] == "items"
    assert 2 <= len(others[3:-1]) <= BESIDE
    assert {each: shown[each] for each in (first, *others[3:])} == pytest.approx(
        {each: every[each] for each in (first, *others[3:])}, nan_ok=True
    )
    bounds = [every[f"{first}_ci_low"], every[f"{first}_ci_high"]]
    assert [shown["ci_low"], shown["ci_high"]] == pytest.approx(bounds, nan_ok=True)
    assert shown["stderr"] == pytest.approx((bounds[1] - bounds[0]) / 3.919928, nan_ok=True)
    assert load_family(family).figure(first).better is not None
    assert task.headline_metric.scorer == "outcome"


def test_every_declared_name_of_what_is_shown_is_some_run_s():
    """A name that no run has would be found here."""
    for family in FAMILY_NAMES:
        for short, spec in load_family(family).tasks.items():
            names = set(figures_in_inspect(f"{family}/{short}"))
            unmet = [each for each in spec.beside if not any(fnmatch(n, each) for n in names)]
            assert set(unmet) <= MET_ELSEWHERE.get(family, set()), short


MET_ELSEWHERE = {"output_format": {"*/bias_f_corrected", "bias_f", "fi_var", "left_out"}}
"""In runs of one category, or of several."""


def _of_two_domains(folder):
    rows = [
        {
            "id": f"p{number}",
            "query": f"question {number}",
            "domain": domain,
            "responses": {"chosen": "It is so, and here is why.", "rejected": "It is."},
        }
        for number, domain in enumerate(("Law", "Chat", "Law", "Chat"))
    ]
    path = folder / "pairs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    task = inspect_task("complex_eval/complexeval_basic", data=str(path), aux="none", attack="none")
    return every_figure(task, "complex_eval/complexeval_basic")


@pytest.mark.parametrize(
    ("task", "family", "metadata"),
    [
        ("ib_conformity_judging", "instruction_boundary", {"data": "synthetic", "n": 4}),
        ("binaryqa", "binary_qa", {"data": "synthetic", "n": 8}),
        ("binaryqa_qa_ll", "binary_qa", {"data": "synthetic", "n": 4}),
        ("format_list_synthetic", "output_format", {"n": 2}),
        ("format_list_synthetic_bullet", "output_format", {"n": 2}),
        ("complexeval_basic", "complex_eval", {"data": "synthetic", "n": 2}),
        ("complexeval_math", "complex_eval", {"data": "synthetic", "n": 2}),
        ("complexeval_attention_limit", "complex_eval", {"n": 1}),
    ],
)
def test_which_way_is_better_reaches_lm_eval_from_there(task, family, metadata):
    loaded, brought = load(task, **metadata), load_family(family)
    directions = loaded.higher_is_better()
    for name in loaded.aggregation():
        figure = None if name.endswith("_stderr") else brought.figure(name)
        better = None if figure is None else figure.higher_is_better
        assert directions.get(name) is better, name
    assert set(directions) <= set(loaded.aggregation())
    assert directions


def test_what_a_steady_backend_settles_is_known():
    binary, judges = (load_family(name).figures for name in ("binary_qa", "complex_eval"))
    assert needs_noise(["sc", "reading/sc", "prc", "std/sc"], binary) == {
        "sc": 1,
        "reading/sc": 1,
    }
    names = ["asr/original", "math/asr/original", "asr/format", "asr_excess/format", "nothing"]
    assert needs_noise(names, judges) == {"asr/original": 0, "math/asr/original": 0}
    for figure in (*binary, *judges):
        for value in figure.without_noise.values():
            assert figure.low <= value <= figure.high


def usable(name, figures):
    try:
        return usable_prefix(name, figures) == name
    except ValueError:
        return False


@given(st.data())
def test_what_a_domain_may_be_called_leaves_every_figure_its_own(data):
    """Whatever stands in front of a printed name and is allowed, the figure is the same."""
    family = data.draw(st.sampled_from(["binary_qa", "complex_eval"]))
    figures = load_family(family).figures
    names = [figure.name for figure in figures]
    printed = data.draw(st.sampled_from(sorted(NAMES[family])))
    domain = data.draw(st.sampled_from(names) | st.text() | st.text("acr/@", min_size=1))
    if domain in names:
        assert not usable(domain, figures)
    if usable(domain, figures):
        assert figure_of(f"{domain}/{printed}", figures) == figure_of(printed, figures)


def test_without_that_a_domain_could_be_taken_for_a_figure():
    figures = load_family("complex_eval").figures
    assert figure_of("chat/unread", figures).name == "unread"
    assert figure_of("acc/unread", figures).name == "acc"
    with pytest.raises(ValueError, match=r"'acc' is the name of a figure, so that acc/\.\.\."):
        usable_prefix("acc", figures)
    for name in ("a/b", "a@b", "a\x1bb", "a\nb"):
        with pytest.raises(ValueError, match="stands in the names of figures"):
            usable_prefix(name, figures)


def test_our_own_domains_may_be_called_what_they_are():
    ours = {
        "binary_qa": {*DOMAIN_SOURCES, *SYNTHETIC_DOMAINS, "file"},
        "complex_eval": {
            *(source.domain for source in family_sources("basic").values()),
            *("math", "olympiadbench", "role_playing", "creative_writing", "basic"),
        },
    }
    for family, domains in ours.items():
        assert all(usable(domain, load_family(family).figures) for domain in domains)
