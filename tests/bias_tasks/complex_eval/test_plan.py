"""The questions of a run: every response under each condition, and nothing twice."""

import json
import re
from collections import Counter
from dataclasses import replace

import pytest

from bias_tasks.complex_eval.data.load import JUDGED_SOURCES
from bias_tasks.complex_eval.family import FAMILY
from bias_tasks.complex_eval.items import ATTACK_SOURCES, ATTACKS, AUX
from bias_tasks.complex_eval.outcomes import Judgement, collect_judgements, score_answer
from bias_tasks.complex_eval.prompts.judge import read_blocks
from bias_tasks.contract.outcomes import Answer
from bias_tasks.data.errors import DataError
from bias_tasks.digests import content_hash
from tests.bias_tasks.complex_eval.runs import build_plan

LONG = "The river begins in the mountains and ends in the sea, as all rivers of this country do."
KINDS = {"math": "math", "role_playing": "role_playing", "writing": "creative_writing"}
DIMENSIONS = (
    "Storyline Consistency",
    "Anthropomorphism",
    "Character Fidelity",
    "Storyline Quality",
)


def build_pair(identifier, chosen="good", rejected="bad", query="q", **fields):
    responses = {"chosen": chosen, "rejected": rejected}
    return {"id": identifier, "query": query, "responses": responses} | fields


def ids(plan):
    return {question.id for question in plan.questions}


def find_repeated_prompts(plan):
    counts = Counter(question.prompt for question in plan.questions)
    return [prompt for prompt, count in counts.items() if count > 1]


PROMPTS = {
    "basic": ("56b6b27c9c", "b5e838e5ab"),
    "math": ("87f5ba9f91", "995851c695"),
    "role_playing": ("4d92fbee74", "dae8841f81"),
    "writing": ("dd35657f8f", "482e5b848c"),
    "attention_limit": ("3a174c1376", "9986848354"),
}
"""Hashes of all prompts of a small run, plain and guarded."""


def test_prompts_and_ids_do_not_change(rows):
    def hash_questions(task, judge_prompt):
        k = {"k": "0,2"} if task == "attention_limit" else {}
        questions = build_plan(task, "core", judge_prompt=judge_prompt, **k).questions
        return content_hash([[q.id, q.prompt, q.schema] for q in questions])

    hashes = {
        task: (hash_questions(task, "plain"), hash_questions(task, "guarded")) for task in PROMPTS
    }
    assert hashes == PROMPTS


@pytest.mark.parametrize("task", KINDS)
def test_a_single_response_is_judged_twice_and_each_attacked_one_once(task):
    joint = {"mode": "joint"} if task == "role_playing" else {}
    plan = build_plan(task, n=3, **joint)
    names = Counter(question.id.rpartition("/full/")[2] for question in plan.questions)
    assert names == dict.fromkeys(("original", "original_2", *ATTACKS[KINDS[task]]), 3)
    assert {q.variant for q in plan.questions if q.repeats} == {"full/original_2"}
    for prompt in find_repeated_prompts(plan):
        twice = [q.variant for q in plan.questions if q.prompt == prompt]
        assert twice == ["full/original", "full/original_2"]
    assert len(find_repeated_prompts(plan)) == 3


@pytest.mark.parametrize(("task", "size"), [("role_playing", 4), ("writing", 5)])
def test_each_question_is_about_one_criterion(task, size):
    plan = build_plan(task, n=2, mode="per_dimension")
    joint = build_plan(task, n=2, mode="joint")
    default = plan if task == "role_playing" else joint
    assert build_plan(task, n=2).questions == default.questions
    assert len(plan.questions) == size * len(joint.questions)
    for index, whole in enumerate(joint.questions):
        names = whole.scoring_data.form.criteria
        assert len(names) == size
        parts = plan.questions[size * index : size * index + size]
        assert [part.scoring_data.form.criteria for part in parts] == [(name,) for name in names]
        assert [part.id for part in parts] == [
            f"{whole.id}~{re.sub('[^a-z]+', '_', name.lower())}" for name in names
        ]
        for name, part in zip(names, parts, strict=True):
            blocks = read_blocks(part.prompt)
            assert blocks["rubric"].startswith(f"{name}:\n")
            assert not any(f"{other}:\n" in blocks["rubric"] for other in set(names) - {name})
            assert blocks["response"] == read_blocks(whole.prompt)["response"]
            verdict = json.dumps(part.schema["properties"])
            assert [other for other in names if f'"{other}"' in verdict] == [name]
            if task == "role_playing":
                flaw = part.schema["properties"]["flaws"]["items"]
                assert flaw["properties"]["dimension"]["enum"] == [name]


