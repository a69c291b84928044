"""Halves of surrogate pairs: whole ones are joined, lone ones replaced, all else stays."""

from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.names import encodable, is_encodable

ANY = st.text(st.characters(codec=None) | st.characters(categories=["Cs"]))


@given(ANY)
def test_any_text_can_be_encoded_then_and_a_good_one_stays(text):
    made = encodable(text)
    assert is_encodable(made)
    assert (made is text) == is_encodable(text)


def test_halves():
    assert encodable("a\ud800b\udfffc") == "a\ufffdb\ufffdc"
    assert encodable("\ud83d\ude00") == "\N{GRINNING FACE}"
    assert encodable("\ud83d\ud83d\ude00") == "\ufffd\N{GRINNING FACE}"
    assert encodable("\ude00\ud83d") == "\ufffd\ufffd"
