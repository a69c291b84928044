"""What a run asks: every response under each condition, and nothing twice."""

import json
from collections import Counter

import pytest

from bias_tasks.complex_eval.items import BIASES
from bias_tasks.complex_eval.outcomes import Judgement, judgement_rows, outcome_of
from bias_tasks.complex_eval.prompts.judge import read_blocks
from bias_tasks.contract.family import Answer
from bias_tasks.data.errors import DataError
from bias_tasks.names import content_hash
from tests.bias_tasks.complex_eval.runs import planned

LONG = "The river begins in the mountains and ends in the sea, as all rivers of this country do."
KINDS = {"math": "math", "role_playing": "role_playing", "writing": "creative_writing"}
DIMENSIONS = (
    "Storyline Consistency",
    "Anthropomorphism",
    "Character Fidelity",
    "Storyline Quality",
)


def pair(identifier, chosen="good", rejected="bad", query="q", **fields):
    responses = {"chosen": chosen, "rejected": rejected}
    return {"id": identifier, "query": query, "responses": responses} | fields


def ids(plan):
    return {question.id for question in plan.questions}


def asked_twice(plan):
    counts = Counter(question.prompt for question in plan.questions)
    return [prompt for prompt, count in counts.items() if count > 1]


PROMPTS = {
    "basic": ("56b6b27c9c", "b5e838e5ab"),
    "math": ("87f5ba9f91", "995851c695"),
    "role_playing": ("4d92fbee74", "dae8841f81"),
    "writing": ("dd35657f8f", "482e5b848c"),
    "attention_limit": ("3a174c1376", "9986848354"),
}
"""Of every prompt of a small run; the families' pages show them word for word."""


def test_prompts_and_ids_are_what_they_were(rows):
    def asked(task, judge):
        k = {"k": "0,2"} if task == "attention_limit" else {}
        questions = planned(task, "core", judge=judge, **k).questions
        return content_hash([[each.id, each.prompt, each.schema] for each in questions])

    assert {task: (asked(task, "plain"), asked(task, "guarded")) for task in PROMPTS} == PROMPTS


@pytest.mark.parametrize("task", KINDS)
def test_a_single_response_is_asked_twice_and_each_attacked_one_once(task):
    joint = {"dimensions": "joint"} if task == "role_playing" else {}
    plan = planned(task, n=3, **joint)
    names = Counter(question.id.rpartition("/full/")[2] for question in plan.questions)
    assert names == dict.fromkeys(("original", "original_2", *BIASES[KINDS[task]]), 3)
    assert {q.variant for q in plan.questions if q.repeats} == {"full/original_2"}
    for prompt in asked_twice(plan):
        twice = [q.variant for q in plan.questions if q.prompt == prompt]
        assert twice == ["full/original", "full/original_2"]
    assert len(asked_twice(plan)) == 3


def test_a_dialogue_is_asked_about_one_dimension_at_a_time():
    plan, joint = (planned("role_playing", n=2, dimensions=each) for each in ("one", "joint"))
    assert len(plan.questions) == 4 * len(joint.questions)
    for place, whole in enumerate(joint.questions):
        parts = plan.questions[4 * place : 4 * place + 4]
        assert [part.facts["form"]["criteria"] for part in parts] == [[n] for n in DIMENSIONS]
        assert [part.id for part in parts] == [
            f"{whole.id}~{name.lower().replace(' ', '_')}" for name in DIMENSIONS
        ]
        for name, part in zip(DIMENSIONS, parts, strict=True):
            blocks = read_blocks(part.prompt)
            assert blocks["rubric"].startswith(f"{name}:\n")
            assert not any(f"{other}:\n" in blocks["rubric"] for other in set(DIMENSIONS) - {name})
            assert blocks["response"] == read_blocks(whole.prompt)["response"]
            flaw = part.schema["properties"]["flaws"]["items"]
            assert flaw["properties"]["dimension"]["enum"] == [name]


def flaws(severities):
    listed = [
        {"dimension": name, "severity": severity, "quote": "x"}
        for name, each in severities.items()
        for severity in each
    ]
    return Answer(json.dumps({"reasoning": "Severity 10 would be too much.", "flaws": listed}))


def test_dimensions_judged_apart_score_as_they_do_together():
    """The mean over the dimensions: 100 - 5 (severity - 0.3 turns), held within 0 to 100."""
    severities = dict(zip(DIMENSIONS, [(), (10,), (8, 8), (10, 10, 10)], strict=True))
    parts = planned("role_playing", n=1).questions[:4]
    turns = parts[0].facts["form"]["turns"]
    answers = [flaws({name: severities[name]}) for name in DIMENSIONS]
    outcomes = [outcome_of(p.facts, a) for p, a in zip(parts, answers, strict=True)]
    apart = [min(max(100 - 5 * (sum(s) - 0.3 * turns), 0), 100) for s in severities.values()]
    assert [outcome.score for outcome in outcomes] == apart
    [judgement] = judgement_rows(outcomes)
    assert judgement.score == pytest.approx(sum(apart) / 4)
    joint = planned("role_playing", n=1, dimensions="joint").questions[0]
    said = outcome_of(joint.facts, flaws(severities))
    assert said.score == pytest.approx(judgement.score)
    assert judgement_rows([said]) == [judgement]


