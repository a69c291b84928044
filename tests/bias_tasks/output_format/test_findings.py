"""What results and reports say in words of formats that a model does not write."""

from dataclasses import replace
from pathlib import Path

import pytest

from bias_tasks.output_format.family import FAMILY
from bias_tasks.results.answers import complete_run, load_all_metrics
from bias_tasks.results.caveats import find_caveats, format_headline
from bias_tasks.results.find import read_runs
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.output_format.runs import numbers, simulate_run
from tests.bias_tasks.results.runs import run_inspect
from tests.bias_tasks.results.runs import simulate_run as simulate_task

TRAITS = {"follow_parentheses": 0.0, "follow_quoting": 0.0, "follow_brackets": 0.0}


@pytest.fixture
def outcomes():
    """Answers to 100 items of which none follows two formats, and 3 follow a third."""
    outcomes = simulate_run(numbers(100), traits=TRAITS).outcomes()
    to_change = [i for i, o in enumerate(outcomes) if o.extra.format == "brackets"][:3]
    for index in to_change:
        extra = replace(outcomes[index].extra, follows=True)
        outcomes[index] = replace(outcomes[index], extra=extra)
    return outcomes


def test_formats_that_no_answer_or_few_answers_follow_are_named(outcomes):
    never, rarely, excluded = FAMILY.findings(outcomes, {})
    assert never == (
        'the model never writes ((...)) or """...""": none of the 200 answers to prompts '
        "that request this does"
    )
    assert rarely == "the model rarely writes [[...]] (3 of 100 answers)"
    assert excluded == (
        "bias_f and format_std exclude formats that fewer than 10 answers, or less than a tenth of "
        "them, follow: brackets, parentheses, quoting (4 of 7 formats remain)"
    )
    # The paper's variance is of every format that is followed at all.
    assert FAMILY.findings(outcomes, {"protocol": "paper_text"}) == (never, rarely)


def test_a_model_that_follows_every_format_has_no_finding():
    assert FAMILY.findings(simulate_run(numbers(20)).outcomes(), {}) == ()
    [few] = FAMILY.findings(simulate_run(numbers(9)).outcomes(), {})
    assert few.endswith("(0 of 7 formats remain)")


def test_other_groups_than_one_are_named():
    runs = (
        simulate_run(numbers(20), traits={"follow_quoting": 0.0}, prompting=p).outcomes()
        for p in ("zs", "zs_cot")
    )
    *_, excluded = FAMILY.findings([o for run in runs for o in run], {})
    assert excluded.endswith(
        "follow: synthetic zs wrapping: quoting (6 of 7 formats remain); "
        "synthetic zs_cot wrapping: quoting (6 of 7 formats remain)"
    )


def test_results_say_it(tmp_path):
    model = "simulated/steadfast"
    options = {"model_args": {"follow_parentheses": 0.0}}
    log = run_inspect(
        tmp_path, "output_format/format_wrapping", model, options=options, data="core", n=12
    )
    output = " ".join(typed("results", log).stdout.split())
    assert "the model never writes ((...)): none of the 12 answers" in output
    assert "parentheses (6 of 7 formats remain)" in output
    few = run_inspect(tmp_path, "output_format/format_wrapping", model, data="core", n=8)
    [few] = map(load_all_metrics, read_runs([Path(few)]))
    headline = "-", "fewer than two formats are followed often enough to be compared", "", ""
    assert format_headline(few) == headline
    assert any("(0 of 7 formats remain)" in caveat for caveat in find_caveats(few))


def test_a_report_says_it_of_the_answers_that_it_has():
    run = simulate_task("output_format", "format_wrapping", "a", 20, {"follow_quoting": 0.0})
    assert any('never writes """..."""' in caveat for caveat in find_caveats(complete_run(run)))
