"""Prompts: probes add no claim and remove no text, and users' templates replace built-in ones."""

import hashlib
import random

import pytest

from bias_tasks.contract.record import run_record
from bias_tasks.data.errors import DataError
from bias_tasks.digests import content_hash
from bias_tasks.judge_bias.cosmetic_edits import COSMETIC_EDITS
from bias_tasks.judge_bias.family import FAMILY
from bias_tasks.judge_bias.items import JudgedPrompt, select_pair
from bias_tasks.judge_bias.prompts.judge_prompt import PAIR_SLOTS, load_template, parse_blocks
from tests.bias_tasks.builders import questions
from tests.bias_tasks.paper_coverage import ROOT

LOOP = "```python\nfor n in range(3):\n    print(n)\n```"
CODE = f"Use a loop:\n\n{LOOP}\n\nIt prints three. That is all."


def edit(name, text, seed=0):
    return COSMETIC_EDITS[name](text, random.Random(seed))


def test_formatting_leaves_code_and_lists_unchanged():
    formatted = edit("formatting", f"{CODE}\n1. first\n2. second")
    assert LOOP in formatted
    assert "**Use a loop:**" in formatted
    assert "- It prints three.\n- That is all." in formatted
    assert formatted.endswith("\n1. first\n2. second")


def test_formatting_joins_a_sentence_that_is_wrapped_at_a_line_width():
    wide = "This sentence is so long that whoever wrote it has broken it here\nand goes on. And so."
    assert "- And so." in edit("formatting", wide)
    assert "broken it here and goes on.**" in edit("formatting", wide)


def test_probes_edit_the_worse_response_and_the_order_is_random():
    items = [JudgedPrompt(str(n), "p", ("good", "bad", "worse"), (0,)) for n in range(60)]
    pairs = [select_pair(item, 0) for item in items]
    assert {pair.better for pair in pairs} == {1}
    assert {pair.edited for pair in pairs} == {2, 3}
    assert {pair.order.index(1) for pair in pairs} == {0, 1}
    assert pairs == [select_pair(item, 0) for item in items]
    assert pairs != [select_pair(item, 1) for item in items]


def test_without_a_label_a_random_response_is_edited_and_equal_responses_are_not_a_pair():
    pair = select_pair(JudgedPrompt("i", "p", ("one", "other"), ()), 0)
    assert pair.better is None
    assert {pair.edited, pair.unedited} == {1, 2}
    assert select_pair(JudgedPrompt("i", "p", ("same", "same "), (0,)), 0) is None
    single = select_pair(JudgedPrompt("i", "p", ("alone",), ()), 0)
    assert (single.order, single.edited, single.unedited) == ((1,), 1, None)


TEMPLATE = (
    "Q: {prompt}\nFirst: {response_a}\nSecond: {response_b}\n[[A]], [[B]] or [[C]]. { braces }\n"
)


def plan_run(task="judge_pairwise", **params):
    values = FAMILY.tasks[task].values({"data": "synthetic", "n": 2, **params})
    plan = FAMILY.plan(task, values)
    return run_record(FAMILY, task, values, plan), plan


def write_file(folder, content, name="template.txt"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def test_a_users_template_replaces_the_built_in_one_and_the_record_has_its_hash(tmp_path):
    path = write_file(tmp_path, TEMPLATE)
    record, plan = plan_run(template=path)
    first = plan.questions[0]
    assert first.prompt.startswith("Q: ")
    assert "\nFirst: " in first.prompt
    assert first.prompt.endswith("[[B]] or [[C]]. { braces }")
    [origin] = [origin for origin in record["provenance"] if origin["source"] == "template"]
    assert origin["sha256"] == hashlib.sha256(TEMPLATE.encode()).hexdigest()
    write_file(tmp_path, TEMPLATE.replace("Q:", "Question:"))
    changed_record, _ = plan_run(template=path)
    assert changed_record["digest"] != record["digest"]


def test_a_template_with_wrong_slots_is_one_clear_error(tmp_path):
    wrong = [
        ("{prompt} {response_a}", "lacks {response_b}"),
        ("", "lacks {prompt}"),
        (
            TEMPLATE + "{respnse_a}",
            "{respnse_a} is an unknown slot (did you mean 'response_a'?)",
        ),
        (b"\xff{prompt}", "line 1 is not UTF-8"),
    ]
    for content, message in wrong:
        with pytest.raises(DataError) as error:
            load_template(write_file(tmp_path, content), PAIR_SLOTS)
        assert message in str(error.value)
        assert "\n" not in str(error.value)


def test_questions_of_an_item_differ_only_in_what_is_probed():
    _, plan = plan_run()
    blocks = {question.variant: parse_blocks(question.prompt) for question in plan.questions[::-1]}
    baseline, position = blocks["baseline"], blocks["position"]
    assert baseline == blocks["repeat1"]
    assert baseline["response_a"] == position["response_b"]
    assert baseline["response_b"] == position["response_a"]
    repeated = {question.variant for question in plan.questions if question.repeats}
    assert repeated == {"repeat1", "repeat2"}
    assert all(set(slots) == set(PAIR_SLOTS) for slots in blocks.values())
    assert parse_blocks(plan.questions[0].prompt.replace("<prompt-", "<other-")) == {}


def test_items_without_a_pair_are_excluded_and_reported(tmp_path):
    rows = [
        '{"prompt": "p", "response": "alone"}',
        '{"prompt": "q", "response_a": "one", "response_b": "other"}',
    ]
    data = write_file(tmp_path, "\n".join(rows), "rows.jsonl")
    record, plan = plan_run(data=data)
    assert len({question.item for question in plan.questions}) == 1
    assert len(record["notes"]) == 2
    single_record, _ = plan_run("judge_single", data=data)
    assert single_record["items"] == 2
    data = write_file(tmp_path, rows[0], "alone.jsonl")
    with pytest.raises(DataError, match="no item has two responses that differ"):
        plan_run(data=data)


HASHES = {
    "judge_pairwise": "d3a678bbd8",
    "judge_single": "ca2078daee",
    "self_preference": "d674d2d496",
}
"""Hashes of the ids and prompts of the example's items. A change makes recorded outputs useless."""


def test_prompts_and_ids_do_not_change():
    hashes = {}
    for task in HASHES:
        planned = questions(task, data=str(ROOT / "examples" / "judge_bias.jsonl"))
        prompts = [[r.prompt for r in FAMILY.requests(q, "So.")] for q in planned]
        hashes[task] = content_hash([question.id for question in planned], prompts)
    assert hashes == HASHES
