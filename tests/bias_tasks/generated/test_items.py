"""Items from generated puzzles: labels, rewordings, ids, and their use in tasks."""

from collections import Counter

import pytest

from bias_tasks.binary_qa.data.load import load_binary
from bias_tasks.binary_qa.items import VARIANTS
from bias_tasks.data.errors import DataError
from bias_tasks.digests import digest
from bias_tasks.generated.puzzles import LEVELS
from bias_tasks.generated.source import MAX_LEVEL, VERSION
from bias_tasks.instruction_boundary.data.load import load_items
from bias_tasks.instruction_boundary.items import ChoiceItem


@pytest.mark.parametrize("level", [1, 4, 7])
def test_labels_are_balanced_and_items_differ(level: int) -> None:
    items = load_items("generated", n=60, level=level).items
    assert set(Counter((item.form, item.label) for item in items).values()) == {10}
    assert len({item.id for item in items}) == 60
    assert {item.columns["difficulty"] for item in items} == {level}


def test_items_of_a_puzzle_have_the_same_facts_and_one_cluster() -> None:
    items = load_items("generated", form="judging", n=30, level=2).items
    facts = {item.cluster: item.context for item in items}
    assert all(item.context == facts[item.cluster] for item in items)
    assert len(facts) == 10


def test_no_option_refers_to_others() -> None:
    for level in (1, 5):
        for item in load_items("generated", form="choice", n=60, level=level).items:
            assert isinstance(item, ChoiceItem)
            assert not item.refers_to_options


def test_disturbing_miscellany_has_ten_options_with_one_correct() -> None:
    items = load_items("generated", form="choice", n=20, level=4, ten_options=True).items
    assert {len(item.options) for item in items if isinstance(item, ChoiceItem)} == {10}
    assert {item.label for item in items} == {"single"}


def test_yes_no_questions_have_all_rewordings_and_balanced_answers() -> None:
    loaded = load_binary("generated", variants=VARIANTS, n=40, level=3)
    assert Counter(item.answer for item in loaded.items) == {"Yes": 20, "No": 20}
    for item in loaded.items:
        assert all(item.has_wording(variant) for variant in VARIANTS)
        assert len({item.question, *item.reformulations.values()}) == 5
        assert item.gold("contradictory") != item.answer
    assert loaded.provenance[0]["levels"] == [3]


def test_selected_subjects_give_the_requested_number_of_questions() -> None:
    items = load_binary("generated", variants=["original"], domains="routes", n=25).items
    assert Counter(item.domain for item in items) == {"routes": 25}


def test_hard_items_are_half_generated_and_half_of_the_core_above_level_1() -> None:
    items = load_items("hard", n=72).items
    assert len({item.id for item in items}) == 72
    levels = {source: set() for source in ("core", "generated")}
    for item in items:
        levels[item.source].add(item.columns["difficulty"])
    assert levels == {"core": {2, 3}, "generated": {4, 6, 8}}
    assert set(Counter((item.form, item.label) for item in items).values()) == {12}
    questions = load_binary("hard", variants=VARIANTS, n=60)
    counts = Counter(question.answer for question in questions.items)
    assert abs(counts["Yes"] - counts["No"]) <= 2
    assert [origin["n"] for origin in questions.provenance[:2]] == [30, 30]
    assert Counter(item.source for item in items) == {"core": 36, "generated": 36}


def test_a_seed_draws_the_same_items_in_each_release_of_a_version() -> None:
    drawn = [
        repr(loaded.items)
        for level in LEVELS
        for loaded in (
            load_items("generated", n=18, level=level),
            load_binary("generated", variants=VARIANTS, n=6, level=level),
        )
    ]
    assert (VERSION, digest(drawn)) == (1, "89e55d940beb57d8")


def test_levels_are_those_of_the_parameter() -> None:
    assert [*LEVELS] == [*range(1, MAX_LEVEL + 1)]


def test_a_level_needs_generated_items() -> None:
    with pytest.raises(ValueError, match="level=3 is for data=generated, but data='core'"):
        load_items("core", level=3)
    with pytest.raises(ValueError, match="whole number from 1 to 8"):
        load_items("generated", level=9)


def test_no_subject_or_an_unknown_one_is_one_error() -> None:
    for domains, message in (
        ("", "unknown domain none; the domains of generated are budgets"),
        ("ports", "unknown domain"),
    ):
        with pytest.raises(DataError, match=message):
            load_binary("generated", variants=["original"], domains=domains, n=5)
