"""What probes do to responses: they add no claim and lose no word."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.judging.items import JudgedItem
from bias_tasks.judging.pairs import pair_of
from bias_tasks.judging.probes.choice import DRESSINGS, chosen_probes
from bias_tasks.judging.probes.dressing import sentences_of

LOOP = "```python\nfor n in range(3):\n    print(n)\n```"
CODE = f"Use a loop:\n\n{LOOP}\n\nIt prints three. That is all."
TEXTS = st.lists(
    st.sampled_from(
        ["One is one. ", "Is it? Yes! ", "- a point\n", "\n\n", "x = 3.5\n", "是的。好。", "``` "]
    ),
    min_size=1,
).map("".join)


def dressed(name, text, seed=0):
    return DRESSINGS[name].dressed(text, random.Random(seed))


def words(text):
    return re.findall(r"\w+", text)


@pytest.mark.parametrize("name", ["verbosity", "authority"])
@given(text=TEXTS.filter(str.strip))
def test_a_response_stands_in_what_is_made_of_it(name, text):
    made = dressed(name, text)
    assert text.strip("\n") in made
    assert len(made) > len(text)


@given(text=TEXTS.filter(str.strip))
def test_layout_keeps_every_word_in_its_order(text):
    heading, *body = dressed("formatting", text).split("\n")
    assert heading.startswith("## ")
    assert words("\n".join(body)) == words(text)


def test_a_summary_says_the_response_s_own_sentences_again_and_no_code():
    made = dressed("verbosity", CODE)
    assert made.count("It prints three.") == 2
    assert made.count("print(n)") == 1
    told = set(sentences_of(made.replace("\n", " ")))
    assert told == set(sentences_of(dressed("verbosity", CODE).replace("\n", " ")))  # by its seed


def test_layout_leaves_code_and_lists_as_they_are():
    made = dressed("formatting", f"{CODE}\n1. first\n2. second")
    assert LOOP in made
    assert "**Use a loop:**" in made
    assert "- It prints three.\n- That is all." in made
    assert made.endswith("\n1. first\n2. second")


def test_a_sentence_broken_at_a_width_is_one():
    wide = "This sentence is so long that whoever wrote it has broken it here\nand goes on. And so."
    assert "- And so." in dressed("formatting", wide)
    assert "broken it here and goes on.**" in dressed("formatting", wide)


def test_the_worse_response_is_dressed_and_the_order_is_drawn():
    items = [JudgedItem(str(n), "p", ("good", "bad", "worse"), (0,)) for n in range(60)]
    pairs = [pair_of(item, 0) for item in items]
    assert {pair.right for pair in pairs} == {1}
    assert {pair.dressed for pair in pairs} == {2, 3}
    assert {pair.shown.index(1) for pair in pairs} == {0, 1}
    assert pairs == [pair_of(item, 0) for item in items]
    assert pairs != [pair_of(item, 1) for item in items]


def test_without_a_label_one_is_drawn_and_equals_are_no_pair():
    pair = pair_of(JudgedItem("i", "p", ("one", "other"), ()), 0)
    assert pair.right is None
    assert {pair.dressed, pair.other} == {1, 2}
    assert pair_of(JudgedItem("i", "p", ("same", "same "), (0,)), 0) is None
    alone = pair_of(JudgedItem("i", "p", ("alone",), ()), 0)
    assert (alone.shown, alone.dressed, alone.other) == ((1,), 1, None)


def test_a_wrong_name_of_a_probe_is_one_clear_error():
    with pytest.raises(ValueError, match=r"no 'verbose'.*did you mean 'verbosity'"):
        chosen_probes("verbose", pairs=True)
    with pytest.raises(ValueError, match="position needs two responses in one prompt"):
        chosen_probes("position", pairs=False)
    with pytest.raises(ValueError, match="none is named"):
        chosen_probes("", pairs=True)
