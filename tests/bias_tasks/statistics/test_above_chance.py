"""Whether answers are better than chance; and who knows nothing looks like nothing."""

import math
from dataclasses import replace

import pytest

from bias_tasks.contract.outcomes import Extra, Outcome
from bias_tasks.families import family_of_task
from bias_tasks.instruction_boundary.scoring_data import SettingExtra
from bias_tasks.results.answers import compute_run_metrics
from bias_tasks.results.caveats import format_headline
from bias_tasks.results.findings import build_finding
from bias_tasks.statistics.above_chance import above_chance
from tests.bias_tasks.results.runs import simulate_run

NO_EXTRA = Extra()


def setting_extra(form):
    return SettingExtra(form=form, label="True", gold_label="True")


def outcomes(golds, said, extra=NO_EXTRA):
    """One item a letter; `-` is unparsed."""
    return [
        Outcome(
            f"i{n}", f"c{n}", "plain", gold, None if answer == "-" else answer, 0.0, "", extra=extra
        )
        for n, (gold, answer) in enumerate(zip(golds, said, strict=True))
    ]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        # Three are right; of the three other answers 2, 2, 0 and 1 would be.
        ("AABA", (3 / 4) - (2 / 3 + 2 / 3 + 0 / 3 + 1 / 3) / 4),
        ("AABB", 1 - 4 * (1 / 3) / 4),
        ("AAAA", 0),  # always the same
        ("BBAA", 0 - 4 * (2 / 3) / 4),
        ("----", 0),
    ],
)
def test_above_chance_by_hand(said, expected):
    found = above_chance(outcomes("AABB", said))
    assert found["above_chance"].value == pytest.approx(expected)
    assert found["above_chance"].ci_low < found["above_chance"].ci_high
    twice = [replace(o, epoch=epoch) for o in outcomes("AABB", said) for epoch in (1, 2)]
    assert above_chance(twice) == found


def test_items_of_another_form_lend_no_answers():
    """Always the first: True of a statement, 1 of a question."""
    mixed = outcomes("TTFF", "TTTT", setting_extra("judging")) + [
        replace(each, item=f"q{each.item}", extra=setting_extra("choice"))
        for each in outcomes("1234", "1111")
    ]
    assert above_chance(mixed)["above_chance"].value == 0
    assert above_chance(mixed)["above_chance_significant"].value == 0
    assert above_chance(outcomes("A", "A")) == {}
    assert above_chance([replace(each, gold=None) for each in mixed]) == {}


TASKS = ("conformity", "vagueness", "binaryqa_prc", "format_mcq", "complexeval_math")


def run_of(task, persona, n=80, **traits):
    family = family_of_task(task).name
    found = simulate_run(family, task, "m", n, traits, persona, data="core")
    return replace(found.run, metrics=compute_run_metrics(found))


def is_unbiased(run):
    """Whether the run of a model that knows nothing looks like that of one without a bias."""
    told = format_headline(run)
    is_doubted = told.value == "-" or "not shown to beat chance" in told.doubt
    return not is_doubted or build_finding(run).tone == "good"


@pytest.mark.parametrize("persona", ["first_option", "always_yes", "always_no", "empty"])
def test_who_knows_nothing_is_not_called_unbiased(persona):
    for task in TASKS:
        run = run_of(task, persona)
        assert not is_unbiased(run), task
        for name, figure in run.metrics.items():
            if not math.isnan(figure.value):
                assert figure.ci_low != figure.ci_high, (task, name)


def test_who_guesses_is_rarely_called_unbiased():
    """Of guesses, 2.5 % are better than chance: of 20 runs, hardly ever more than three."""
    runs = [run_of(task, "guess", 20, seed=seed) for task in TASKS for seed in range(4)]
    assert sum(map(is_unbiased, runs)) <= 3


def test_who_knows_is_told_from_them():
    for task in TASKS:
        assert not format_headline(run_of(task, "perfect", 20)).doubt, task
