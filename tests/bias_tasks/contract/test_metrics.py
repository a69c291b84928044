"""Every figure is declared once: what it means, its unit and range, and which way is better."""

import functools
import math
from fnmatch import fnmatchcase as fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.contract.metrics import (
    COMMON_METRICS,
    ITEMS,
    check_domain_name,
    find_metric_spec,
    reported_names,
    summarize_metrics,
)
from bias_tasks.contract.parameters import TaskSpec
from bias_tasks.contract.record import RECORD
from bias_tasks.families import FAMILY_NAMES, load_family
from bias_tasks.results.caveats import find_deterministic_metrics
from bias_tasks.scorers.run_metrics import all_metrics
from bias_tasks.statistics.estimate import Estimate
from tests.bias_tasks.contract.runs import SPECS, inspect_task, scored, small

TASKS = [f"{family}/{spec.name}" for family, spec in SPECS]
RANGES = {
    "share": (0, 1),
    "difference": (-1, 1),
    "verdict": (0, 1),
    "points": (-100, 100),
    "scale points": (-18, 18),
    "percent squared": (-10_000, math.inf),
    "count": (0, math.inf),
    "ratio": (-math.inf, math.inf),
    "score": (-math.inf, math.inf),
}
"""The widest range that a figure of each unit may have."""
UNBOUNDED = [
    "est_true",
    "est_true_diff",
    "format_std",
    "mean_format_std",
    "bias_f_corrected",
    "mean_bias_f",
    "selectivity",
]
"""EstTrue, which is above 1 if published scores answers outside the format, and its variances; and
a difference of differences."""
BOUNDS = ("_ci_low", "_ci_high", "_n", "_p")
NAMES = {
    "instruction_boundary": (
        "delta_acc=delta_acc abs_delta_acc=abs_delta_acc vanilla/judging/acc=acc or/True=or "
        "conformity/choice/sr=sr multi_turn/flips_to_right=flips_to_right items=items"
    ),
    # Domains may be named like a figure.
    "binary_qa": (
        "reading/f1=f1 std/f1=std reading/std/f1=std acc/polite=acc std/delta_recall=std "
        "delta_recall=delta_recall unparsed/unparsed=unparsed f1/acc/original=acc mbs/prc=prc"
    ),
    "output_format": (
        "gsm8k/fi/bolding=fi gsm8k/wrapping/bias_f=bias_f sys/text=sys "
        "bias_f/est_true/yaml=est_true my/own_file.jsonl/reliable/json=reliable"
    ),
    "complex_eval": (
        "acc/rubric~rubric=acc Chat/acc@theta=2/none~rubric=acc asr@beta=5/format=asr "
        "asr_excess/format=asr_excess rr/unparsed=rr"
    ),
}
"""Printed names with the metrics that they name."""
UNKNOWN = {
    "instruction_boundary": (
        "",
        *["/", "nope", "acc_n", "vanilla/delta", "or", "flips", "acc@x/y/z"],
    ),
    "binary_qa": ["rr", "acc", "std", "reading", "f1_ci_low", "F1", "@f1"],
    "output_format": ["difference", "bias_f/", "fi/a/b", "bias", "items_n"],
    "complex_eval": [
        "acc",
        "acc/none/more",
        "asr",
        "flaws_reported@k=20",
        "delta_acc",
        "theta=2/none",
    ],
}


@pytest.mark.parametrize("family", NAMES)
def test_a_printed_name_leads_to_its_figure_and_another_nowhere(family):
    metrics = load_family(family).metrics
    for printed, name in (pair.rsplit("=", 1) for pair in NAMES[family].split()):
        found = [find_metric_spec(printed, declared) for declared in (metrics, metrics[::-1])]
        assert [spec.name for spec in found] == [name, name]
    assert not [name for name in UNKNOWN[family] if find_metric_spec(name, metrics) is not None]


def test_a_declaration_is_whole():
    for family in map(load_family, FAMILY_NAMES):
        assert len({figure.name for figure in family.metrics}) == len(family.metrics)
        assert family.metrics.count(ITEMS) == 1
        for figure in family.metrics:
            low, high = RANGES[figure.unit]
            assert figure.low < figure.high
            if figure.name not in UNBOUNDED:
                assert low <= figure.low < figure.high <= high, figure.name
            assert figure.better in ("higher", "lower", None)
            assert figure.meaning.rstrip(".") == figure.meaning != ""
            assert {*figure.parts} <= {0, 1}
            printed = "/".join([figure.name, *["x"] * figure.parts[0]])
            assert find_metric_spec(printed, family.metrics) == figure
            fixed = figure.deterministic_value.values()
            assert all(figure.low <= value <= figure.high for value in fixed)


