"""Task scores: by hand, against scikit-learn, and on hostile text."""

from fractions import Fraction
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from bias_tasks.contract.outcomes import Answer
from bias_tasks.output_format.family import parse_format
from bias_tasks.output_format.items import FormatParams
from bias_tasks.output_format.plan import FormatQuestion
from bias_tasks.output_format.scores import (
    average_precision,
    score_parsed,
    score_payload,
    squad_tokens,
    token_f1,
)
from bias_tasks.parsing.numbers import parse_number
from bias_tasks.protocols import PROTOCOLS
from tests.bias_tasks.effort import cpu_limit
from tests.bias_tasks.output_format.cases import item, tuples

CASES = yaml.safe_load(Path(__file__).with_name("scores.yaml").read_text(encoding="utf-8"))


def test_scores_by_hand():
    for answer_type, gold, payload, *expected in CASES["scores"]:
        scores = [float(Fraction(score)) for score in expected]
        row = item(answer_type, tuples(gold))
        results = [score_payload(tuples(payload), row, protocol) for protocol in PROTOCOLS]
        assert results == pytest.approx(scores), (gold, payload)
        by_paper = score_payload(tuples(payload), row, "corrected", "paper")
        assert by_paper == pytest.approx(scores[answer_type == "number"]), (gold, payload)


PHRASES = item("string_list", ("fox", "Fig. 3"))
ONE_ENTITY = item("mapping", {"Task": ("ab",)})
LETTER = item("option_letter", "B", ("yes", "no", "maybe"))


@pytest.mark.parametrize(
    ("format", "row", "prompting", "answer", "score"),
    [
        # Whatever is found scores, and nothing is an empty text.
        ("bolding", item("text", "the fox"), "zs", "**fox** or **dog**", 1),
        ("bolding", item("text", "the"), "zs", "fox", 1),
        ("placeholder", item("text", "fox"), "zs", "So the answer is: fox\nIt ran.", 1 / 2),
        # A letter has no blanks around it.
        ("bolding", LETTER, "zs", "**b**", 1),
        ("bolding", LETTER, "zs", "** B **", 0),
        # The first character, or the text with its case.
        ("character", LETTER, "zs", "By and by", 1),
        ("character", LETTER, "zs", "b", 0),
        ("text", LETTER, "zs", " no\n", 1),
        ("text", LETTER, "zs", "No", 0),
        ("text", LETTER, "zs_cot", "<ANSWER>no</ANSWER>", 0),
        # Two lists are compared between their first periods, also gold; tagged ones as they are.
        ("newline", PHRASES, "zs", "1. fox\n- Fig. 3", 1),
        ("sep", PHRASES, "zs", "1. fox. It ran <SEP> 3", 1),
        ("python", PHRASES, "zs", "['1. fox', 'Fig. 3']", 1 / 2),
        ("newline", PHRASES, "zs_cot", "<ANSWER>fox\n-Fig. 3</ANSWER>", 1),
        ("sep", PHRASES, "zs_cot", "<ANSWER>fox <SEP>Fig. 3</ANSWER>", 1 / 2),
        # A text is the set of its characters.
        ("yaml", ONE_ENTITY, "zs", "Task: [AB]", 1),
        ("yaml", ONE_ENTITY, "zs", "Task: ab", 0),
        ("yaml", item("mapping", {"Task": ()}), "zs", "Task: []", 1),
    ],
)
def test_published_scores_are_those_of_the_public_code(format, row, prompting, answer, score):
    params = FormatParams(prompting=prompting, protocol="published")
    data = FormatQuestion(row, format, params).scoring_data()
    assert score_parsed(data, parse_format(data, Answer(answer))) == pytest.approx(score)


BITS = st.lists(st.integers(0, 1), min_size=1, max_size=30)


@given(st.data(), BITS.filter(any))
def test_average_precision_is_that_of_scikit_learn(data, gold):
    picks = data.draw(st.lists(st.integers(0, 1), min_size=len(gold), max_size=len(gold)))
    assert average_precision(picks, gold) == pytest.approx(average_precision_score(gold, picks))


@given(st.text(alphabet="ab the.", max_size=30), st.text(alphabet="ab the.", max_size=30))
def test_token_f1_properties(first, second):
    for protocol in PROTOCOLS:
        value = token_f1(first, second, protocol)
        assert 0 <= value <= 1
        if protocol == "published" or (squad_tokens(first) and squad_tokens(second)):
            assert value == token_f1(second, first, protocol)
    if squad_tokens(second):
        assert token_f1(first, second, "published") <= token_f1(first, second, "corrected")
    assert token_f1(first, first, "corrected") == 1


def test_messages_about_bad_input_name_the_problem():
    for answer_type, gold, payload, message in (
        ("text", "a", ("a",), "a tuple cannot be scored as an answer of type text"),
        ("string_list", ("a",), "a", "a str cannot be scored as an answer of type string_list"),
        ("mapping", {}, {}, "cannot be scored as an answer of type mapping against {}"),
        ("number", "many", "1", "cannot be scored as an answer of type number against 'many'"),
        ("binary_list", (1, 0), (1,), "1 picks for 2 candidates"),
        ("binary_list", (0, 0), (1, 0), "no candidate is relevant"),
    ):
        with pytest.raises(ValueError, match=message):
            score_payload(payload, item(answer_type, gold), "corrected")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_megabyte_is_scored_in_linear_time(protocol):
    for text in ("the " * 250_000, "\x00" * 1_000_000, "((" * 500_000, "aa" * 500_000):
        with cpu_limit(20, text[:5]):
            assert 0 <= score_payload(text, item("text", "fox"), protocol) <= 1
            assert score_payload(text, item("number", "1"), protocol) == 0
    for number in ("1" * 1_000_000, "1," * 500_000, "1/" * 500_000, "1e9" * 300_000, "1e99"):
        with cpu_limit(20, number[:5]):
            for answer_type in ("text", "number"):
                assert score_payload(number, item(answer_type, "7"), protocol) == 0


def test_the_number_in_a_text():
    for number, texts in CASES["numbers"]:
        expected = None if number is None else Fraction(number)
        assert {text: parse_number(text) for text in texts} == dict.fromkeys(texts, expected)
    assert parse_number("9" * 61) is None


@given(st.integers(-(10**15), 10**15), st.integers(0, 6))
def test_spellings_of_a_number_have_its_value(number, decimals):
    exact = Fraction(number, 10**decimals)
    plain = f"{'-' * (number < 0)}{abs(number) // 10**decimals}"
    if decimals:
        plain += f".{abs(number) % 10**decimals:0{decimals}d}"
    grouped = f"{'-' * (number < 0)}{abs(number) // 10**decimals:,}"
    grouped += plain[plain.find(".") :] if decimals else ""
    for spelled in (plain, grouped, f"It is {grouped}.", f"**{plain}** dollars"):
        assert parse_number(spelled) == exact, spelled
