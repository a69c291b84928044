"""Items of several families in one process that ask the same question."""

from bias_tasks.binary_qa.items import BinaryItem
from bias_tasks.binary_qa.prompts.ask import ask_binary
from bias_tasks.instruction_boundary.items import ChoiceItem
from bias_tasks.instruction_boundary.prompts.ask import ask
from bias_tasks.instruction_boundary.settings import SettingParams
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.items import FormatItem
from bias_tasks.output_format.prompts.ask import ask_format
from bias_tasks.respondents.known_items import KnownItems

QUESTION = "Is a heron among the birds of this very lake?"
ITEMS = {
    "choice": ChoiceItem("c", QUESTION, ("Yes", "No"), (0,), "own", "c"),
    "binary": BinaryItem("b", QUESTION, "No", "lake", "own", "b"),
    "format": FormatItem("f", "own", QUESTION, "Yes", "text", "f"),
}
PROMPTS = {
    "choice": ask(ITEMS["choice"], "vanilla", SettingParams()).prompt,
    "binary": ask_binary(ITEMS["binary"], "original"),
    "format": ask_format(ITEMS["format"], FORMATS["bolding"]),
}


def test_a_prompt_finds_the_item_of_its_own_family():
    for order in (list(ITEMS), list(reversed(ITEMS))):
        known = KnownItems([ITEMS[name] for name in order])
        for name, prompt in PROMPTS.items():
            assert known.find(prompt) == ITEMS[name], name


def test_of_two_that_only_differ_in_gold_the_one_made_known_last_is_meant():
    old = FormatItem("o", "own", "How many herons are there?", "3", "number", "o")
    new = FormatItem("n", "own", "How many herons are there?", "three", "text", "n")
    prompt = ask_format(new, FORMATS["bolding"])
    known = KnownItems()
    for last, items in ((new, [old, new]), (old, [old]), (new, [new])):
        known.add(items)
        assert known.find(prompt) == last