@functools.cache
def figures_in_inspect(name):
    """Every figure of a small run, by its printed name, and what the task shows of it."""
    task = inspect_task(name, **small(name))
    family, _, short = name.partition("/")
    options = load_family(family).tasks[short].metric_options(task.metadata[RECORD]["parameters"])
    scores = scored(task, family)
    [metric] = task.metrics
    assert task.headline_metric.scorer == "outcome"
    return all_metrics(options)(scores), metric(scores)


@pytest.mark.parametrize("name", TASKS)
def test_every_figure_of_a_run_is_declared_and_the_headline_shown_first(name):
    family_name, _, short = name.partition("/")
    family = load_family(family_name)
    metrics, shown = figures_in_inspect(name)
    printed = [metric for metric in metrics if f"{metric}_n" in metrics]
    assert {metric for metric in metrics if not metric.endswith(BOUNDS)} == set(printed)
    for figure_name in printed:
        value, figure = metrics[figure_name], find_metric_spec(figure_name, family.metrics)
        assert figure is not None, figure_name
        assert math.isnan(value) or figure.low <= value <= figure.high, figure_name
        p = metrics.get(f"{figure_name}_p", math.nan)
        assert math.isnan(p) or (0 <= p <= 1 and figure.low < 0), figure_name
    assert metrics["items"] == metrics["items_n"] > 0
    first, *others = shown
    spec = family.tasks[short]
    assert fnmatch(first, spec.headline[0]) or family_name == "output_format"
    assert others[:3] == ["stderr", "ci_low", "ci_high"]
    assert others[-1] == "items"
    added = {"items", "above_chance_significant"} & set(others)
    reported = [name for name in others[3:] if not name.endswith("_stderr") and name not in added]
    assert reported == [*reported_names(spec, printed)][1:]
    values = {name: shown[name] for name in (first, *reported, *added)}
    assert values == pytest.approx({name: metrics[name] for name in values}, nan_ok=True, abs=0)
    bounds = {name: [metrics[f"{name}_ci_low"], metrics[f"{name}_ci_high"]] for name in values}
    assert [shown["ci_low"], shown["ci_high"]] == pytest.approx(bounds[first], nan_ok=True, abs=0)
    assert shown["stderr"] == pytest.approx(_standard_error(bounds[first]), nan_ok=True)
    for name in reported:
        error = shown[f"{name}_stderr"]
        assert error == pytest.approx(_standard_error(bounds[name]), nan_ok=True), name
    unmet = [each for each in spec.reported if not any(fnmatch(n, each) for n in printed)]
    assert set(unmet) <= MET_ELSEWHERE.get(family_name, set()), short


def _standard_error(bounds):
    return (bounds[1] - bounds[0]) / 3.919927969


MET_ELSEWHERE = {
    "binary_qa": {"mbs"},  # of `binaryqa_nrc`, with `full_share`
    "instruction_boundary": {"moved_to_correct", "selectivity"},
    "output_format": {
        *("*/format_std", "*/bias_f", "*/fi_var", "*/est_true/*", "mean_bias_f", "bias_f"),
        *("bias_f_corrected", "fi_var", "n_formats_excluded"),
    },
    "complex_eval": {
        *("delta_score/*", "criteria_spread", "criterion_rise/*"),
        "delta_asr/*",  # with `aux=full,none`
    },
    "judge_bias": {
        *("acc_both_orders", "first_position_rate", "score_shift/*"),
        "edited_shift/*",
    },
}
"""In runs of one category or several, of several data sets, suggestions or other kinds of items."""

PAPERS = {
    "vanilla": ("rs", "judging/sr", "judging/gr", "choice/gr_none", "or/Unknown", "or/unparsed"),
    "conformity": ("moved_to_suggestion", "delta_acc", "rs", "choice/sr", "judging/gr", "or/none"),
    "instruction_boundary": ("vanilla/rs", "conformity/rs", "few_shot/delta_acc"),
    "binaryqa": ("mbs", "f1", "delta_precision", "prc", "sc", "std/f1", "average/sc", "unparsed"),
    "format_wrapping": ("format_std", "est_true/bolding", "sys/quoting", "fi/brackets", "bias_f"),
    "format_bias": (
        *("mean_format_std", "est_true/text", "sys/sep", "list/bias_f", "wrapping/fi_var"),
    ),
    "complexeval_basic": (
        "score_rise",
        "attack_acc_drop",
        "acc/none",
        "acc/rubric~rubric",
        "rr/reference",
    ),
    "complexeval_role_playing": ("asr_excess", "asr/original", "asr/criteria_loophole"),
    "complexeval_attention_limit": ("recall/joint", "ceiling/joint", "flaws_reported@k=9/joint"),
}
"""Metrics of the papers' tables that a framework must show, the headline first."""


