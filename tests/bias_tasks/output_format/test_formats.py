"""The formats: supported items, instructions, and that they parse what they write."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.output_format.formats import FORMATS, find_formats, wrappings
from bias_tasks.output_format.items import ANSWER_TYPES, PROMPTINGS
from tests.bias_tasks.output_format.cases import (
    BINARY,
    EASY,
    LETTER,
    MEDIUM,
    NUMBER,
    OPTION,
    STRINGS,
    TEXT,
    formats_in,
    item,
)

ROOT = Path(__file__).parents[3]
ITEMS = (LETTER, OPTION, TEXT, NUMBER, BINARY, STRINGS, EASY, MEDIUM)
HARD = item("mapping", dict.fromkeys(("Task", "Method", "Material", "Metric"), ("a",)))


def _names(formats):
    return [fmt.name for fmt in formats]


def test_which_formats_support_an_item():
    wrapping = _names(formats_in("wrapping"))
    assert _names(find_formats(LETTER)) == ["character", "text", *wrapping]
    assert _names(find_formats(OPTION)) == ["text", *wrapping]
    assert _names(find_formats(TEXT)) == _names(find_formats(NUMBER)) == wrapping
    assert find_formats(BINARY) == find_formats(STRINGS) == formats_in("list")
    assert find_formats(EASY) == formats_in("mapping")
    assert {row.answer_type for row in ITEMS} == {*ANSWER_TYPES} - {"option_set"}  # modes alone
    for options in ((), ("a dog", "A  dog."), ("a", "."), ("x", "y", "x")):
        assert "text" not in _names(find_formats(item("option_letter", "A", options)))


def test_a_format_is_a_row():
    """The example of CONTRIBUTING.md works as printed."""
    recipes = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = recipes.split("## Adding an output format")[1]
    code = re.search(r"```python\n(.*?)```", section, re.DOTALL)[1]
    underlining = eval(code, vars(wrappings))  # noqa: S307
    assert underlining.category == "wrapping"
    asked = underlining.instruction(TEXT, "corrected", "zs")
    assert asked == "Wrap your final answer by <u> and </u>."
    assert underlining.parse("So <u>the\nfox</u>.", TEXT, "corrected").payload == "the\nfox"
    assert not underlining.parse("So <u>the\nfox</u>.", TEXT, "published").follows
    assert underlining.render("fox", TEXT) == "<u>fox</u>"


def test_the_page_names_every_format():
    page = (ROOT / "docs" / "output_format.md").read_text(encoding="utf-8")
    table = page.partition("## Formats\n")[2].partition("\n## ")[0]
    assert not [name for name in FORMATS if f"`{name}`" not in table]


def test_the_papers_sentences():
    keys = "'Task', 'Method', 'Material', 'Metric'"
    for name, asked, sentence in (
        ("placeholder", TEXT, "Wrap your final answer by filling in the placeholder below: "
         "‘So the answer is: {{placeholder}}’"),
        ("sep", STRINGS, "Generate your list using <SEP> to separate elements"),
        ("json", EASY, "Your output must be a Python dictionary with the key 'Task' and value as a "
         "list of task name entities:\n{'Task': [...]}"),
        ("json", HARD, f"Your output must be a Python dictionary with the keys are {keys}, and "
         "value is a list of task name entities, method name entities, material name entities, "
         "metric name entities:\n"
         "{'Task': [...], 'Method': [...], 'Material': [...], 'Metric': [...]}"),
    ):  # fmt: skip
        assert FORMATS[name].instruction(asked, "corrected", "zs") == sentence


def payloads(asked, text):
    """What an answer to the item may be, strings from `text`."""
    lists = st.lists(text, min_size=1, max_size=6).map(tuple)
    return {
        "option_letter": st.sampled_from("ABC"),
        "option_text": st.sampled_from("ABC"),
        "text": text,
        "number": st.integers(0, 10**9).map(str),
        "binary_list": st.tuples(*[st.integers(0, 1)] * len(BINARY.answer)),
        "string_list": lists,
        "mapping": st.fixed_dictionaries(dict.fromkeys(asked.keys, lists | st.just(()))),
    }[asked.answer_type]


OF_SENTENCES = {
    *("is", "are", "was", "or", "and", "but", "not", "the", "this", "that"),
    *("to", "in", "of", "by", "on", "for", "with"),
}
"""Words that make a sentence of an answer, or are stressed in one."""
WORDS = st.from_regex(r"[A-Za-zé][a-zé0-9]{0,8}( [a-z0-9]{1,8}){0,3}", fullmatch=True).filter(
    lambda text: OF_SENTENCES.isdisjoint(text.casefold().split())
)


@given(data=st.data(), prompting=st.sampled_from(PROMPTINGS))
def test_a_rendered_answer_follows_and_is_parsed_back(data, prompting):
    asked = data.draw(st.sampled_from((*ITEMS, HARD)))
    fmt = data.draw(st.sampled_from(find_formats(asked)))
    payload = data.draw(payloads(asked, WORDS))
    text = fmt.render(payload, asked, prompting)
    reading = fmt.parse(text, asked, "corrected", prompting)
    assert reading.follows
    assert reading.payload == payload


def test_answers_that_a_format_cannot_express():
    for name, asked, payload in (
        *(("character", LETTER, "D"), ("text", LETTER, "D"), ("bolding", TEXT, "a **b")),
        *(("special_character", TEXT, "</ANSWER>"), ("placeholder", TEXT, "two\nlines")),
        *(("bolding", NUMBER, "two"), ("python", BINARY, (1, 0)), ("sep", STRINGS, ("a<SEP>b",))),
        *(("newline", STRINGS, ("a, b",)), ("json", EASY, {"Method": ("a",)})),
        *(("yaml", EASY, "a"), ("yaml", EASY, {"Task": ("",)})),
    ):
        with pytest.raises(ValueError, match=r"cannot express|no option|expected a mapping"):
            FORMATS[name].render(payload, asked)
    with pytest.raises(ValueError, match="cannot express"):
        FORMATS["python"].render(("<ANSWER>",), STRINGS, "zs_cot")
    assert FORMATS["python"].render(("<ANSWER>",), STRINGS, "zs") == "['<ANSWER>']"
