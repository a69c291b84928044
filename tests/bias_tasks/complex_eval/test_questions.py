"""What a run asks: every response under each condition, and nothing twice."""

import json
from collections import Counter
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.complex_eval.attacks.check import check_attack
from bias_tasks.complex_eval.attention_limit import flaw_counts, plan_attention
from bias_tasks.complex_eval.items import BIASES
from bias_tasks.complex_eval.metrics.outcome import Judgement
from bias_tasks.complex_eval.outcomes import judgement_rows, outcome_of
from bias_tasks.complex_eval.prompts.judge import read_blocks
from bias_tasks.complex_eval.questions import plan_advanced, plan_basic
from bias_tasks.data.errors import DataError
from bias_tasks.family import Answer
from tests.bias_tasks.examples import examples

LONG = "The river begins in the mountains and ends in the sea, as all rivers of this country do."
AUX = ("none", "reference", "rubric")
ADVANCED = ("math", "role_playing", "creative_writing")


@pytest.fixture
def write(tmp_path):
    def write(*rows):
        path = tmp_path / "items.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return str(path)

    return write


def pair(identifier, chosen="good", rejected="bad", query="q", **fields):
    responses = {"chosen": chosen, "rejected": rejected}
    return {"id": identifier, "query": query, "responses": responses} | fields


def ids(plan):
    return {question.id for question in plan.questions}


def aux_of(question):
    return question.variant.partition("/")[0]


def response_of(question):
    return question.variant.partition("/")[2]


def text_of(question):
    """The response as it stands in the prompt."""
    return read_blocks(question.prompt)["response"]


def asked_twice(plan):
    counts = Counter(question.prompt for question in plan.questions)
    return [prompt for prompt, count in counts.items() if count > 1]


def test_all_conditions_of_a_pair():
    plan = plan_basic("synthetic", n=2)
    [first] = {question.item for question in plan.questions[:10]}
    expected = {f"{first}/{aux}/{name}" for aux in AUX for name in ("chosen", "rejected")}
    expected |= {f"{first}/none/rejected~{name}" for name in AUX[1:]}
    expected |= {f"{first}/{name}/rejected~{name}" for name in AUX[1:]}
    assert {question.id for question in plan.questions[:10]} == expected
    assert len(plan.questions) == 20


@pytest.mark.parametrize("family", ADVANCED)
def test_all_conditions_of_a_single_response(family):
    plan = plan_advanced(family, "synthetic", dimensions="joint", n=3)
    names = Counter(question.id.rpartition("/full/")[2] for question in plan.questions)
    assert names == dict.fromkeys(("original", "original_2", *BIASES[family]), 3)
    afresh = {response_of(question) for question in plan.questions if question.repeats}
    assert afresh == {"original_2"}


DIMENSIONS = (
    "Storyline Consistency",
    "Anthropomorphism",
    "Character Fidelity",
    "Storyline Quality",
)


def test_a_dialogue_is_asked_about_one_dimension_at_a_time():
    plan = plan_advanced("role_playing", "synthetic", n=2)
    joint = plan_advanced("role_playing", "synthetic", dimensions="joint", n=2)
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
            [flaw] = [part.schema["properties"]["flaws"]["items"]]
            assert flaw["properties"]["dimension"]["enum"] == [name]
            assert part.repeats == whole.repeats


def flaws(*severities, dimension):
    listed = [{"dimension": dimension, "severity": s, "quote": "x"} for s in severities]
    return json.dumps({"reasoning": "Severity 10 would be too much.", "flaws": listed})


def test_dimensions_judged_apart_score_as_they_do_together():
    """The mean over the dimensions: 100 - 5 (severity - 0.3 turns), held within 0 to 100."""
    severities = dict(zip(DIMENSIONS, [(), (10,), (8, 8), (10, 10, 10)], strict=True))
    plan = plan_advanced("role_playing", "synthetic", n=1)
    parts = plan.questions[:4]
    turns = parts[0].facts["form"]["turns"]
    answers = [Answer(flaws(*severities[n], dimension=n)) for n in DIMENSIONS]
    outcomes = [outcome_of(p.facts, a) for p, a in zip(parts, answers, strict=True)]
    apart = [min(max(100 - 5 * (sum(s) - 0.3 * turns), 0), 100) for s in severities.values()]
    assert [outcome.score for outcome in outcomes] == apart
    [judgement] = judgement_rows(outcomes)
    assert judgement.score == pytest.approx(sum(apart) / 4)
    joint = plan_advanced("role_playing", "synthetic", dimensions="joint", n=1).questions[0]
    together = [
        {"dimension": name, "severity": severity, "quote": "x"}
        for name, each in severities.items()
        for severity in each
    ]
    said = outcome_of(joint.facts, Answer(json.dumps({"flaws": together})))
    assert said.score == pytest.approx(judgement.score)
    assert judgement_rows([said]) == [judgement]


