"""The grammar of formats, the items that a search is over, and the search, without a host."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.contract.outcomes import Outcome
from bias_tasks.probing.answers import restore_task_form
from bias_tasks.probing.family import ProbeExtra
from bias_tasks.probing.format_grammar import (
    PromptFormat,
    all_formats,
    sample_formats,
    select_searchable,
)
from bias_tasks.probing.format_search import (
    find_extremes,
    held_out_metrics,
    plan_round,
    split_items,
)
from bias_tasks.probing.items import Perturbation, ProbedItem

PROMPT = "Answer with 'ANSWER: X', X one of A,B.\n\nWhich one?\n\nA) Red wine\nB) White wine\n"


def items(count, choices=("Red wine", "White wine"), **more):
    return [ProbedItem(f"{n}", "Which one?", choices, (0,), "A", **more) for n in range(count)]


def sample(count, seed=0):
    return sample_formats(all_formats(), count, seed, [(PROMPT, 2)])


def test_a_format_displays_options_as_its_name_says():
    format_ = PromptFormat("roman", "OPTION", "square", "dash", "bar")
    assert format_.name == "roman+OPTION+square+dash+bar"
    assert format_.style.apply(PROMPT) == (
        "Answer with 'ANSWER: X', X one of I, II.\n\nWhich one?\n\n"
        "OPTION [I] - Red wine | OPTION [II] - White wine\n"
    )
    [item], asked = items(1), Perturbation(option_style=format_.style)
    said = restore_task_form(asked, "ANSWER: Option II", ("A", "B"), item)
    assert said == "ANSWER: Option B"


def test_a_sample_depends_on_its_seed_and_has_no_two_equal_looks():
    found = sample(200)
    assert found == sample(200)
    assert found != sample(200, seed=1)
    assert found[0] == PromptFormat()
    looks = {each.style.apply(PROMPT) for each in found[1:]}
    assert len(looks) == 199
    assert PROMPT not in looks
    assert sample(20) == found[:20]  # a larger sample goes on with the smaller one


def test_labels_change_only_if_most_items_can_have_other_labels():
    mixed = items(9) + items(1, ("Both of these", "White wine"))
    chosen, formats, notes = select_searchable(mixed)
    assert (len(chosen), len(formats)) == (9, len(all_formats()))
    assert notes == ["1 of 10 items cannot have every format"]
    chosen, formats, notes = select_searchable(items(10, ("2 apples", "5 apples")))
    assert (len(chosen), {each.labels for each in formats}) == (10, {""})
    assert notes == ["no format changes labels: only 0 of 10 items can have other labels"]
    for few in (items(3), items(20, ()), items(20, ("One",))):
        with pytest.raises(ValueError, match="prompt displays 2 to 26 choices"):
            select_searchable(few)


@given(st.integers(4, 60), st.integers(1, 400), st.booleans())
def test_no_cluster_is_on_both_sides_and_the_budget_is_kept(count, budget, clustered):
    own = [
        ProbedItem(f"{n}", "?", ("a", "b"), cluster=f"{n // 3 if clustered else n}")
        for n in range(count)
    ]
    try:
        search, held_out = split_items(own, budget, 0)
    except ValueError as error:
        reason = str(error)
    else:
        reason = ""
    if reason:
        assert budget < 24 or "too few clusters" in reason
        return
    assert not {each.cluster for each in search} & {each.cluster for each in held_out}
    assert 15 + 3 * len(held_out) <= budget
    assert (search, held_out) == split_items(own[::-1], budget, 0)


def spent(chances, calls, seed=0, count=1000, rounds=10):
    """Tallies of formats that are right with these chances, once a search has spent its calls."""
    rng, answers = random.Random(f"answers {seed}"), [[] for _ in chances]
    for number in range(2 * rounds):
        left = calls - sum(map(len, answers))
        asked = plan_round(answers, count, min(calls // rounds, left), random.Random(number))
        for arm, item in asked:
            assert item == len(answers[arm])
            answers[arm].append(float(rng.random() < chances[arm]))
    return answers


def test_planted_best_and_worst_are_found_and_get_most_items():
    """In 20 searches of 20 formats; by chance alone a format is found in one of 20."""
    chances = [0.6] * 20
    chances[7], chances[13] = 0.95, 0.2
    found = [spent(chances, 600, seed) for seed in range(20)]
    best, worst = zip(*map(find_extremes, found), strict=True)
    assert best.count(7) >= 18
    assert worst.count(13) >= 18
    asked = np.mean([list(map(len, each)) for each in found], axis=0)
    assert sorted(np.argsort(asked)[-2:]) == [7, 13]
    assert asked[7] + asked[13] > 0.4 * 600


def test_luck_with_a_few_answers_does_not_win():
    """By their means the format with two right answers of two would be the best."""
    assert find_extremes([[1.0] * 2, [1.0] * 90 + [0.0] * 10, [1.0, 0.0] * 50]) == (1, 2)
    with pytest.raises(ValueError, match="fewer than two formats"):
        find_extremes([[1.0, None, 0.5], [None] * 5])


def test_the_held_out_spread_is_over_items_with_both_scores():
    scores = {"baseline": [1, 1, 0, 0], "b": [1, 1, 1, 0], "w": [0, 1, None, 0]}
    outcomes = [
        Outcome(f"{n}", f"{n}", name, "A", "A", score, "", extra=ProbeExtra())
        for name, row in scores.items()
        for n, score in enumerate(row)
    ]
    figures = held_out_metrics(outcomes, "b", "w")
    assert figures["score/b"].value == 0.75
    assert (figures["spread"].value, figures["spread"].n) == (pytest.approx(1 / 3), 3)
