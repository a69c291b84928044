"""Prompts: probes add no claim and remove no text, and users' templates replace built-in ones."""

import hashlib
import json
import random
from collections import Counter

import pytest

from bias_tasks.contract.record import run_record
from bias_tasks.data.errors import DataError
from bias_tasks.digests import content_hash
from bias_tasks.judge_bias.cosmetic_edits import (
    COSMETIC_EDITS,
    LITTLE_PROSE,
    STATED_LIMIT,
    NotEditedError,
    edit_response,
)
from bias_tasks.judge_bias.family import FAMILY
from bias_tasks.judge_bias.items import JudgedPrompt, select_pair
from bias_tasks.judge_bias.prompts.judge_prompt import PAIR_SLOTS, load_template, parse_blocks
from bias_tasks.judge_bias.stated_limits import find_limits
from tests.bias_tasks.builders import questions
from tests.bias_tasks.paper_coverage import ROOT

LOOP = "```python\nfor n in range(3):\n    print(n)\n```"
PRINTED = "It prints three numbers, from zero to two, one below the other."
CODE = f"Use a loop:\n\n{LOOP}\n\n{PRINTED} That is all."


def edit(name, text, seed=0):
    return COSMETIC_EDITS[name](text, random.Random(seed))[0]


def test_formatting_leaves_code_and_lists_unchanged():
    formatted = edit("formatting", f"{CODE}\n1. first\n2. second")
    assert LOOP in formatted
    assert "\nUse a loop:\n" in formatted  # a short line may be a verse or a salutation
    assert f"**{PRINTED}**" in formatted
    assert "- That is all." in formatted
    assert formatted.endswith("\n1. first\n2. second")


def test_formatting_joins_a_sentence_that_is_wrapped_at_a_line_width():
    wide = "This sentence is so long that whoever wrote it has broken it here\nand goes on. And so."
    assert "- And so." in edit("formatting", wide)
    assert "broken it here and goes on.**" in edit("formatting", wide)


PROSE = (
    "The sea breeze begins late in the morning, once the land is warmer than the water. "
    "Warm air rises above the fields, and cool air flows in from the bay. In the evening it stops."
)
VERSES = "The boats lie still,\nthe nets are dry.\nNo wind, no will,\nand none asks why.\n" * 3


def find_reason(name, request, response):
    """Return why an edit is not applied; None if it is."""
    try:
        edit_response(name, request, response, random.Random(0))
    except NotEditedError as error:
        return str(error)
    return None


@pytest.mark.parametrize(
    ("request_text", "limits"),
    [
        ("Explain it in at most 95 words.", [("word", 95)]),
        ("Use 70 to 90 words and exactly three bullet points.", [("word", 90), ("bullet", 3)]),
        ("an 80-word note in fewer than four sentences", [("word", 80), ("sentence", 3)]),
        ("Write at least 200 words, no more than 300 words.", [("word", 300)]),
        ("In one paragraph of 2 or 3 lines: why?", [("paragraph", 1), ("line", 3)]),
        ("I walked 3 miles in 2 hours. Why are words hard?", []),
    ],
)
def test_the_limits_that_a_request_states(request_text, limits):
    assert [(limit.unit, limit.most) for limit in find_limits(request_text)] == limits


@pytest.mark.parametrize("name", COSMETIC_EDITS)
def test_an_edit_keeps_stated_limits_or_is_not_applied(name):
    n_words = len(PROSE.split())
    for most in range(n_words, n_words + 60):
        request = f"Explain it in at most {most} words."
        if find_reason(name, request, PROSE) is None:
            assert next(find_limits(request)).allows(
                edit_response(name, request, PROSE, random.Random(0))
            )
    assert find_reason(name, f"Use {n_words} words.", PROSE) == STATED_LIMIT
    assert find_reason(name, "Why?", PROSE) is None
    sentences = find_reason(name, "Explain it in 3 sentences.", PROSE)
    assert sentences == (STATED_LIMIT if name == "verbosity" else None)


@pytest.mark.parametrize("text", ["", " ", "Positive", VERSES, '{"a": 1}', LOOP, "- Bug\n- Praise"])
@pytest.mark.parametrize("name", COSMETIC_EDITS)
def test_texts_without_prose_are_not_edited(name, text):
    assert find_reason(name, "Why?", text) == LITTLE_PROSE


@pytest.mark.parametrize("unit", ["-", '."', "a ", "1. a\n", "   ", "A.b "])
def test_edits_of_huge_texts_take_linear_time(unit):
    for name in COSMETIC_EDITS:
        find_reason(
            name, "in at most 9 words, 9 sentences, 9 lines " + unit * 50_000, unit * 300_000
        )


def test_an_edit_that_gives_both_responses_the_same_text_is_not_applied(tmp_path):
    def plan_authority(better):
        row = {"id": "a", "prompt": "Why?", "response_a": PROSE, "response_b": better, "label": "B"}
        data = write_file(tmp_path, json.dumps(row), "rows.jsonl")
        return plan_run(data=data, probes="authority")

    _, plan = plan_authority("Because.")
    [prompt] = [question.prompt for question in plan.questions if question.variant == "authority"]
    edited = max(parse_blocks(prompt).values(), key=len)
    assert edited.startswith(PROSE)
    record, plan = plan_authority(edited)
    assert "authority" not in {question.variant for question in plan.questions}
    assert any("the responses would be the same" in note for note in record["notes"])


def test_near_ties_have_each_response_edited_in_turn_and_clear_pairs_their_baseline():
    record, plan = plan_run(pairs="near", n=24, probes="verbosity,authority")
    near = [question for question in plan.questions if "-near" in question.item]
    variants = Counter(question.variant for question in near)
    assert set(variants) == {
        f"{name}{end}" for name in ("verbosity", "authority") for end in ("", "_control")
    }
    assert variants["verbosity"] == variants["verbosity_control"] > 0
    clear = [question for question in plan.questions if question not in near]
    assert {question.variant for question in clear} == {"baseline"}
    assert len(clear) == 24
    assert any("items without a probe: verbosity" in note for note in record["notes"])
    both = plan_run(pairs="all", n=24, probes="verbosity,authority")[1].questions
    assert {q.id for q in near} < {q.id for q in both}
    with pytest.raises(ValueError, match="needs a probe"):
        plan_run(pairs="near", probes="position")


def test_pairs_without_a_label_have_each_response_edited_in_turn(tmp_path):
    row = {"prompt": "Why?", "response_a": PROSE, "response_b": PROSE.replace("bay", "sea")}
    data = write_file(tmp_path, json.dumps(row), "rows.jsonl")
    _, plan = plan_run(data=data, probes="authority")
    edited = {q.variant: q.prompt.count("(Reviewed by") for q in plan.questions}
    assert edited == {
        "baseline": 0,
        "repeat1": 0,
        "repeat2": 0,
        "authority": 1,
        "authority_control": 1,
    }
    with pytest.raises(ValueError, match="omit it for other data"):
        plan_run(data=data, pairs="near")


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
    *_, skipped = record["notes"]  # the texts are too short to edit
    assert skipped.startswith("items without a probe: ")
    assert skipped.count("1 (too little prose)") == len(COSMETIC_EDITS)
    single_record, _ = plan_run("judge_single", data=data)
    assert single_record["items"] == 2
    data = write_file(tmp_path, rows[0], "alone.jsonl")
    with pytest.raises(DataError, match="no item has two responses that differ"):
        plan_run(data=data)


HASHES = {
    "judge_pairwise": "11af14ab75",
    "judge_single": "2da815e0b7",
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