def test_an_unread_dimension_leaves_the_judgement_unread_and_a_missing_one_leaves_it_out():
    parts = plan_advanced("role_playing", "synthetic", n=1).questions[:4]
    read = [outcome_of(part.facts, Answer('{"flaws": []}')) for part in parts]
    unread = outcome_of(parts[0].facts, Answer("Fine, I think."))
    assert [each.score for each in judgement_rows(read)] == [100]
    assert [each.score for each in judgement_rows([unread, *read[1:]])] == [None]
    assert judgement_rows(read[1:]) == []
    with pytest.raises(ValueError, match="5 answers in epoch 1, where 4 make up the judgement"):
        judgement_rows([*read, unread])


def test_dimensions_whose_names_read_alike_in_an_id_are_told_apart(write):
    played = json.dumps([{"role": "A", "content": "Hello."}])
    criteria = [{"name": name, "description": "x"} for name in ("Voice: tone", "Voice (tone)", "?")]
    row = {"id": "1", "query": "q", "responses": {"original": played}, "criteria": criteria}
    plan = plan_advanced("role_playing", write(row), bias="format")
    first = [question.id for question in plan.questions[:3]]
    assert first == [f"1/full/original~{slug}" for slug in ("voice_tone_0", "voice_tone_1", "_2")]


def test_a_caution_warns_of_a_reference_and_needs_one(write):
    plain, warned = (
        plan_basic("synthetic", attack="none", n=2, caution=caution)
        for caution in ("none", "reference_may_err")
    )
    for before, after in zip(plain.questions, warned.questions, strict=True):
        assert (before.prompt != after.prompt) == (aux_of(before) == "reference")
    with pytest.raises(ValueError, match="warns of a reference, and no judge is shown one"):
        plan_basic("synthetic", aux="none,rubric", attack="none", n=2, caution="reference_may_err")


@examples(20)
@given(
    st.sets(st.sampled_from(AUX), min_size=1), st.sets(st.sampled_from(AUX), min_size=1), st.data()
)
def test_no_prompt_twice_and_all_that_is_asked_is_compared(aux, attack, data):
    seed = data.draw(st.integers(0, 99))
    if "none" not in aux and not (attack - {"none"}) <= aux:
        with pytest.raises(ValueError, match="is judged under aux"):
            plan_basic("synthetic", aux=list(aux), attack=list(attack), n=1, seed=seed)
        return
    plan = plan_basic("synthetic", aux=list(aux), attack=list(attack), n=4, seed=seed)
    assert asked_twice(plan) == []
    facts = [fact for question in plan.questions for fact in question.facts["judgements"]]
    told = {(fact["item"], fact["aux"], fact["response"]) for fact in facts}
    assert len(told) == len(facts)
    for item, name, _ in told:
        rivals = {response for i, a, response in told if (i, a) == (item, name)}
        assert "chosen" in rivals
        assert len(rivals) > 1


@pytest.mark.parametrize("family", ADVANCED)
def test_only_the_second_judgement_repeats_a_prompt(family):
    plan = plan_advanced(family, "synthetic", n=10)
    repeated = asked_twice(plan)
    assert len(repeated) == 10 * (4 if family == "role_playing" else 1)
    for prompt in repeated:
        names = [response_of(q).partition("~")[0] for q in plan.questions if q.prompt == prompt]
        assert names == ["original", "original_2"]


def test_a_response_that_pairs_share_is_judged_once(write):
    rows = [pair("1", rejected="bad"), pair("2", rejected="worse"), pair("3", query="another")]
    plan = plan_basic(write(*rows), aux="none", attack="none")
    assert len(plan.questions) == 5  # of 6 judgements
    answer = Answer('{"score": 4}')
    found = judgement_rows(outcome_of(question.facts, answer) for question in plan.questions)
    assert {(j.item, j.response) for j in found} == {
        (item, response) for item in "123" for response in ("chosen", "rejected")
    }
    assert all(isinstance(j, Judgement) and j.score == 4 for j in found)


def test_real_pairs_share_a_fifth_of_their_judgements(shared_data):
    plan = plan_basic("paper", attack="none", domains="Closed QA,Code")
    judged = sum(len(question.facts["judgements"]) for question in plan.questions)
    assert asked_twice(plan) == []
    assert len(plan.questions) < 0.8 * judged