@pytest.mark.parametrize("name", [name for name in TASKS if name.partition("/")[2] in PAPERS])
def test_the_metrics_of_the_papers_tables_are_shown(name):
    _, shown = figures_in_inspect(name)
    expected = PAPERS[name.partition("/")[2]]
    assert next(iter(shown)) == expected[0] or name.endswith("/instruction_boundary")
    assert set(expected) <= set(shown)
    assert {f"{metric}_stderr" for metric in expected[1:]} <= set(shown)


def test_a_task_reports_a_readable_number_of_metrics():
    n_reported = {name: (len(figures_in_inspect(name)[1]) - 3) // 2 for name in TASKS}
    unreadable = {name: n for name, n in n_reported.items() if not 6 <= n <= 30}
    assert unreadable == {"output_format/format_bias": 50}


OF_OTHER_RUNS = {
    "binary_qa": {"confidence", "inconsistency_spearman"},  # of lm-eval's `_ll` tasks
    "instruction_boundary": {"moved_to_correct", "selectivity"},  # with `suggest=both`
    "judge_bias": {"max_edited_shift", "edited_shift"},  # with `pairs=near`
    "output_format": {"seconds", "or_diff"},  # of real calls, and of options that fit in two modes
}
"""Metrics that runs with default parameters lack; the family's tests expect them."""


@pytest.mark.parametrize("family", [name for name in FAMILY_NAMES if name != "complex_eval"])
def test_no_declared_figure_is_left_over(family):
    """Some task of the family has it: a declaration of what is gone would be found here."""
    brought = load_family(family)
    runs = [figures_in_inspect(name)[0] for name in TASKS if name.startswith(f"{family}/")]
    printed = {name for run in runs for name in run if f"{name}_n" in run}
    names = {find_metric_spec(name, brought.metrics).name for name in printed}
    names |= {figure.name for figure in COMMON_METRICS} | OF_OTHER_RUNS.get(family, set())
    declared = {figure.name for figure in brought.metrics}
    assert declared == names | {"judge_usage"} & declared, "a grader parses no answer here"


def test_what_is_shown_of_a_card():
    spec = TaskSpec("t", "", (), headline=("none", "a/*"), reported=("b", "a/x", "c*"))
    card = {name: Estimate(0.5, 0.4, 0.6, 9) for name in ("c2", "a/x", "b", "c1", "d")}
    assert reported_names(spec, card) == ("a/x", "b", "c2", "c1")
    found = summarize_metrics(spec, card | {"items": Estimate(9, 9, 9, 9)})
    others = [part for name in ("b", "c2", "c1") for part in (name, f"{name}_stderr")]
    assert list(found) == ["a/x", "stderr", "ci_low", "ci_high", *others, "items"]
    assert found["stderr"] == found["b_stderr"] == pytest.approx(0.2 / 3.919928)
    assert summarize_metrics(spec, {"d": card["d"]}) == {}
    nothing = summarize_metrics(spec, {"b": Estimate.without_interval(math.nan, 0)})
    assert all(math.isnan(value) for value in nothing.values())


def test_what_a_steady_backend_settles_is_known():
    binary, judges = (load_family(name).metrics for name in ("binary_qa", "complex_eval"))
    settled = find_deterministic_metrics(["sc", "reading/sc", "prc", "std/sc"], binary)
    assert settled == {"sc": 1, "reading/sc": 1}
    names = ["asr/original", "math/asr/original", "asr/format", "asr_excess/format", "nothing"]
    assert find_deterministic_metrics(names, judges) == {"asr/original": 0, "math/asr/original": 0}


@given(st.data())
def test_what_a_domain_may_be_called_leaves_every_figure_its_own(data):
    """Whatever stands in front of a printed name and is allowed, the figure is the same."""
    family = data.draw(st.sampled_from(["binary_qa", "complex_eval"]))
    declared = load_family(family).metrics
    names = [figure.name for figure in declared]
    printed = data.draw(st.sampled_from(NAMES[family].split())).rsplit("=", 1)[0]
    domain = data.draw(st.sampled_from(names) | st.text() | st.text("acr/@", min_size=1))
    try:
        check_domain_name(domain, f"bias_tasks.{family}")
    except ValueError:
        return
    assert domain not in names
    assert find_metric_spec(f"{domain}/{printed}", declared) == find_metric_spec(printed, declared)
