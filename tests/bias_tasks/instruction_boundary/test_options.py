"""Which options are shown: missing choices in the two steps of appendix A.3, and distractors."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.instruction_boundary.items import ChoiceItem, choice_label
from bias_tasks.instruction_boundary.prompts.ask import ask
from bias_tasks.instruction_boundary.prompts.options import ALL_FALSE, ALL_TRUE, COVERING, loss_of
from bias_tasks.instruction_boundary.settings import SettingParams
from tests.bias_tasks.binary_qa.paper_rows import write_jsonl

MISCELLANY = "disturbing_miscellany"
SYNTHETIC = {"data": "synthetic", "form": "choice", "n": 12}


def item(answer, options="abcd", name="c"):
    return ChoiceItem(name, "Which?", tuple(options), tuple(answer), "t", name)


TEN = item([6], "abcdefghij", "t")


def both_shown(which, seed=0, protocol="corrected"):
    """The options of the complete setting, and of the insufficient one."""
    params = SettingParams(seed=seed, protocol=protocol)
    return (
        ask(which, variant, params, setting="missing_choices").shown
        for variant in ("vanilla", "missing_choices")
    )


def texts(options):
    return [line.partition(". ")[2] for line in options.lines]


def seed_with(which, loss):
    """The first seed that puts the item into this half."""
    return next(seed for seed in range(100) if loss_of(which, seed) == loss)


def test_the_modified_half_loses_the_statement_that_stands_for_the_right_option():
    which = item([1])
    complete, insufficient = both_shown(which, seed_with(which, "covering"))
    assert texts(complete) == ["a", "all other options are false", "c", "d"]
    assert complete.right(which) == (1,)
    assert insufficient.lines == ("1. a", "2. c", "3. d")
    assert insufficient.right(which) == ()
    several = item([0, 2])
    complete, insufficient = both_shown(several, seed_with(several, "covering"))
    assert (texts(complete), complete.right(several)) == ([COVERING, "b", "d"], (0,))
    assert (texts(insufficient), insufficient.right(several)) == (["b", "d"], ())


@given(
    st.integers(2, 8).flatmap(
        lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n - 1)), st.integers(0, 999))
    )
)
def test_one_option_less_and_gold_that_follows(drawn):
    n, answer, seed = drawn
    which = item(sorted(answer), "abcdefgh"[:n])
    complete, insufficient = both_shown(which, seed)
    lost = len(complete.lines) - len(insufficient.lines)
    assert lost == (0 if loss_of(which, seed) == "nothing" else 1)
    assert len(insufficient.lines) >= 2
    assert (COVERING in texts(complete)) == (loss_of(which, seed) == "covering")
    assert COVERING not in texts(insufficient)
    right = {text for place, text in enumerate("abcdefgh"[:n]) if place in answer}
    for options in (complete, insufficient):
        named = {texts(options)[place] for place in options.right(which)}
        assert named == ({COVERING} if COVERING in texts(options) else right & set(texts(options)))


def plan(task, **given):
    return FAMILY.plan(task, FAMILY.tasks[task].values(given))


def test_gold_follows_the_options_on_the_papers_items(shared_data):
    """373 items: 150 without a right option, and about half of the 223 others, become `none`."""
    golds = Counter(
        (q.variant, choice_label(tuple(q.facts["shown"]["gold"])))
        for q in plan("missing_choices", form="choice").questions
    )
    none = golds["missing_choices", "none"]
    assert 150 + 223 / 2 - 30 < none < 150 + 223 / 2 + 30
    assert golds["vanilla", "none"] == 0
    assert golds["vanilla", "single"] == none + golds["missing_choices", "single"]
    assert golds["vanilla", "multiple"] == golds["missing_choices", "multiple"]


def test_miscellany_moves_the_right_option_about_and_adds_the_tables_where_they_are_wrong():
    corrected = SettingParams()
    shown = [ask(TEN, MISCELLANY, SettingParams(seed=seed)).shown for seed in range(100)]
    assert len({each.places((6,)) for each in shown}) == 10
    assert len(ask(TEN, "vanilla", corrected, setting=MISCELLANY).shown.lines) == 2
    few = ask(item([0, 2]), MISCELLANY, corrected).shown
    assert texts(few)[-2:] == [ALL_TRUE, ALL_FALSE]
    assert ALL_FALSE not in texts(ask(item([]), MISCELLANY, corrected).shown)
    letters = ask(TEN, MISCELLANY, SettingParams("published", distractors=2)).shown
    assert list(letters.positions) == sorted(letters.positions)
    assert "G. g" in letters.lines
    assert letters.symbol(letters.positions.index(6)) == "G"


def test_several_levels_share_one_twin():
    questions = plan(MISCELLANY, **SYNTHETIC, distractors="1,5,9").questions
    assert len(questions) == len({question.id for question in questions}) == 4 * 12
    for start in range(0, len(questions), 4):
        one, five, nine, twin = four = questions[start : start + 4]
        levels = [f"{MISCELLANY}@{level}" for level in (1, 5, 9)]
        assert [question.variant for question in four] == [*levels, "vanilla"]
        positions = [set(q.facts["shown"]["positions"]) for q in (one, five, nine)]
        assert positions[0] < positions[1] < positions[2]
        assert [len(each) for each in positions] == [2, 6, 10]
        assert one.prompt == twin.prompt
        assert (one.repeats, five.repeats, twin.repeats) == (True, False, False)
    single = plan(MISCELLANY, **SYNTHETIC, distractors=[4]).questions
    assert [q.variant for q in single[:2]] == [MISCELLANY, "vanilla"]
    whole = plan("instruction_boundary", **SYNTHETIC | {"n": 1}, distractors=[1, 2]).questions
    assert [q.variant[-1] for q in whole if q.variant.startswith(MISCELLANY)] == ["1", "2"]
    assert not any(question.repeats for question in whole)  # vanilla shows every option
    for form in ("all", "judging"):
        with pytest.raises(ValueError, match="run them with form=choice"):
            plan(MISCELLANY, data="synthetic", form=form, distractors="1,2")


def test_what_cannot_be_shown_is_noted(tmp_path, shared_data):
    shown = (("abcd", [0]), ("abcde", [1]), ("abcd", []), ("ab", [1]))
    rows = [{"question": f"Q{n}", "options": [*o], "answer": a} for n, (o, a) in enumerate(shown)]
    path = write_jsonl(tmp_path / "mine.jsonl", rows)
    mine = {"form": "choice", "data": str(path)}
    short = "of 4 choice items have fewer wrong options of their own"
    assert plan(MISCELLANY, **mine, distractors="1,4,5").notes == (
        f"distractors=4: 2 {short}",
        f"distractors=5: 4 {short}",
    )
    [note] = plan("missing_choices", **mine).notes
    assert note.startswith("missing_choices: 1 of 4 choice items have no option that could")
    assert plan("missing_choices", **mine, protocol="published").notes == ()
    assert plan(MISCELLANY, **SYNTHETIC, distractors="all").notes == ()
    [note] = plan(MISCELLANY, form="choice", protocol="published", n="all").notes
    assert note.startswith("distractors=9: 55 of 300 choice items have fewer wrong options")
    [note] = plan(MISCELLANY, data="synthetic", form="judging", n=3).notes
    assert note.startswith("distractors: 3 judging items show table 2's two extra options")


def test_a_report_has_the_texts_of_the_options_that_are_named():
    values = FAMILY.tasks["vanilla"].values({"data": "core", "form": "choice", "n": 1})
    [question] = FAMILY.plan("vanilla", values).questions
    first, second, *_ = question.facts["shown"]["texts"]
    assert FAMILY.answer_text(question.facts, "1, 2") == f"{first}; {second}"
    assert FAMILY.answer_text(question.facts, "none") == "none"
    assert FAMILY.answer_text({"form": "judging"}, "True") == "True"
