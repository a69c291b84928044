"""What holds for all generated items: seeds, prefixes, ids, balance, speed, worked examples."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.data.synthetic.stream import is_example, stream
from bias_tasks.data.synthetic.words import all_names, all_nouns
from bias_tasks.instruction_boundary.data.synthetic import generate, generate_single
from bias_tasks.instruction_boundary.items import item_from_dict, item_to_dict
from bias_tasks.instruction_boundary.prompts.few_shot import choice_examples, judging_examples
from bias_tasks.names import content_hash
from tests.bias_tasks.effort import growth
from tests.bias_tasks.examples import examples

SEEDS = st.integers()
FEW = examples(25)


@FEW
@given(seed=SEEDS, form=st.sampled_from(["judging", "choice"]), k=st.integers(0, 12))
def test_the_first_items_do_not_depend_on_how_many_follow(seed, form, k):
    assert generate(form, 12, seed)[:k] == generate(form, k, seed)


@FEW
@given(seed=SEEDS)
def test_all_is_the_judging_and_then_the_choice_items(seed):
    assert generate("all", 5, seed) == generate("judging", 5, seed) + generate("choice", 5, seed)


@FEW
@given(seed=SEEDS)
def test_another_seed_gives_other_items(seed):
    here, there = (generate("all", 6, other) for other in (seed, seed + 1))
    assert not {item.id for item in here} & {item.id for item in there}


def test_the_items_are_the_same_on_every_machine():
    """Moves only when generated numbers move: raise the tasks' versions with it."""
    items = [*generate("all", 200, 0), *generate_single(50, 0)]
    assert content_hash([item_to_dict(item) for item in items]) == "c48efd58f6"


def test_labels_are_balanced_in_every_prefix():
    judging, choice = generate("judging", 100, 9), generate("choice", 100, 9)
    for n in range(1, 101):
        labels = Counter(item.label for item in judging[:n])
        assert abs(labels["Unknown"] - n / 2) <= 0.5
        assert abs(labels["True"] - n / 4) <= 1
        assert abs(labels["False"] - n / 4) <= 1
        kinds = Counter(item.label for item in choice[:n])
        assert all(abs(kinds[label] - n / 3) < 1 for label in ("single", "multiple", "none"))


def test_items_are_unique_and_their_ids_hash_their_content():
    items = [*generate("all", 3000, 2), *generate_single(1000, 2)]
    assert len({item.id for item in items}) == len(items)
    for item in items:
        assert item.source == "synthetic"
        assert item.cluster == item.id
    judging, choice = items[0], items[3000]
    assert judging.id == "synthetic-" + content_hash(
        "judging", judging.context, judging.question, judging.answer
    )
    assert choice.id == "synthetic-" + content_hash(
        "choice", choice.context, choice.question, choice.options, choice.answer
    )


def test_items_survive_writing_and_reading():
    for item in generate("all", 20, 1):
        assert item_from_dict(item_to_dict(item)) == item


def test_repeated_items_and_items_of_the_other_split_are_drawn_again():
    one, other = generate("judging", 2, 0)
    example, another = judging_examples(["True"], 2, 0)

    def drawn(items, **split):
        draws = iter(items)
        return list(stream("test", 0, ["any", "any"], lambda rng, label: next(draws), **split))

    assert drawn([one, one, example, other]) == [one, other]
    assert drawn([one, example, other, another], examples=True) == [example, another]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: generate("both", 1, 0), "form is 'both': use judging, choice or all"),
        (lambda: generate("judging", -1, 0), "n is -1"),
        (lambda: generate("judging", 1.0, 0), "n is 1.0"),
        (lambda: generate("judging", 1, 0, depth=0), "depth is 0: use a whole number from 1 to 6"),
        (lambda: generate("judging", 1, 0, depth=7), "depth is 7"),
        (lambda: generate("judging", 1, 0, distractors=13), "distractors is 13"),
        (lambda: generate_single(1, 0, 1), "n_options is 1: use a whole number from 2 to 10"),
        (lambda: generate_single(1, 0, 11), "n_options is 11"),
        (lambda: judging_examples([], 1, 0), "use some of True, False, Unknown"),
        (lambda: judging_examples(["none"], 1, 0), "use some of True, False, Unknown"),
        (lambda: choice_examples(["True"], 1, 0), "use some of single, multiple, none"),
        (lambda: choice_examples(["none"], -1, 0), "count of the examples is -1"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_no_items_is_an_empty_list():
    assert generate("all", 0, 0) == []
    assert generate_single(0, 0) == []
    assert judging_examples(["True"], 0, 0) == []


@pytest.mark.parametrize("form", ["judging", "choice"])
def test_work_is_linear_in_the_items(form):
    assert growth(lambda count: lambda: generate(form, count, 1), 60) < 5


def test_invented_words_are_different_and_take_the_article_a():
    nouns, names = all_nouns(), all_names()
    assert len(set(nouns)) == len(nouns) == 24 * 18
    assert len(set(names)) == len(names) == 20 * 16
    assert not {noun[0] for noun in nouns} & set("aeiou")


@FEW
@given(seed=SEEDS, count=st.integers(0, 7))
def test_examples_take_the_labels_in_turn(seed, count):
    judging = judging_examples(["Unknown", "True"], count, seed)
    assert [item.label for item in judging] == (["Unknown", "True"] * 4)[:count]
    choice = choice_examples(["none", "single", "multiple"], count, seed)
    assert [item.label for item in choice] == (["none", "single", "multiple"] * 3)[:count]
    assert len({item.id for item in judging + choice}) == 2 * count
    assert judging_examples(["Unknown", "True"], 7, seed)[:count] == judging


def test_examples_are_never_among_the_test_items():
    """By construction: the two are told apart by the id itself, whatever the seeds."""
    tested = {item.id for item in [*generate("all", 1000, 5), *generate_single(200, 5)]}
    examples = {item.id for item in judging_examples(["True", "Unknown"], 100, 5)}
    examples |= {item.id for item in choice_examples(["single", "none"], 100, 5)}
    assert all(is_example(name) for name in examples)
    assert not any(is_example(name) for name in tested)
