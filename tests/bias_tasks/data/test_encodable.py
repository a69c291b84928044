"""Halves of surrogate pairs: whole ones are joined, lone ones replaced, all else stays."""

from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.names import encodable, is_encodable

ANY = st.text(st.characters(codec=None))
HALF = st.characters(categories=["Cs"])


@given(st.text())
def test_a_good_text_stays_as_it_is(text):
    assert encodable(text) is text


@given(st.lists(ANY | HALF).map("".join))
def test_any_text_can_be_encoded_then(text):
    made = encodable(text)
    assert is_encodable(made)
    assert encodable(made) == made


def test_halves():
    assert encodable("a\ud800b\udfffc") == "a\ufffdb\ufffdc"
    assert encodable("\ud83d\ude00") == "\N{GRINNING FACE}"
    assert encodable("\ud83d\ud83d\ude00") == "\ufffd\N{GRINNING FACE}"
    assert encodable("\ud83d") == "\ufffd"
    assert encodable("\ude00\ud83d") == "\ufffd\ufffd"


@given(ANY.filter(is_encodable), ANY.filter(is_encodable), HALF)
def test_a_lone_half_is_one_character_and_moves_no_other(before, behind, half):
    assert encodable(before + half + behind) == f"{before}\ufffd{behind}"
