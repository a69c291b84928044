"""What stands round an answer does not change it, and what is no answer is never read as one."""

from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.output_format.formats import FORMATS, formats_in, formats_of
from bias_tasks.output_format.formats.reading import read, render
from bias_tasks.output_format.items import PROMPTINGS, format_item_from_dict
from bias_tasks.output_format.prompts.ask import ask_format
from tests.bias_tasks.output_format.cases import LETTER, MEDIUM, NUMBER, STRINGS, TEXT
from tests.bias_tasks.output_format.test_formats import HARD, ITEMS, WORDS, _payloads

LEADS = (
    *("Keyphrases:", "**Keyphrases:**", "## Keyphrases", "Here is a list:", "Here's what I found:"),
    *("Sure!\n\nHere are the results:", "The extracted entities are:", "Output:"),
)
REMARKS = (
    "Let me know if you need anything else!",
    "I have left out what the document only mentions.",
    "Note: these are all that the document names.",
)
FRAMED = ("list", "mapping")


@given(
    data=st.data(),
    lead=st.sampled_from(("", *LEADS)),
    remark=st.sampled_from(("", *REMARKS)),
    fence=st.booleans(),
)
def test_a_frame_is_no_part_of_a_list_or_mapping(data, lead, remark, fence):
    asked = data.draw(st.sampled_from([item for item in ITEMS if _category(item) in FRAMED]))
    fmt = data.draw(st.sampled_from(formats_of(asked)))
    payload = data.draw(_payloads(asked, WORDS))
    text = fmt.render(payload, asked)
    text = f"```\n{text}\n```" if fence else text
    framed = "\n\n".join(part for part in (lead, text, remark) if part)
    reading = read(fmt, framed, asked, "corrected", "zs")
    assert reading.payload == payload, (framed, reading)


@given(data=st.data(), before=st.sampled_from(("", "**Answer:**\n\n", "## Final answer\n\n")))
def test_marks_round_a_choice_are_no_part_of_it(data, before):
    """But for what the format asks to be alone: a label beside it does not follow."""
    fmt = data.draw(st.sampled_from(formats_in("mcq")))
    letter = data.draw(st.sampled_from("ABC"))
    marks = data.draw(st.sampled_from(["**{}**", "“{}”", "`{}`", "{}.", "**“{}”**.", "*{}*"]))
    text = marks.format(fmt.render(letter, LETTER))
    reading = read(fmt, before + text, LETTER, "corrected", "zs")
    assert reading.payload == (None if before else letter), (before + text, reading)


@given(data=st.data())
def test_headings_are_no_second_answer(data):
    """A number or letter in bold, below bold headings that are none."""
    asked = data.draw(st.sampled_from((LETTER, NUMBER)))
    payload = data.draw(_payloads(asked, WORDS))
    headings = data.draw(st.lists(st.sampled_from(("**Step 1: April**", "**Sum:** 4", "**Why**"))))
    text = "\n".join([*headings, "", FORMATS["bolding"].render(payload, asked)])
    assert FORMATS["bolding"].extract(text, asked, "corrected") == payload


@given(data=st.data())
def test_two_answers_of_which_none_is_called_the_final_one(data):
    fmt = data.draw(st.sampled_from(formats_in("wrapping")))
    first, second = data.draw(st.lists(WORDS, min_size=2, max_size=2, unique_by=str.casefold))
    text = f"{fmt.render(first, TEXT)}\n or {fmt.render(second, TEXT)}"
    assert fmt.extract(text, TEXT, "corrected") is None


@given(data=st.data(), prompting=st.sampled_from(PROMPTINGS))
def test_the_echo_of_a_prompt_is_no_answer(data, prompting):
    """The whole prompt, each of its lines, and what it ends with."""
    asked = data.draw(st.sampled_from((*ITEMS, HARD)))
    fmt = data.draw(st.sampled_from(formats_of(asked)))
    words = "Which animal ran into the wood, and what did it look for in there?"
    item = format_item_from_dict({**_fields(asked), "input": words})
    prompt = ask_format(item, fmt, prompting=prompting)
    lines = prompt.split("\n")
    for echo in (prompt, *lines, "\n".join(lines[-2:]), fmt.instruction(item, prompting=prompting)):
        assert not read(fmt, echo, item, "corrected", prompting).follows, echo


@given(WORDS)
def test_a_layout_is_no_answer(word):
    for key in ("...", "[...]", "…"):
        assert (
            FORMATS["yaml"].extract(f"Task: [{key}]\nMethod: [{word}]", MEDIUM, "corrected") is None
        )
        assert FORMATS["sep"].extract(f"{word} <SEP> {key}", STRINGS, "corrected") is None
        assert FORMATS["newline"].extract(f"{word}\n{key}", STRINGS, "corrected") is None
        assert FORMATS["bullet"].extract(f"- {word}\n- {key}", STRINGS, "corrected") is None


@given(data=st.data(), prompting=st.sampled_from(PROMPTINGS))
def test_what_a_base_model_goes_on_with_is_not_read(data, prompting):
    asked = data.draw(st.sampled_from(ITEMS))
    fmt = data.draw(st.sampled_from(formats_of(asked)))
    payload = data.draw(_payloads(asked, WORDS))
    text = render(fmt, payload, asked, prompting)
    more = f"{text}\n\nQuestion: And what else?\n{text}"
    assert read(fmt, more, asked, "corrected", prompting).payload == payload


def _category(item):
    return formats_of(item)[0].category


def _fields(item):
    return {name: getattr(item, name) for name in item.__dataclass_fields__}
