"""Prompts of questions in output formats, word for word as in appendix E."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import yaml

from bias_tasks.output_format.formats import FORMATS, find_formats
from bias_tasks.output_format.items import PROMPTINGS, FormatItem, FormatParams
from bias_tasks.output_format.prompts import render_prompt


def item(text, answer, answer_type, options=()):
    return FormatItem("q", "file", text, answer, answer_type, "q", options)


LETTER = item(
    "Question: Is it?\nAnswer choices: A. yes | B. no", "B", "option_letter", ("yes", "no")
)
NUMBER = item("Question: 1 + 1?", "2", "number")
PAPERS = item("Topic: T\nList of documents:\n1. a\n2. b", (0, 1), "binary_list")
PHRASES = item("Some {document}.", ("document",), "string_list")
ENTITIES = item("A document.", {"Task": ("t",), "Method": ()}, "mapping")
ALL = (LETTER, NUMBER, PAPERS, PHRASES, ENTITIES)


def render(item, name, demos=(), **options):
    return render_prompt(item, FORMATS[name], FormatParams(**options), demos)


ITEMS = {
    "letter": LETTER,
    "number": NUMBER,
    "papers": PAPERS,
    "phrases": PHRASES,
    "entities": ENTITIES,
    "core_phrases": replace(PHRASES, dataset="core"),
    "core_entities": replace(ENTITIES, dataset="core"),
}


def test_prompts_word_for_word():
    text = Path(__file__).with_name("prompts.yaml").read_text(encoding="utf-8")
    for case in yaml.safe_load(text):
        prompt = render(ITEMS[case["asked"]], case["format"], **case["options"])
        assert prompt == case["prompt"]


def test_the_instruction_is_repeated():
    for question, prompting in product(ALL, PROMPTINGS):
        for fmt in find_formats(question):
            prompt = render(question, fmt.name, prompting=prompting, repeat=3)
            assert prompt.count(fmt.instruction(question, "corrected", prompting)) == 3
            assert prompt.count(question.input) == 1


def test_demonstrations_come_first_without_instructions():
    demos = [item("Question: 2 + 2?", "4", "number"), item("Which {field}?", "{input}", "text")]
    prompt = render(NUMBER, "brackets", demos)
    assert prompt == (
        "Examples of questions and their answers in the asked format:\n\n"
        "Question: 2 + 2?\n[[4]]\n\nWhich {field}?\n[[{input}]]\n\n" + render(NUMBER, "brackets")
    )