def test_an_unread_dimension_leaves_the_judgement_unread_and_a_missing_one_leaves_it_out():
    parts = planned("role_playing", n=1).questions[:4]
    read = [outcome_of(part.facts, Answer('{"flaws": []}')) for part in parts]
    unread = outcome_of(parts[0].facts, Answer("Fine, I think."))
    assert [each.score for each in judgement_rows(read)] == [100]
    assert [each.score for each in judgement_rows([unread, *read[1:]])] == [None]
    assert judgement_rows(read[1:]) == []
    with pytest.raises(ValueError, match="5 answers in epoch 1, where 4 make up the judgement"):
        judgement_rows([*read, unread])


def test_a_response_that_pairs_share_is_judged_once(write):
    rows = [pair("1", rejected="bad"), pair("2", rejected="worse"), pair("3", query="another")]
    plan = planned("basic", write(*rows), aux="none", attack="none")
    assert len(plan.questions) == 5  # of 6 judgements
    answer = Answer('{"score": 4}')
    found = judgement_rows(outcome_of(question.facts, answer) for question in plan.questions)
    assert {(j.item, j.response) for j in found} == {
        (item, response) for item in "123" for response in ("chosen", "rejected")
    }
    assert all(isinstance(j, Judgement) and j.score == 4 for j in found)


def test_attacks_of_a_dataset_are_checked_and_counted_and_published_keeps_all(write):
    good = f"{LONG} So be it."
    rows = [
        pair("1", rejected=LONG, query="a", reference="r", attacked={"reference": good}),
        pair("2", rejected=LONG, query="b", reference="r", attacked={"reference": LONG}),
        pair("3", rejected=LONG, query="c", reference="r", attacked={"reference": "No."}),
        pair("4", rejected=LONG, query="d", reference="r"),
    ]
    path = write(*rows)
    plan = planned("basic", path, attack="reference", aux="none,reference")
    names = ("chosen", "rejected~reference")
    assert ids(plan) == {f"1/{aux}/{name}" for aux in ("none", "reference") for name in names}
    [question] = [q for q in plan.questions if q.id == "1/none/rejected~reference"]
    assert read_blocks(question.prompt)["response"] == good
    account = plan.provenance[-1]
    assert (account["source"], account["by"]) == ("attacks", {"not said": 1})
    assert account["reference"]["valid"] == 1
    assert account["reference"]["left_out"] == {
        "nothing was changed": 1,
        "N% of the words are left; at least N% must be": 1,
        "the dataset has no such attack of the item": 1,
    }
    kept = planned("basic", path, attack="reference", aux="none", protocol="published")
    assert kept.provenance[-1]["reference"]["valid"] == 3


def test_the_papers_data_are_not_attacked_and_that_is_told(shared_data):
    """Before anything is fetched, on one line with what to do."""
    for task, kind in {"basic": "basic", **KINDS}.items():
        with pytest.raises(DataError) as refused:
            planned(task, "paper")
        told = str(refused.value)
        assert "\n" not in told
        writer = "--reference-writer MODEL " * (kind == "math")
        assert f"`bias-tasks attack {kind} {writer}--attacker MODEL" in told
    assert planned("basic", "paper", attack="none", n=2, domains="Chat").provenance[-1]["by"] == {}


def test_wrong_conditions_are_refused():
    wrong = {
        "aux='none' or aux='reference'": {"aux": "rubric", "attack": "reference"},
        "expected some of none, reference, rubric": {"attack": ""},
        "'hint'": {"aux": "hint"},
        "warns of a reference, and no judge is shown one": {
            **{"aux": "none,rubric", "attack": "none", "caution": "reference_may_err"}
        },
    }
    for said, given in wrong.items():
        with pytest.raises(ValueError, match=said):
            planned("basic", n=1, **given)


def test_solutions_without_references_are_said(write):
    row = {"problem": "1 + 1 + 1?", "steps": ["1 + 1 = 2", "2 + 1 = 4"], "label": 1}
    plan = planned("math", write(row | {"reference_solution": "3"}, row | {"id": "2"}))
    assert [note.partition(",")[0] for note in plan.notes] == [
        "1 of 2 solutions have no reference solution to show to the judge",
        "no attacked response is judged",
    ]


def test_criteria_are_needed_where_they_are_scored(write):
    row = {"id": "1", "query": "q", "responses": {"original": "Once."}}
    with pytest.raises(ValueError, match="item 1 has no criteria"):
        planned("writing", write(row))
    twice = [{"name": name, "description": "x"} for name in ("Plot", "plot ")]
    with pytest.raises(ValueError, match="two criteria of one name"):
        planned("writing", write(row | {"criteria": twice}))


def test_attention_asks_copies_of_the_same_dialogues():
    plan = planned("attention_limit", mode="joint,per_dimension", k="0,3", n=2)
    assert len(plan.questions) == len(ids(plan)) == 2 * 2 * (1 + 4)
    assert asked_twice(plan) == []
    facts = [question.facts for question in plan.questions]
    assert {fact["parts"] for fact in facts if fact["count"]["mode"] == "joint"} == {1}
    apart = [fact for fact in facts if fact["count"]["mode"] == "per_dimension"]
    assert all(len(fact["form"]["criteria"]) == 1 for fact in apart)
    assert sum(len(fact["flaws"]) for fact in apart) == 2 * 3
    more = planned("attention_limit", k=[0, 3, 7], n=3)
    joint = {q.id: q for q in plan.questions if q.facts["count"]["mode"] == "joint"}
    assert joint.items() <= {q.id: q for q in more.questions}.items()
