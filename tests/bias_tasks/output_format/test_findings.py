"""What results and reports say in words of formats that few answers follow."""

from dataclasses import replace
from pathlib import Path

import pytest

from bias_tasks.contract.outcomes import Answer
from bias_tasks.output_format.family import FAMILY
from bias_tasks.output_format.items import FormatParams
from bias_tasks.output_format.plan import FormatQuestion
from bias_tasks.results.answers import complete_run, load_all_metrics
from bias_tasks.results.caveats import find_caveats, format_headline
from bias_tasks.results.find import read_runs
from tests.bias_tasks.output_format.runs import numbers, simulate_run
from tests.bias_tasks.results.runs import run_inspect
from tests.bias_tasks.results.runs import simulate_run as simulate_task

TRAITS = {"follow_parentheses": 0.0, "follow_quoting": 0.0, "follow_brackets": 0.0}


def plan_questions(items, name, **params):
    """Return the scoring data of the items in one format."""
    return [FormatQuestion(item, name, FormatParams(**params)).scoring_data() for item in items]


def test_formats_that_few_answers_follow_are_named_with_what_is_wrong():
    """None of 100 answers follows two formats, and 3 follow a third."""
    outcomes = simulate_run(numbers(100), traits=TRAITS).outcomes()
    for index in [i for i, o in enumerate(outcomes) if o.extra.format == "brackets"][:3]:
        extra = replace(outcomes[index].extra, follows=True)
        outcomes[index] = replace(outcomes[index], extra=extra)
    rare, excluded = FAMILY.findings(outcomes, {})
    assert rare == (
        "fewer than 5% of the answers follow "
        "[[...]] (3 of 100: wrapper missing in 97); "
        "((...)) (0 of 100: wrapper missing in 100); "
        '"""...""" (0 of 100: wrapper missing in 100)'
    )
    assert excluded == (
        "bias_f and format_std exclude formats that fewer than 10 answers, or less than a tenth of "
        "them, follow: brackets, parentheses, quoting (4 of 7 formats remain)"
    )
    # The paper's variance is of every format that is followed at all.
    assert FAMILY.findings(outcomes, {"protocol": "paper_text"}) == (rare,)
    assert FAMILY.findings(simulate_run(numbers(20)).outcomes(), {}) == ()
    [few] = FAMILY.findings(simulate_run(numbers(9)).outcomes(), {})
    assert few.endswith("(0 of 7 formats remain)")


def test_a_wrapper_around_another_value_is_not_a_missing_wrapper():
    """Of 19 answers with the brackets, 16 enclose no number: the model does write brackets."""
    texts = ["[[34]]"] * 3 + ["It is [[17 * 2]]."] * 16 + ["It is 34."] * 80 + ["It is [[34"]
    rows = zip(plan_questions(numbers(100), "brackets"), texts, strict=True)
    outcomes = [FAMILY.score_answer(data, Answer(text)) for data, text in rows]
    older = [replace(o, extra=replace(o.extra, encloses_other=None)) for o in outcomes]
    for rows, reasons in (
        (outcomes, ": wrapper missing in 81, value of another kind in 16"),
        (older, ""),
    ):
        rare, *_ = FAMILY.findings(rows, {})
        assert rare == f"fewer than 5% of the answers follow [[...]] (3 of 100{reasons})"


@pytest.mark.parametrize(
    ("text", "protocol", "encloses_other"),
    [
        ("**34**", "corrected", None),
        ("**17 * 2**", "corrected", True),
        ("**34** or **35**", "corrected", True),
        ("34", "corrected", False),
        ("", "corrected", False),
        ("**34", "corrected", False),
        ("**34**", "published", None),
        ("**34** or **35**", "published", True),
        ("34", "published", False),
    ],
)
def test_the_outcome_records_what_a_wrapper_encloses(text, protocol, encloses_other):
    [data] = plan_questions(numbers(1), "bolding", protocol=protocol)
    outcome = FAMILY.score_answer(data, Answer(text))
    assert outcome.extra.encloses_other is encloses_other
    assert outcome.extra.follows is (encloses_other is None)


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
    log = run_inspect(
        tmp_path,
        "output_format/format_wrapping",
        "simulated/steadfast",
        options={"model_args": {"follow_parentheses": 0.0}},
        data="core",
        n=8,
    )
    [few] = map(load_all_metrics, read_runs([Path(log)]))
    headline = "-", "fewer than two formats are followed often enough to be compared", "", ""
    assert format_headline(few) == headline
    caveats = " ".join(find_caveats(few))
    assert "follow ((...)) (0 of 8: wrapper missing in 8)" in caveats
    assert "(0 of 7 formats remain)" in caveats


def test_a_report_says_it_of_the_answers_that_it_has():
    run = simulate_task("output_format", "format_wrapping", "a", 20, {"follow_quoting": 0.0})
    assert any('follow """..."""' in caveat for caveat in find_caveats(complete_run(run)))