def test_a_published_run_has_the_papers_attacks_and_data_sets_alone(monkeypatch, shared_data):
    assert {s for sources in ATTACK_SOURCES.values() for s in sources.values()} == {"paper"}
    assert {source.source for source in JUDGED_SOURCES.values()} == {"paper"}

    def find_variants(**params):
        return {question.variant for question in build_plan("writing", n=2, **params).questions}

    whole = find_variants()
    monkeypatch.setitem(ATTACK_SOURCES["creative_writing"], "format", "ours")
    assert find_variants() == whole
    assert find_variants(protocol="published") == whole - {"full/format"}
    with pytest.raises(ValueError, match="attacks='format': expected some of solution_fixation"):
        find_variants(attacks="format", protocol="published")
    chat = {"attacks": "none", "domains": "Chat", "n": 1, "protocol": "published"}
    assert build_plan("basic", "paper", **chat).questions
    source = replace(JUDGED_SOURCES["rmb_chat"], source="ours")
    monkeypatch.setitem(JUDGED_SOURCES._read(), "rmb_chat", source)
    with pytest.raises(ValueError, match="the paper's alone, and rmb_chat is this package"):
        build_plan("basic", "paper", **chat)
    assert build_plan("basic", "paper", **chat | {"protocol": "corrected"}).questions


def report_flaws(severities):
    flaws = [
        {"dimension": name, "severity": severity, "quote": "x"}
        for name, dimension_severities in severities.items()
        for severity in dimension_severities
    ]
    return Answer(json.dumps({"reasoning": "Severity 10 would be too much.", "flaws": flaws}))


def test_separate_and_joint_dimensions_have_the_same_score():
    """The score is the mean over dimensions of 100 - 5 (severity - 0.3 turns) within 0 to 100."""
    severities = dict(zip(DIMENSIONS, [(), (10,), (8, 8), (10, 10, 10)], strict=True))
    parts = build_plan("role_playing", n=1).questions[:4]
    turns = parts[0].scoring_data.form.turns
    answers = [report_flaws({name: severities[name]}) for name in DIMENSIONS]
    outcomes = [score_answer(p.scoring_data, a) for p, a in zip(parts, answers, strict=True)]
    expected = [min(max(100 - 5 * (sum(s) - 0.3 * turns), 0), 100) for s in severities.values()]
    assert [outcome.score for outcome in outcomes] == expected
    [judgement] = collect_judgements(outcomes)
    assert judgement.score == pytest.approx(sum(expected) / 4)
    assert judgement.criteria == dict(zip(DIMENSIONS, expected, strict=True))
    joint = build_plan("role_playing", n=1, mode="joint").questions[0]
    outcome = score_answer(joint.scoring_data, report_flaws(severities))
    assert outcome.score == pytest.approx(judgement.score)
    judged = replace(judgement.judged, parts=1)
    assert collect_judgements([outcome]) == [replace(judgement, judged=judged)]


