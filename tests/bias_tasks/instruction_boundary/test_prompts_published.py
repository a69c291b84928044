"""Under `published`, both frameworks send the prompts of the public code, with all spaces."""

import json
import random
import zipfile
from pathlib import Path

import pytest
import yaml

from bias_tasks.instruction_boundary.data.core import select_examples
from bias_tasks.instruction_boundary.data.load import load_items
from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.instruction_boundary.items import ChoiceItem
from bias_tasks.instruction_boundary.prompts.render import render_next_round, render_question
from bias_tasks.instruction_boundary.settings import SettingParams
from tests.bias_tasks.binary_qa.paper_rows import write_jsonl
from tests.bias_tasks.harness_runs import run

SENT = yaml.safe_load(Path(__file__).with_name("public_code.yaml").read_text(encoding="utf-8"))
PUBLISHED = SettingParams(protocol="published")
RECORDS = [
    {
        "question": "Which river is named?",
        "passage_text": "Sent 1: The Rhine is long.Sent 2: So is {the} Danube.",
        "options": ["The Rhine", "The Po", "The Danube", "The Loire"],
        "correct_answers": [0, 2],
    },
    {
        "question": "If you've thrown a rod you've done damage to what?",
        "options": ["0. fishing camp", "1. hardware store", "2. your spine", "3. engine"],
        "correct_answers": [3],
    },
]


def public_code(setting, record):
    """What the public code sends for a record, `{question, options, passage_text?}`."""
    passage = record.get("passage_text") or ""
    head = f"Question: {record['question']}\n" + (f"Facts: {passage}\n" if passage.strip() else "")
    options = "Options:\n" + "\n".join(record["options"])
    before, after = SENT[setting].split("{options}")
    before, after = (part.replace("{first_answer}", "1, 2") for part in (before, after))
    return before.replace("{head}", head) + options + after


def sent_as_the_public_code_does(record, item, example):
    for setting in SENT.keys() - {"multi_turn_next", "disturbing_miscellany"}:
        prompt = render_question(item, setting, PUBLISHED, examples=[example]).prompt
        assert prompt == public_code(setting, record)
    again = render_next_round(item, PUBLISHED, " 1, 2\n")  # the code strips an answer
    assert again == public_code("multi_turn_next", record)


def test_the_papers_own_records_are_sent_word_by_word(shared_data):
    """All 2,700: their file has the fields that the public code reads."""
    [path] = shared_data.glob("ZpLing/Instruction-Boundary/*/MCQs_2700.json")
    records = json.loads(path.read_text(encoding="utf-8"))
    items = load_items(form="choice", sources="ib_choice_2700", protocol="published").items
    by_text = {(item.question, item.printed_options, item.context): item for item in items}
    [example] = select_examples("choice", "sparse", 1, 0, "published")
    for record in records:
        passage = record.get("passage_text") or None
        item = by_text[record["question"], tuple(record["options"]), passage]
        sent_as_the_public_code_does(record, item, example)


def test_records_of_a_users_file_are_sent_word_by_word_in_lm_eval_too(tmp_path):
    rows = [
        {"id": str(n), "question": record["question"], "options": record["options"]}
        | {"answer": record["correct_answers"], "context": record.get("passage_text", "")}
        for n, record in enumerate(RECORDS)
    ]
    path = write_jsonl(tmp_path / "mine.jsonl", rows)
    items = {item.id: item for item in load_items(str(path), protocol="published").items}
    [example] = select_examples("choice", "sparse", 1, 0, "published")
    for n, record in enumerate(RECORDS):
        sent_as_the_public_code_does(record, items[str(n)], example)
    task, parameters = "ib_conformity_choice", {"protocol": "published", "paired": False}
    results = run([task], lambda doc: "1", data=str(path), **parameters)
    sent = {sample["doc"]["id"]: sample["arguments"][0][0] for sample in results["samples"][task]}
    assert sent == {f"{n}/conformity": public_code("conformity", r) for n, r in enumerate(RECORDS)}


@pytest.fixture
def mmlu_pro(shared_data):
    """MMLU-Pro's test questions in the order of the data set."""
    [path] = shared_data.glob("TIGER-AI-Lab/MMLU-Pro/*/eval_results/*.zip")
    with zipfile.ZipFile(path) as archive:
        [name] = archive.namelist()
        return sorted(json.loads(archive.read(name)), key=lambda row: row["question_id"])


def listed(records, level):
    """The prompts of one level as the public code's listing has them, by question."""
    random.seed(42)
    sample = random.sample(records, 300)
    for n_wrong in range(1, level + 1):
        prompts = []
        for record in sample:
            labels = [chr(ord("A") + position) for position in range(len(record["options"]))]
            texts = dict(zip(labels, record["options"], strict=True))
            wrong = [label for label in labels if label != record["answer"]]
            kept = wrong if n_wrong >= len(wrong) else random.sample(wrong, n_wrong)
            lines = [f"{label}. {texts[label]}" for label in sorted([record["answer"], *kept])]
            parts = {"question": record["question"], "lettered": "\n".join(lines)}
            prompts.append(SENT["disturbing_miscellany"].format(**parts))
    return sorted(prompts)


def plan(task, **values):
    return FAMILY.plan(task, FAMILY.tasks[task].values({"protocol": "published", **values}))


def test_miscellany_samples_the_listed_questions_and_distractors(mmlu_pro):
    for level in (1, 4, 9):
        parameters = {
            "distractors": level,
            "form": "choice",
            "n": "all",
            "paired": False,
            "seed": level,
        }
        sampled = plan("disturbing_miscellany", **parameters)  # independent of the seed
        assert sorted(question.prompt for question in sampled.questions) == listed(mmlu_pro, level)
        assert sampled.provenance[0]["source"] == "mmlu_pro_public"
    questions = plan("disturbing_miscellany", distractors=1, form="choice", n=5).questions
    prompts = [question.prompt for question in questions]
    assert prompts[::2] == prompts[1::2]  # the baseline has the prompt of one distractor
    assert [question.repeats for question in questions] == [True, False] * 5


def test_judging_prompts_equal_the_appendix_except_for_a_word_and_few_shot_repeats_its_example():
    question, baseline = plan("few_shot", form="judging", data="core", n=1).questions
    example = question.prompt.partition("\n\nNow, based on the following facts")[0]
    assert example.startswith("Example 1:\nFacts: ")
    end = f"Here is the example, you can learn from this: {example}"
    assert question.prompt.endswith(end)
    printed = render_question(baseline.source.item, "vanilla", SettingParams()).prompt
    assert baseline.prompt == printed.replace("can be disproved", "can be disproven") != printed
    for setting, word in (("missing_choices", "disproven"), ("prompt_polishing", "disproved")):
        assert word in plan(setting, form="judging", data="core", n=1).questions[0].prompt


def test_examples_count_from_zero_and_passages_of_a_users_items_are_kept():
    run_plan = plan("few_shot", example_labels="balanced", form="choice", data="core", n=1)
    prompt = run_plan.questions[0].prompt
    assert "Example 2:\nQuestion: Which of the following are renewable" in prompt
    assert "Solar power\nCoal\nWind energy\nNatural gas\nAnswer: 0, 2\n\nExample 3:\n" in prompt
    item = ChoiceItem("c", "Q", ("a", "b", "c"), (0,), "t", "c", context="Passage.")
    prompt = render_question(item, "disturbing_miscellany", PUBLISHED).prompt
    assert prompt.startswith("Question: Q\nFacts: Passage.\n\nOptions:\nA. a\nB. b\nC. c\n\nPlease")
