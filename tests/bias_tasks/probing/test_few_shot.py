"""Examples in front: whose they are, what they lean to, and how both hosts show them."""

import random

import pytest

from bias_tasks.probing.probes import chosen_probes
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.plan import plan_probes
from bias_tasks.probing.probes.base import DoesNotApplyError
from bias_tasks.probing.probes.conversation import NOW, FewShot
from tests.bias_tasks.probing.harness_tasks import Scripted, run, write


def item(name, right=0, **given):
    parts = {"text": f"Question {name}?", "choices": ("x", "y", "z"), "worked": f"<{name}>"}
    target = "ABC"[right]
    return ProbedItem(name, **{**parts, "right": (right,), "target": target, **given})


def shown(probe, asked, seed=0):
    """The examples that an item is asked behind, by their `worked`."""
    text = probe.asked(asked, random.Random(seed)).beginning
    *blocks, now = text.split("\n\n")
    assert now == NOW
    assert [block.split("\n")[0] for block in blocks] == [f"Example {n}:" for n in (1, 2, 3)]
    return [block.split("\n")[1] for block in blocks]


def refused(probe, asked):
    with pytest.raises(DoesNotApplyError) as error:
        probe.asked(asked, random.Random(0))
    return str(error.value)


def test_examples_have_one_answer_that_is_not_the_item_s():
    others = [item(f"{right}{number}", right) for right in range(3) for number in range(4)]
    drawn = [{each[1] for each in shown(FewShot([], others), item("q", 1), s)} for s in range(30)]
    assert {frozenset(each) for each in drawn} == {frozenset("0"), frozenset("2")}


def test_examples_of_several_answers_serve_where_no_answer_has_enough():
    others = [item(f"{right}{number}", right) for right in range(3) for number in range(2)]
    assert {each[1] for each in shown(FewShot([], others), item("q", 1))} == {"0", "2"}
    words = [item(name, choices=(), right=0, target=name) for name in "abc"]
    probe = FewShot([], words)
    assert set(shown(probe, item("q", choices=(), target="d"))) == {"<a>", "<b>", "<c>"}
    assert refused(probe, item("q", choices=(), target="A")) == (
        "the task has no 3 other items with another answer"
    )


def test_examples_are_not_asked_themselves_where_others_are_enough():
    asked = [item(f"a{number}") for number in range(9)]
    enough = [item(f"o{number}") for number in range(3)]
    assert all(name.startswith("<o") for name in shown(FewShot(asked, enough), item("q", 1)))
    assert all(name.startswith("<a") for name in shown(FewShot(asked, []), item("q", 1)))


@pytest.mark.parametrize(
    "same",
    [
        {"text": " question  Q? "},
        {"cluster": "c"},
        {"right": 1},
        {"worked": ""},
        {"worked": "x" * 4_001},
        {"choices": ("x", "y")},
    ],
)
def test_what_can_be_no_example_for_an_item_is_none(same):
    given = item("q", 1, cluster="c")
    fitting = [item(str(number)) for number in range(3)]
    assert len(shown(FewShot([], fitting), given)) == 3
    assert "no 3 other items" in refused(FewShot([], [*fitting[:2], item("2", **same)]), given)


def test_an_item_is_never_its_own_example_nor_two_of_one_text_examples_together():
    items = [item(str(number), number % 2) for number in range(6)]
    for each in items:
        assert each.worked not in shown(FewShot(items, []), each)
    twins = [item(str(number), text="The same?") for number in range(5)]
    assert "no 3 other items" in refused(FewShot([], twins), item("q", 1))
    assert refused(FewShot([], items), item("q", text=" ")) == "its prompt has no text of its own"


def test_examples_do_not_depend_on_the_order_in_which_items_are_read():
    others = [item(f"o{number}") for number in range(40)]
    asked, probes = [item("q", 1)], chosen_probes("few_shot")
    plans = [
        plan_probes(asked, probes, repeats=1, seed=0, others=each)
        for each in (others, others[::-1])
    ]
    assert plans[0].questions == plans[1].questions
    other = plan_probes(asked, probes, repeats=1, seed=1, others=others)
    assert other.questions != plans[0].questions


def test_the_harness_shows_its_own_documents_behind_the_task_s_examples(tmp_path):
    write(tmp_path, "mmlu", 40)
    model = Scripted(lambda *_: 0)
    options = {"num_fewshot": 1}
    run(tmp_path, "mmlu", model, n=2, probes="few_shot", options=options)
    contexts = list(dict.fromkeys(context for context, _ in model.asked))
    assert len(contexts) == 4
    for plain, probed in (contexts[:2], contexts[2:]):
        own, _, question = plain.rpartition("\n\n")
        assert probed.startswith(f"{own}\n\nExample 1:\n")
        assert probed.endswith(f"{NOW}\n\n{question}")
        examples = probed.removeprefix(f"{own}\n\n").removesuffix(f"\n\n{NOW}\n\n{question}")
        answers = {each.rstrip()[-1] for each in examples.split("\n\n")}
        assert len(answers) == 1
        assert question not in examples
