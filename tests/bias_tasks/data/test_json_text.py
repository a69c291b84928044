"""A key that stands twice is refused, wherever in a JSON text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.data.json_text import RepeatedKeyError, parsed_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(JSON)
def test_what_has_every_key_once_is_read(value):
    assert parsed_json(json.dumps(value)) == value


@given(st.text(), JSON, JSON)
def test_a_key_that_stands_twice_is_refused_at_any_depth(key, one, other):
    name = json.dumps(key)
    twice = f"{{{name}: {json.dumps(one)}, {name}: {json.dumps(other)}}}"
    for text in (twice, f"[1, {twice}]", f'{{"a": {{"b": [{twice}]}}}}'):
        with pytest.raises(RepeatedKeyError, match="stands there twice"):
            parsed_json(text)


def test_one_key_written_in_two_ways_is_one():
    with pytest.raises(RepeatedKeyError, match="the key 'a' stands there twice"):
        parsed_json('{"a": 1, "\\u0061": 1}')


def test_a_long_key_is_cut():
    key = "k" * 1_000_000
    with pytest.raises(RepeatedKeyError) as caught:
        parsed_json(f'{{"{key}": 1, "{key}": 2}}')
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "1" * 10_000, "", "{"])
def test_what_is_no_json_is_a_value_error(text):
    with pytest.raises(ValueError):  # noqa: PT011 - the library's words
        parsed_json(text)
