"""What holds for all generated yes/no questions: seeds, prefixes, ids, balance, speed, wordings."""

import re
from collections import Counter
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.binary_qa.data.synthetic import SYNTHETIC_DOMAINS, generate_binary
from bias_tasks.binary_qa.items import REFORMULATIONS, VARIANTS
from bias_tasks.binary_qa.reformulation.checks import check
from bias_tasks.names import content_hash
from tests.bias_tasks.effort import growth
from tests.bias_tasks.examples import examples

SEEDS = st.integers()
FEW = examples(25)
SOME_DOMAINS = st.sets(st.sampled_from(SYNTHETIC_DOMAINS), min_size=1).map(sorted)
ITEMS = generate_binary(4000, 3)


@FEW
@given(seed=SEEDS, domains=SOME_DOMAINS, k=st.integers(0, 20))
def test_the_first_items_do_not_depend_on_how_many_follow(seed, domains, k):
    assert generate_binary(20, seed, domains)[:k] == generate_binary(k, seed, domains)


@FEW
@given(seed=SEEDS)
def test_another_seed_gives_other_items(seed):
    here, there = (generate_binary(12, other) for other in (seed, seed + 1))
    # Everyday questions come from lists that end, so that single ones can return.
    assert not {item.context for item in here if item.context} & {item.context for item in there}
    assert here[3::4] != there[3::4]


@FEW
@given(seed=SEEDS, domains=SOME_DOMAINS)
def test_every_prefix_is_balanced_over_domains_and_labels(seed, domains):
    counts = Counter()
    for n, item in enumerate(generate_binary(30, seed, domains), start=1):
        counts.update([item.domain, item.answer, (item.domain, item.answer)])
        assert abs(counts["Yes"] - n / 2) <= 1
        for domain in domains:
            assert abs(counts[domain] - n / len(domains)) < 1
            assert abs(counts[domain, "Yes"] - counts[domain, "No"]) <= 1


def test_the_order_of_the_domains_does_not_matter():
    assert generate_binary(8, 1, ["everyday", "reading"]) == generate_binary(
        8, 1, ["reading", "everyday"]
    )


def test_the_items_are_the_same_on_every_machine():
    """Moves only when generated questions move: raise the tasks' versions with it."""
    rows = [asdict(item) for item in generate_binary(400, 0)]
    assert not any(row.pop("further") for row in rows)
    assert content_hash(rows) == "253aea83ad"


def test_a_thousand_questions_of_any_domain_are_all_different():
    for domain in SYNTHETIC_DOMAINS:
        items = generate_binary(1000, 5, [domain])
        assert len({(item.context, item.question) for item in items}) == 1000
        assert len({item.id for item in items}) == 1000
        assert {item.domain for item in items} == {domain}


def test_ids_hash_the_content():
    item = ITEMS[0]
    rewordings = [getattr(item.reformulations, kind) for kind in REFORMULATIONS]
    assert item.id == "synthetic-" + content_hash(
        "binary", item.domain, item.context, item.question, item.answer, rewordings
    )
    assert {(item.source, item.cluster == item.id) for item in ITEMS} == {("synthetic", True)}


def test_only_everyday_questions_have_no_passage():
    assert all((item.context is None) == (item.domain == "everyday") for item in ITEMS)


def test_the_five_wordings_are_different_questions():
    for item in ITEMS:
        texts = {item.wording(variant) for variant in VARIANTS}
        assert len(texts) == 5
        for text in texts:
            assert re.fullmatch(r"[A-Z][^?\n{}#]*\?", text)
            assert "n't" not in text


def test_the_wordings_pass_the_checks_for_any_rewording():
    refused = [
        (item.question, kind, item.wording(kind), reason)
        for item in ITEMS
        for kind in REFORMULATIONS
        if (reason := check(item.question, kind, item.wording(kind)))
    ]
    assert not refused


def test_numerical_questions_are_half_thresholds_and_half_exact_numbers():
    styles = Counter(
        (" exactly " in item.question, item.answer)
        for item in generate_binary(80, 6, ["numerical"])
    )
    assert set(styles.values()) == {20}
    assert len(styles) == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, 0), "n is -1: use a whole number from 0 up"),
        ((1.0, 0), "n is 1.0"),
        ((1, 0, ["ethics"]), "domains is .'ethics'.: use some of reading, multi_hop, numerical"),
        ((1, 0, []), r"domains is \[\]"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        generate_binary(*arguments)


def test_no_questions_is_an_empty_list():
    assert generate_binary(0, 0) == []


def test_work_is_linear_in_the_questions():
    assert growth(lambda count: lambda: generate_binary(count, 1), 60) < 5
