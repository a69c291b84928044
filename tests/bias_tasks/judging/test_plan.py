"""What is asked: probes add no claim and lose no word, and a judge prompt may be one's own."""

import hashlib
import random
import re
from pathlib import Path

import pytest

from bias_tasks.contract.record import run_record
from bias_tasks.data.errors import DataError
from bias_tasks.judging.dressings import DRESSINGS
from bias_tasks.judging.family import FAMILY
from bias_tasks.judging.items import JudgedPrompt, pair_of
from bias_tasks.judging.prompts.ask import PAIR, read_blocks, template_of
from bias_tasks.names import content_hash

LOOP = "```python\nfor n in range(3):\n    print(n)\n```"
CODE = f"Use a loop:\n\n{LOOP}\n\nIt prints three. That is all."


def dressed(name, text, seed=0):
    return DRESSINGS[name](text, random.Random(seed))


def words(text):
    return re.findall(r"\w+", text)


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
    items = [JudgedPrompt(str(n), "p", ("good", "bad", "worse"), (0,)) for n in range(60)]
    pairs = [pair_of(item, 0) for item in items]
    assert {pair.right for pair in pairs} == {1}
    assert {pair.dressed for pair in pairs} == {2, 3}
    assert {pair.shown.index(1) for pair in pairs} == {0, 1}
    assert pairs == [pair_of(item, 0) for item in items]
    assert pairs != [pair_of(item, 1) for item in items]


def test_without_a_label_one_is_drawn_and_equals_are_no_pair():
    pair = pair_of(JudgedPrompt("i", "p", ("one", "other"), ()), 0)
    assert pair.right is None
    assert {pair.dressed, pair.other} == {1, 2}
    assert pair_of(JudgedPrompt("i", "p", ("same", "same "), (0,)), 0) is None
    alone = pair_of(JudgedPrompt("i", "p", ("alone",), ()), 0)
    assert (alone.shown, alone.dressed, alone.other) == ((1,), 1, None)


OWN = "Q: {prompt}\nFirst: {response_a}\nSecond: {response_b}\n[[A]], [[B]] or [[C]]. { braces }\n"


def planned(task="judge_pairwise", **given):
    values = FAMILY.tasks[task].values({"data": "synthetic", "n": 2, **given})
    return run_record(FAMILY, task, values, plan := FAMILY.plan(task, values)), plan


def written(folder, text, name="own.txt"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def test_it_asks_what_the_file_says_and_the_record_knows_the_file(tmp_path):
    path = written(tmp_path, OWN)
    record, plan = planned(template=path)
    first = plan.questions[0]
    assert first.prompt.startswith(f"Q: {first.known[0].prompt}\nFirst: ")
    assert first.prompt.endswith("[[B]] or [[C]]. { braces }")
    [of_template] = [each for each in record["provenance"] if each["source"] == "template"]
    assert of_template["sha256"] == hashlib.sha256(OWN.encode()).hexdigest()
    written(tmp_path, OWN.replace("Q:", "Question:"))
    other, _ = planned(template=path)
    assert other["digest"] != record["digest"]


def test_a_file_that_does_not_fit_is_one_clear_error(tmp_path):
    wrong = [
        ("{prompt} {response_a}", "lacks {response_b}"),
        ("", "lacks {prompt}"),
        (OWN + "{respnse_a}", "{respnse_a} is no slot (did you mean 'response_a'?)"),
        (b"\xff{prompt}", "line 1 is not UTF-8"),
    ]
    for text, message in wrong:
        with pytest.raises(DataError) as error:
            template_of(written(tmp_path, text), PAIR)
        assert message in str(error.value)
        assert "\n" not in str(error.value)


def test_nothing_but_what_is_probed_differs_and_no_response_closes_its_block():
    _, plan = planned()
    blocks = {each.variant: read_blocks(each.prompt) for each in plan.questions[::-1]}
    plain, other = blocks["plain"], blocks["position"]
    assert plain == blocks["repeat1"]
    assert (plain["response_a"], plain["response_b"]) == (other["response_b"], other["response_a"])
    assert {q.variant for q in plan.questions if q.repeats} == {"repeat1", "repeat2"}
    assert all(set(each) == set(PAIR) for each in blocks.values())
    assert read_blocks(plan.questions[0].prompt.replace("<prompt-", "<other-")) == {}


def test_items_that_make_no_pair_are_left_out_and_said(tmp_path):
    rows = [
        '{"prompt": "p", "response": "alone"}',
        '{"prompt": "q", "response_a": "one", "response_b": "other"}',
    ]
    data = written(tmp_path, "\n".join(rows), "rows.jsonl")
    record, plan = planned(data=data)
    assert len({question.item for question in plan.questions}) == 1
    assert len(record["notes"]) == 2
    single, _ = planned("judge_single", data=data)
    assert single["items"] == 2
    data = written(tmp_path, rows[0], "alone.jsonl")
    with pytest.raises(DataError, match="no item has two responses that differ"):
        planned(data=data)


PROMPTS = {
    "judge_pairwise": "d3a678bbd8",
    "judge_single": "ca2078daee",
    "self_preference": "d674d2d496",
}
"""Of every prompt of the example's items; the family's page shows them word for word."""


def test_prompts_and_ids_are_what_they_were():
    found = {}
    for task in PROMPTS:
        data = str(Path(__file__).parents[3] / "examples" / "judging.jsonl")
        asked = FAMILY.plan(task, FAMILY.tasks[task].values({"data": data})).questions
        requests = [[r.prompt for r in FAMILY.requests(each, "So.")] for each in asked]
        found[task] = content_hash([each.id for each in asked], requests)
    assert found == PROMPTS
