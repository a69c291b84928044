"""Missing choices in the two steps of appendix A.3, for every gold label."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.instruction_boundary.items import ChoiceItem, choice_label
from bias_tasks.instruction_boundary.prompts.ask import ask
from bias_tasks.instruction_boundary.prompts.options import COVERING, loss_of
from bias_tasks.instruction_boundary.settings import SettingParams


def item(answer, options="abcd", name="c"):
    return ChoiceItem(name, "Which?", tuple(options), tuple(answer), "t", name)


def shown(which, variant, seed=0, protocol="corrected"):
    params = SettingParams(seed=seed, protocol=protocol)
    return ask(which, variant, params, setting="missing_choices").shown


def texts(options):
    return [line.partition(". ")[2] for line in options.lines]


def seed_with(which, loss):
    """The first seed that puts the item into this half."""
    return next(seed for seed in range(100) if loss_of(which, seed) == loss)


def test_a_single_item_of_the_modified_half_loses_the_statement_in_its_right_ones_place():
    which = item([1])
    seed = seed_with(which, "covering")
    complete, insufficient = (shown(which, v, seed) for v in ("vanilla", "missing_choices"))
    assert texts(complete) == ["a", "all other options are false", "c", "d"]
    assert complete.right(which) == (1,)
    assert texts(insufficient) == ["a", "c", "d"]
    assert insufficient.lines[1] == "2. c"
    assert insufficient.right(which) == ()


def test_a_single_item_of_the_other_half_loses_a_wrong_option():
    which = item([1])
    seed = seed_with(which, "wrong")
    complete, insufficient = (shown(which, v, seed) for v in ("vanilla", "missing_choices"))
    assert texts(complete) == ["a", "b", "c", "d"]
    assert len(insufficient.lines) == 3
    assert set(texts(insufficient)) < set("abcd")
    assert choice_label(insufficient.right(which)) == "single"


def test_a_multiple_item_of_the_modified_half_keeps_its_wrong_options():
    which = item([0, 2])
    seed = seed_with(which, "covering")
    complete, insufficient = (shown(which, v, seed) for v in ("vanilla", "missing_choices"))
    assert texts(complete) == [COVERING, "b", "d"]
    assert complete.right(which) == (0,)
    assert texts(insufficient) == ["b", "d"]
    assert insufficient.right(which) == ()


def test_a_multiple_item_of_the_other_half_stays_multiple():
    which = item([0, 2])
    insufficient = shown(which, "missing_choices", seed_with(which, "wrong"))
    assert len(insufficient.lines) == 3
    assert choice_label(insufficient.right(which)) == "multiple"


@given(st.integers(0, 10_000))
def test_an_item_without_a_right_option_always_loses_the_statement(seed):
    """Its right option was masked by the data set already: the statement takes its place."""
    which = item([])
    complete, insufficient = (shown(which, v, seed) for v in ("vanilla", "missing_choices"))
    assert sorted(texts(complete)) == sorted(["a", "b", "c", "d", COVERING])
    assert texts(complete)[complete.right(which)[0]] == COVERING
    assert texts(insufficient) == ["a", "b", "c", "d"]
    assert insufficient.right(which) == ()


def test_the_statement_stands_in_every_place():
    places = {shown(item([]), "vanilla", seed).covering for seed in range(60)}
    assert places == {0, 1, 2, 3, 4}


def test_the_halves_are_halves():
    for answer in ([1], [0, 2]):
        losses = Counter(loss_of(item(answer, name=str(n)), 0) for n in range(2000))
        assert set(losses) == {"covering", "wrong"}
        assert abs(losses["covering"] / 2000 - 0.5) < 4 * 0.5 / 2000**0.5


@given(
    st.integers(2, 8).flatmap(
        lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n - 1)), st.integers(0, 999))
    )
)
def test_one_option_less_and_gold_that_follows(drawn):
    n, answer, seed = drawn
    which = item(sorted(answer), "abcdefgh"[:n])
    complete, insufficient = (shown(which, v, seed) for v in ("vanilla", "missing_choices"))
    lost = len(complete.lines) - len(insufficient.lines)
    assert lost == (0 if loss_of(which, seed) == "nothing" else 1)
    assert len(insufficient.lines) >= 2
    assert (COVERING in texts(complete)) == (loss_of(which, seed) == "covering")
    assert COVERING not in texts(insufficient)
    right = {text for place, text in enumerate("abcdefgh"[:n]) if place in answer}
    for options in (complete, insufficient):
        named = {texts(options)[place] for place in options.right(which)}
        assert named == ({COVERING} if COVERING in texts(options) else right & set(texts(options)))


def test_an_items_own_statement_is_the_one_that_is_left_out():
    which = item([2], ["a", "b", "All other options are false"])
    assert texts(shown(which, "vanilla"))[2] == "All other options are false"
    insufficient = shown(which, "missing_choices")
    assert texts(insufficient) == ["a", "b"]
    assert insufficient.right(which) == ()


@pytest.mark.parametrize("answer", [[], [1], [0, 2]])
def test_published_leaves_every_option_in_place(answer):
    for variant in ("vanilla", "missing_choices"):
        assert list(shown(item(answer), variant, protocol="published").lines) == list("abcd")


def test_beside_other_settings_the_twin_is_plain_vanilla():
    which = item([])
    plain = ask(which, "vanilla", SettingParams()).shown
    assert texts(plain) == ["a", "b", "c", "d"]


def plan(**given):
    spec = FAMILY.tasks["missing_choices"]
    return FAMILY.plan("missing_choices", spec.values({"form": "choice", **given}))


def test_gold_follows_the_options_on_the_papers_items(shared_data):
    """373 items: 150 without a right option, and about half of the 223 others, become `none`."""
    golds = Counter(
        (q.variant, choice_label(tuple(q.facts["shown"]["gold"]))) for q in plan().questions
    )
    assert sum(count for (variant, _), count in golds.items() if variant == "vanilla") == 373
    none = golds["missing_choices", "none"]
    assert 150 + 223 / 2 - 30 < none < 150 + 223 / 2 + 30
    assert golds["vanilla", "none"] == 0
    assert golds["vanilla", "single"] == none + golds["missing_choices", "single"]
    assert golds["vanilla", "multiple"] == golds["missing_choices", "multiple"]


def test_what_cannot_be_left_out_is_noted(tmp_path):
    rows = [
        '{"question": "Is it?", "options": ["yes", "no"], "answer": [0]}',
        '{"question": "Which?", "options": ["a", "b", "c"], "answer": []}',
    ]
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(rows), encoding="utf-8")
    [note] = plan(data=str(path)).notes
    assert note.startswith("missing_choices: 1 of 2 choice items have no option that could")
    assert plan(data=str(path), protocol="published").notes == ()