def test_what_a_pair_lacks_is_not_asked(write):
    rows = [pair("1", reference="ref"), pair("2", query="r", rubric="be good")]
    plan = plan_basic(write(*rows), attack="none")
    asked = {(q.item, aux_of(q)) for q in plan.questions}
    assert asked == {("1", "none"), ("1", "reference"), ("2", "none"), ("2", "rubric")}


def test_attacks_of_a_dataset_are_checked_and_counted(write):
    good = f"{LONG} Furthermore, it is long."
    rows = [
        pair("1", rejected=LONG, query="a", reference="r", attacked={"reference": good}),
        pair("2", rejected=LONG, query="b", reference="r", attacked={"reference": LONG}),
        pair("3", rejected=LONG, query="c", reference="r", attacked={"reference": "No."}),
        pair("4", rejected=LONG, query="d", reference="r"),
    ]
    plan = plan_basic(write(*rows), attack="reference", aux="none,reference")
    assert ids(plan) == {
        f"1/{aux}/{name}"
        for aux in ("none", "reference")
        for name in ("chosen", "rejected~reference")
    }
    [question] = [q for q in plan.questions if q.id == "1/none/rejected~reference"]
    assert text_of(question) == good
    account = plan.provenance[-1]
    assert account["source"] == "attacks"
    assert account["made"] == "dataset"
    assert account["reference"]["valid"] == 1
    assert account["reference"]["left_out"] == {
        "nothing was changed": 1,
        "N% of the words are left; at least N% must be": 1,
        "the dataset has no such attack of the item": 1,
    }


def test_published_keeps_attacks_that_fail_the_check(write):
    rows = [
        pair("1", rejected=LONG, query="a", reference="r", attacked={"reference": "No."}),
        pair("2", rejected=LONG, query="b", reference="r"),
    ]
    path = write(*rows)
    plan = plan_basic(path, attack="reference", aux="none", protocol="published")
    assert ids(plan) == {"1/none/chosen", "1/none/rejected~reference"}
    assert plan.provenance[-1]["reference"]["valid"] == 1
    with pytest.raises(ValueError, match="corrected, published"):
        plan_basic(path, protocol="strict")


def test_attacks_by_rule_are_valid_and_follow_the_seed():
    plan = plan_basic("synthetic", attack="rubric", aux="rubric", n=8)
    assert plan.provenance[-1]["made"] == "by rule"
    attacked = [q for q in plan.questions if response_of(q) == "rejected~rubric"]
    assert len(attacked) == plan.provenance[-1]["rubric"]["valid"] == 8
    for question in attacked:
        [item] = [known for known in question.known if known.id == question.item]
        assert check_attack(item, "rubric", text_of(question)) is None
    again = plan_basic("synthetic", attack="rubric", aux="rubric", n=8)
    assert [q.prompt for q in again.questions] == [q.prompt for q in plan.questions]


@pytest.mark.parametrize("family", ["basic", "role_playing", "creative_writing"])
def test_the_papers_data_are_attacked_by_rule_only_where_asked(family):
    """Told before anything is fetched, on one line with what to do."""
    plan = plan_basic if family == "basic" else partial(plan_advanced, family)
    brought = {"responses": "solutions.jsonl"} if family == "math" else {}
    with pytest.raises(DataError) as refused:
        plan("paper", **brought)
    told = str(refused.value)
    assert "\n" not in told
    assert f"`bias-tasks attack {family} --attacker MODEL" in told
    assert "attacks=rule" in told


def test_pairs_as_they_are_need_no_attacks(shared_data):
    plan = plan_basic("paper", attack="none", n=2, domains="Chat")
    assert plan.notes == ()


def test_figures_of_attacks_by_rule_are_marked(shared_data, write):
    told = "attacked responses are made by rule, which is crude"
    for plan in (
        plan_basic("paper", attacks="rule", n=4, domains="Chat"),
        plan_advanced("math", "synthetic", n=2),
    ):
        (note,) = plan.notes
        assert told in note
        assert plan.provenance[-1]["by"]["rule"] > 0
    made = pair("1", rejected=LONG, attacked={"rubric": f"{LONG} Multiple factors exist."})
    by = {"attacks": {"rubric": {"by": "rule", "rejected": None, "steps": []}}}
    (note,) = plan_basic(write({**made, "rubric": "r", "provenance": by})).notes
    assert note.startswith(f"1 of 1 {told}")
    assert plan_basic(write({**made, "rubric": "r"})).notes == ()