def test_separate_and_joint_criteria_of_writing_have_the_same_score():
    joint = build_plan("writing", n=1).questions[0]
    scores = dict(zip(joint.scoring_data.form.criteria, (3, 4.5, 8, 9, 1), strict=True))
    outcome = score_answer(joint.scoring_data, Answer(json.dumps({"scores": scores})))
    parts = build_plan("writing", n=1, mode="per_dimension").questions[:5]
    outcomes = [
        score_answer(part.scoring_data, Answer(json.dumps({"scores": {name: score}})))
        for part, (name, score) in zip(parts, scores.items(), strict=True)
    ]
    assert [part.score for part in outcomes] == list(scores.values())
    [separate], [whole] = collect_judgements(outcomes), collect_judgements([outcome])
    assert separate.score == whole.score == pytest.approx(25.5 / 5)
    assert separate.criteria == whole.criteria == scores


@pytest.mark.parametrize("task", ["role_playing", "writing", "attention_limit"])
def test_unparsed_counts_answers(task):
    params = {} if task == "attention_limit" else {"attacks": "format"}
    questions = build_plan(task, n=2, mode="per_dimension", **params).questions

    def answer(question):
        criteria = question.scoring_data.form.criteria
        verdict = {"scores": dict.fromkeys(criteria, 5)} if task == "writing" else {"flaws": []}
        return json.dumps(verdict)

    # Two criteria of one response, and one of another.
    answers = ["Fine.", "Fine.", *map(answer, questions[2:-1]), "Fine."]
    outcomes = [
        score_answer(question.scoring_data, Answer(text))
        for question, text in zip(questions, answers, strict=True)
    ]
    metrics = FAMILY.compute_metrics(outcomes, {})
    unparsed = metrics.get("unparsed") or metrics["unparsed/per_dimension"]
    assert unparsed.value == pytest.approx(3 / len(questions), abs=1e-12)


def test_an_unparsed_dimension_gives_no_score_and_a_missing_one_no_judgement():
    parts = build_plan("role_playing", n=1).questions[:4]
    parsed = [score_answer(part.scoring_data, Answer('{"flaws": []}')) for part in parts]
    unparsed = score_answer(parts[0].scoring_data, Answer("Fine, I think."))
    assert [row.score for row in collect_judgements(parsed)] == [100]
    assert [row.score for row in collect_judgements([unparsed, *parsed[1:]])] == [None]
    assert collect_judgements(parsed[1:]) == []
    with pytest.raises(ValueError, match="5 answers in epoch 1, but 4 make up the judgement"):
        collect_judgements([*parsed, unparsed])


def test_a_response_that_pairs_share_is_judged_once(write_rows):
    rows = [
        build_pair("1", rejected="bad"),
        build_pair("2", rejected="worse"),
        build_pair("3", query="another"),
    ]
    plan = build_plan("basic", write_rows(*rows), aux="none", attacks="none")
    assert len(plan.questions) == 5  # of 6 judgements
    answer = Answer('{"score": 4}')
    outcomes = [score_answer(question.scoring_data, answer) for question in plan.questions]
    judgements = collect_judgements(outcomes)
    assert {(j.judged.item, j.judged.response) for j in judgements} == {
        (item, response) for item in "123" for response in ("chosen", "rejected")
    }
    assert all(isinstance(j, Judgement) and j.score == 4 for j in judgements)


def test_attacks_in_the_data_are_checked_and_counted_unless_published(write_rows):
    good = f"{LONG} So be it."
    rows = [
        build_pair("1", rejected=LONG, query="a", reference="r", attacked={"reference": good}),
        build_pair("2", rejected=LONG, query="b", reference="r", attacked={"reference": LONG}),
        build_pair("3", rejected=LONG, query="c", reference="r", attacked={"reference": "No."}),
        build_pair("4", rejected=LONG, query="d", reference="r"),
    ]
    path = write_rows(*rows)
    plan = build_plan("basic", path, attacks="reference", aux="none,reference")
    names = ("chosen", "rejected~reference")
    assert ids(plan) == {f"1/{aux}/{name}" for aux in ("none", "reference") for name in names}
    [question] = [q for q in plan.questions if q.id == "1/none/rejected~reference"]
    assert read_blocks(question.prompt)["response"] == good
    record = plan.provenance[-1]
    assert (record["source"], record["by"]) == ("attacks", {"unknown": 1})
    assert record["reference"]["valid"] == 1
    assert record["reference"]["excluded"] == {
        "nothing was changed": 1,
        "too few of the words are left": 1,
        "the data set has no such attack on the item": 1,
    }
    published = build_plan("basic", path, attacks="reference", aux="none", protocol="published")
    assert published.provenance[-1]["reference"]["valid"] == 3