def test_facts_are_plain_json():
    plans = [plan_basic("synthetic", n=1), plan_attention(n=1, k=2)]
    plans += [plan_advanced(family, "synthetic", n=1) for family in ADVANCED]
    for plan in plans:
        for question in plan.questions:
            assert json.loads(json.dumps(question.facts)) == question.facts
            assert json.loads(json.dumps(question.schema)) == question.schema


def test_turns_of_the_environment_are_not_counted(write):
    turns = [("A", "Hello there."), ("Environment", "It rains."), ("B", "Go!")]
    dialogue = json.dumps([{"role": role, "content": content} for role, content in turns])
    row = {"id": "1", "query": "q", "responses": {"original": dialogue}}
    criteria = [{"name": "Plot", "description": "x"}]
    plan = plan_advanced("role_playing", write(row | {"criteria": criteria}))
    form = plan.questions[0].facts["form"]
    assert form == {"family": "role_playing", "criteria": ["Plot"], "turns": 2}


SOLUTION = {"problem": "1 + 1 + 1?", "steps": ["1 + 1 = 2", "2 + 1 = 4"], "label": 1}
MAKE = (
    "have a model write them with `bias-tasks attack math{data} --reference-writer MODEL "
    "--attacker MODEL --out attacked.jsonl` and give data=attacked.jsonl, or "
)


def test_solutions_without_references_are_told_before_anything_is_fetched(monkeypatch):
    monkeypatch.setattr("bias_tasks.complex_eval.questions.load_judged", None)
    with pytest.raises(DataError, match="ProcessBench's solutions have no reference") as told:
        plan_advanced("math")
    assert MAKE.format(data="") in str(told.value)
    assert "\n" not in str(told.value)


def test_own_solutions_without_references_are_told_with_the_command_for_their_file(write):
    path = write(SOLUTION, SOLUTION | {"id": "2"})
    with pytest.raises(DataError, match="none of the 2 solutions has a reference") as told:
        plan_advanced("math", path)
    assert MAKE.format(data=f" --data {path}") in str(told.value)


def test_solutions_of_which_some_lack_a_reference_are_asked_with_a_note(write):
    long = [f"Then the sum of the first {i} numbers of this list is {i * i}." for i in range(6)]
    own = SOLUTION | {"steps": long, "reference_solution": "Therefore, by induction, hence 36."}
    plan = plan_advanced("math", write(own, SOLUTION | {"id": "2"}))
    assert [note.partition(",")[0] for note in plan.notes] == [
        "1 of 2 solutions have no reference solution to show to the judge",
        "1 of 1 attacked responses are made by rule",
    ]
    for family in ("math", "creative_writing"):
        notes = plan_advanced(family, "synthetic", n=3).notes
        assert not any("no reference" in note for note in notes)


def test_criteria_are_needed_where_they_are_scored(write):
    row = {"id": "1", "query": "q", "responses": {"original": "Once."}}
    with pytest.raises(ValueError, match="item 1 has no criteria"):
        plan_advanced("creative_writing", write(row))
    twice = [{"name": name, "description": "x"} for name in ("Plot", "plot ")]
    with pytest.raises(ValueError, match="two criteria of one name"):
        plan_advanced("creative_writing", write(row | {"criteria": twice}))


def test_attention_questions():
    plan = plan_attention(mode="joint,per_dimension", k="0,3", n=2)
    assert len(plan.questions) == 2 * 2 * (1 + 4)
    assert asked_twice(plan) == []
    assert len(ids(plan)) == len(plan.questions)
    facts = [question.facts for question in plan.questions]
    assert {fact["parts"] for fact in facts if fact["count"]["mode"] == "joint"} == {1}
    per_dimension = [fact for fact in facts if fact["count"]["mode"] == "per_dimension"]
    assert all(len(fact["form"]["criteria"]) == 1 for fact in per_dimension)
    assert sum(len(fact["flaws"]) for fact in per_dimension) == 2 * 3
    more = plan_attention(mode="joint", k=[0, 3], n=3)
    assert {q.id for q in plan.questions if q.facts["count"]["mode"] == "joint"} < ids(more)


def test_numbers_of_flaws():
    assert flaw_counts(None) == tuple(range(21))
    assert flaw_counts(5) == (5,)
    assert flaw_counts("10, 0,10") == flaw_counts(["10", 0]) == (0, 10)
    for wrong in (21, -1, "", "a", [], [1.5], True):
        with pytest.raises(ValueError, match="0 to 20"):
            flaw_counts(wrong)