def test_the_papers_data_need_attacks_first(shared_data):
    """The error comes before any download and is one line that says what to do."""
    for task, kind in {"basic": "basic", **KINDS}.items():
        with pytest.raises(DataError) as error:
            build_plan(task, "paper")
        message = str(error.value)
        assert "\n" not in message
        assert f"bias_tasks/make_attacks -T family={kind} --model MODEL" in message
        assert ("make_auxiliary" in message) == (kind == "math")
    assert (
        build_plan("basic", "paper", attacks="none", n=2, domains="Chat").provenance[-1]["by"] == {}
    )


def test_wrong_conditions_are_refused():
    wrong = {
        "aux='none' or aux='reference'": {"aux": "rubric", "attacks": "reference"},
        "expected one of none, reference, rubric": {"attacks": ""},
        "'hint'": {"aux": "hint"},
        "warns of a reference, but no judge is shown one: omit it": {
            **{"aux": "none,rubric", "attacks": "none", "caution": "reference_may_err"}
        },
    }
    for message, params in wrong.items():
        with pytest.raises(ValueError, match=message):
            build_plan("basic", n=1, **params)


def test_tasks_declare_the_attacks_of_their_items():
    declared = {
        name: parameter.values
        for name, task in FAMILY.tasks.items()
        for parameter in task.parameters
        if parameter.name == "attacks"
    }
    expected = {f"complexeval_{task}": ATTACKS[kind] for task, kind in KINDS.items()}
    assert declared == {**expected, "complexeval_basic": AUX}


def test_a_note_counts_solutions_without_a_reference(write_rows):
    row = {"problem": "1 + 1 + 1?", "steps": ["1 + 1 = 2", "2 + 1 = 4"], "label": 1}
    plan = build_plan("math", write_rows(row | {"reference_solution": "3"}, row | {"id": "2"}))
    assert [note.partition(",")[0] for note in plan.notes] == [
        "1 of 2 solutions have no reference solution to show to the judge",
        "no attacked response is judged",
    ]


def test_items_scored_by_criterion_need_distinct_criteria(write_rows):
    row = {"id": "1", "query": "q", "responses": {"original": "Once."}}
    with pytest.raises(ValueError, match="item 1 has no criteria"):
        build_plan("writing", write_rows(row))
    twice = [{"name": name, "description": "x"} for name in ("Plot", "plot ")]
    with pytest.raises(ValueError, match="two criteria of one name"):
        build_plan("writing", write_rows(row | {"criteria": twice}))


def test_the_attention_limit_judges_copies_of_the_same_dialogues():
    plan = build_plan("attention_limit", mode="joint,per_dimension", k="0,3", n=2)
    assert len(plan.questions) == len(ids(plan)) == 2 * 2 * (1 + 4)
    assert find_repeated_prompts(plan) == []
    by_mode = {"joint": [], "per_dimension": []}
    for question in plan.questions:
        by_mode[question.scoring_data.flaw_count.mode].append(question.scoring_data)
    assert {data.parts for data in by_mode["joint"]} == {1}
    assert all(len(data.form.criteria) == 1 for data in by_mode["per_dimension"])
    assert sum(len(data.flaws) for data in by_mode["per_dimension"]) == 2 * 3
    more = build_plan("attention_limit", k=[0, 3, 7], n=3)
    joint = {q.id: q for q in plan.questions if q.scoring_data.flaw_count.mode == "joint"}
    assert joint.items() <= {q.id: q for q in more.questions}.items()
