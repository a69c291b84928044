"""Judging under auxiliary information through lm-eval's own evaluator."""

import collections
import json
import math

import pytest
from click.testing import CliRunner
from lm_eval.utils import make_table

from bias_tasks.commands.attack.commands import attack
from bias_tasks.complex_eval import flaws_found
from bias_tasks.complex_eval.items import BIASES
from bias_tasks.complex_eval.metrics.advanced import advanced_scorecard
from bias_tasks.complex_eval.metrics.attention import attention_scorecard
from bias_tasks.complex_eval.metrics.basic import basic_scorecard
from bias_tasks.complex_eval.outcomes import judgement_rows, outcome_of
from bias_tasks.family import Answer
from bias_tasks.statistics.estimate import flatten, items_counted
from tests.bias_tasks.complex_eval.answers import attentive, facts_of, figures_of, mixed
from tests.bias_tasks.harness_runs import Answering, load, manager, run, shown, values

N = 8
SYNTHETIC = {"data": "synthetic", "n": N}
MANY = {"data": "synthetic", "n": 24}
PARTS = [f"complexeval_basic_{part}" for part in ("original", "reference", "rubric")]
BASIC = ["complexeval_basic", *PARTS]
ADVANCED = {
    "complexeval_math": "math",
    "complexeval_role_playing": "role_playing",
    "complexeval_writing": "creative_writing",
}
ATTENTION = "complexeval_attention_limit"
SCORED = [*BASIC, *ADVANCED]
CALLS = dict(zip(BASIC, (10, 6, 6, 6), strict=True))
"""Judgements of a pair."""
K = {"n": 6, "k": [0, 2, 5, 9]}


def judged(samples):
    """The judgements of a run, by the shared reading."""
    return judgement_rows(read(samples, outcome_of))


def read(samples, outcome):
    """What each answer of a run comes to."""
    return [outcome(facts_of(each["doc"]), Answer(each["resps"][0][0])) for each in samples]


def flat(card, rows):
    """The figures as both hosts log them, with the number of items."""
    return flatten(card | items_counted(row.item for row in rows))


def test_the_index_holds_every_task():
    index = manager()
    tasks = [name for name in index.all_subtasks if name.startswith("complexeval")]
    assert tasks == sorted([*SCORED, ATTENTION])
    assert [name for name in index.all_groups if name.startswith("complexeval")] == ["complexeval"]


@pytest.mark.parametrize("task", BASIC)
def test_figures_of_pairs_are_those_of_the_shared_scorecard(task):
    results = run([task], mixed, **MANY, theta=1)
    rows = judged(results["samples"][task])
    expected = flat(basic_scorecard(rows, theta=1), rows)
    assert figures_of(results, task) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert 0 < expected["unread"] < 1
    assert 0 < expected["acc/none"] < 1


@pytest.mark.parametrize(
    ("task", "beta"), [*((task, None) for task in ADVANCED), ("complexeval_writing", 2)]
)
def test_figures_of_attacks_are_those_of_the_shared_scorecard(task, beta):
    results = run([task], mixed, **MANY, beta=beta)
    rows = judged(results["samples"][task])
    expected = flat(advanced_scorecard(rows, beta=beta), rows)
    assert figures_of(results, task) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    assert {f"asr/{bias}" for bias in BIASES[ADVANCED[task]]} <= set(expected)
    assert 0 < expected["attackable"] < 1


@pytest.mark.parametrize("mode", ["joint", "per_dimension", "joint,per_dimension"])
def test_found_flaws_are_those_of_the_shared_scorecard(mode):
    results = run([ATTENTION], attentive, **K, mode=mode)
    rows = flaws_found.issue_counts(read(results["samples"][ATTENTION], flaws_found.outcome_of))
    expected = flat(attention_scorecard(rows), rows)
    figures = figures_of(results, ATTENTION)
    assert figures == pytest.approx(expected, abs=1e-12, nan_ok=True)
    for name in mode.split(","):
        assert (figures[f"recall/{name}"], figures[f"floor/{name}"]) == (1, 0)
        assert 0 < figures[f"unread/{name}"] < 1


@pytest.mark.parametrize("task", BASIC)
def test_a_pair_s_responses_are_judged_once_under_each_condition(task):
    model = Answering(mixed)
    run([task], model, **SYNTHETIC)
    prompts = collections.Counter(request.args[0] for request in model.requests)
    assert prompts.total() == CALLS[task] * N
    assert set(prompts.values()) == {1}
    ids = [request.doc["id"].split("/")[0] for request in model.requests]
    assert ids == [item for item in dict.fromkeys(ids) for _ in range(CALLS[task])]


@pytest.mark.parametrize("task", ADVANCED)
def test_only_the_unattacked_response_is_judged_twice(task):
    model = Answering(mixed)
    run([task], model, **SYNTHETIC)
    asked = collections.defaultdict(list)
    for request in model.requests:
        name = request.doc["id"].rpartition("/")[2].partition("~")[0]
        asked[request.args[0]].append(name)
    biases = BIASES[ADVANCED[task]]
    apart = 4 if task == "complexeval_role_playing" else 1
    assert len(model.requests) == (2 + len(biases)) * N * apart
    twice = [names for names in asked.values() if len(names) > 1]
    assert twice == [["original", "original_2"]] * N * apart
    assert {name for names in asked.values() for name in names} >= set(biases)


@pytest.mark.parametrize(("mode", "calls"), [("joint", 1), ("per_dimension", 4)])
def test_a_dialogue_is_judged_once_with_each_number_of_flaws(mode, calls):
    model = Answering(attentive)
    run([ATTENTION], model, n=2, mode=mode)
    prompts = collections.Counter(request.args[0] for request in model.requests)
    assert prompts.total() == 2 * 21 * calls
    assert set(prompts.values()) == {1}


@pytest.mark.parametrize("part", PARTS)
def test_a_part_s_figures_are_those_that_it_has_in_the_whole(part):
    """But for p-values, which are adjusted to how many comparisons are made, and what is over all
    conditions: `unread` and the bare `attack_cost`."""
    results = run(["complexeval_basic", part], mixed, **SYNTHETIC)
    whole, alone = (figures_of(results, task) for task in ("complexeval_basic", part))
    over_all = ("attack_cost", "attack_cost_ci_low", "attack_cost_ci_high")
    names = [n for n in alone if not n.endswith("_p") and "unread" not in n and n not in over_all]
    assert {name: alone[name] for name in names} == pytest.approx(
        {name: whole[name] for name in names}, nan_ok=True
    )
    aux = part.removeprefix("complexeval_basic_")
    told = ("reference", "rubric") if aux == "original" else (aux, f"{aux}~{aux}")
    assert {"acc/none", *(f"{kind}/{name}" for name in told for kind in ("gain", "rr"))} <= set(
        names
    )
    assert (f"attack_cost/none~{aux}" in names) == (aux != "original")


def test_conditions_may_be_chosen():
    parameters = {"aux": ["none", "rubric"], "attack": "rubric"}
    docs = load("complexeval_basic", **SYNTHETIC, **parameters).task_docs
    assert {doc["id"].partition("/")[2] for doc in docs} == {
        f"{aux}/{response}"
        for aux in ("none", "rubric")
        for response in ("chosen", "rejected~rubric")
    }
    docs = load("complexeval_writing", **SYNTHETIC, bias="format").task_docs
    responses = {doc["id"].rpartition("/")[2] for doc in docs}
    assert responses == {"original", "original_2", "format"}


@pytest.mark.parametrize("text", ["lol", "", '{"score": 11}', '{"first_error": 99}', "[" * 10**5])
def test_what_holds_no_valid_score_is_unread(text):
    results = run(["complexeval_basic", "complexeval_math"], lambda doc: text, **SYNTHETIC)
    pairs, math_ = values(results, "complexeval_basic"), values(results, "complexeval_math")
    assert (pairs["unread"], pairs["acc/none"], pairs["acc_half_ties/none"]) == (1, 0, 0)
    assert (pairs["rr/reference"], pairs["acc/none_n"]) == (0, N)
    assert (math_["unread"], math_["attackable"]) == (1, 0)
    told = shown(results, "complexeval_math")
    assert math.isnan(told["asr_excess"])
    assert math.isnan(results["samples"]["complexeval_math"][0]["asr_excess"])


def test_a_number_of_flaws_that_no_answer_was_read_for_is_nan():
    def silent_on_two(doc):
        return "..." if facts_of(doc)["count"]["planted"] == 2 else attentive(doc)

    figures = values(run([ATTENTION], silent_on_two, **K), ATTENTION)
    assert "found@k=2/joint" not in figures
    assert figures["found@k=9/joint"] == 9


def test_a_response_cannot_speak_for_the_judge():
    """What stands in a response is part of the prompt; only the answer is read."""
    results = run(["complexeval_basic"], lambda doc: doc["prompt"][-400:], **SYNTHETIC)
    assert values(results, "complexeval_basic")["unread"] == 1


@pytest.mark.parametrize("task", [*SCORED, ATTENTION])
def test_generation_is_greedy_and_has_room(task):
    model = Answering(mixed)
    run([task], model, data="synthetic", n=1)
    room = 4096 if task in ("complexeval_role_playing", ATTENTION) else 2048
    expected = {"until": [], "max_gen_toks": room, "do_sample": False, "temperature": 0.0}
    plain = [r.args[1] for r in model.requests if "/original_2" not in r.doc["id"]]
    assert {str(arguments) for arguments in plain} == {str(expected)}


def test_the_group_has_every_family():
    results = run(["complexeval"], mixed, data="synthetic", n=2)
    tasks = ["complexeval_basic", *ADVANCED, ATTENTION]
    assert sorted(results["samples"]) == sorted(tasks)
    assert "|attack_cost " in make_table(results)


@pytest.mark.parametrize("family", ["basic", "math", "role_playing", "creative_writing"])
def test_an_attacked_dataset_is_judged_as_it_is(family, tmp_path):
    path = str(tmp_path / "attacked.jsonl")
    made = CliRunner().invoke(attack, [family, "--data", "synthetic", "-n", "4", "--out", path])
    assert made.exit_code == 0, made.output
    [task] = [
        name for name, each in {"complexeval_basic": "basic", **ADVANCED}.items() if each == family
    ]
    results = run([task], mixed, data=path)
    record = results["configs"][task]["metadata"]["bias_tasks"]
    assert record["data"] == path
    assert record["provenance"][-1]["made"] == "dataset"
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    attacked = {text for row in rows for text in row["attacked"].values()}
    prompts = [sample["doc"]["prompt"] for sample in results["samples"][task]]
    assert attacked
    assert all(any(text in prompt for prompt in prompts) for text in attacked)


def test_a_file_of_another_family_is_refused(tmp_path):
    path = str(tmp_path / "attacked.jsonl")
    CliRunner().invoke(attack, ["math", "--data", "synthetic", "-n", "2", "--out", path])
    with pytest.raises(RuntimeError, match="math"):
        load("complexeval_basic", data=path)


def test_the_log_says_what_was_asked():
    parameters = {"seed": 3, "protocol": "published"}
    task = load("complexeval_basic_rubric", **SYNTHETIC, **parameters, theta=2)
    record = task.config.metadata["bias_tasks"]
    asked = {**SYNTHETIC, **parameters, "theta": 2, "aux": "none,rubric", "attack": "none,rubric"}
    assert {name: record["parameters"][name] for name in asked} == asked
    assert (record["data"], record["protocol"]) == ("synthetic", "published")
    assert (record["family"], record["task"]) == ("complex_eval", "complexeval_basic")
    synthetic, attacks = record["provenance"]
    assert (synthetic["source"], synthetic["n"]) == ("synthetic", N)
    assert (attacks["made"], attacks["rubric"]["valid"]) == ("by rule", N)
    record = load("complexeval_role_playing", **SYNTHETIC, beta=5).config.metadata["bias_tasks"]
    assert (record["task"], record["parameters"]["beta"]) == ("complexeval_role_playing", 5)
    record = load(ATTENTION, **K, data="synthetic").config.metadata["bias_tasks"]
    assert (record["data"], record["protocol"]) == ("flaw_bank", "corrected")
    assert record["parameters"]["k"] == K["k"]


def test_documents_say_what_is_known_of_the_right_answer():
    assert {doc["gold"] for doc in load("complexeval_basic", **SYNTHETIC).task_docs} == {""}
    for doc in load("complexeval_math", **SYNTHETIC).task_docs:
        assert doc["gold"] == str(facts_of(doc)["judgements"][0]["gold"])
    golds = [doc["gold"] for doc in load(ATTENTION, **K | {"n": 1}).task_docs]
    assert golds == ["0", "2", "5", "9"]


@pytest.mark.parametrize(
    ("task", "higher", "lower", "unsaid"),
    [
        (
            "complexeval_basic",
            ("acc/none", "gain/reference", "gain/rubric"),
            ("attack_cost", "attack_cost/rubric~rubric", "unread"),
            ("acc/none_stderr", "items"),
        ),
        (
            "complexeval_role_playing",
            (),
            ("asr_excess", "asr/original", "asr_excess/criteria_loophole"),
            ("asr_excess_stderr", "items"),
        ),
        (
            ATTENTION,
            ("recall/joint", "precision/joint"),
            ("unread/joint",),
            ("slope/joint", "ceiling/joint"),
        ),
    ],
)
def test_better_is_said_where_it_can_be(task, higher, lower, unsaid):
    directions = load(task, n=2, data="synthetic").higher_is_better()
    assert {name: directions[name] for name in higher} == dict.fromkeys(higher, True)
    assert {name: directions[name] for name in lower} == dict.fromkeys(lower, False)
    assert [name for name in unsaid if name in directions] == []


def test_the_paper_s_pairs_have_figures_by_domain(shared_data):
    task = "complexeval_basic_original"
    results = run([task], mixed, n=6, domains="Chat,Closed_QA")
    figures, directions = values(results, task), results["higher_is_better"][task]
    assert figures["Chat/acc/none_n"] == figures["Closed QA/acc/none_n"] == 3
    assert figures["acc/none"] == (figures["Chat/acc/none"] + figures["Closed QA/acc/none"]) / 2
    assert directions["acc/none"] is True
    assert directions["unread"] is False
    record = results["configs"][task]["metadata"]["bias_tasks"]
    assert (record["data"], record["parameters"]["domains"]) == ("paper", "Chat,Closed_QA")
    assert record["provenance"][0]["revision"]


def test_a_limit_cuts_the_last_pair_short():
    results = run(["complexeval_basic"], mixed, options={"limit": 13}, **SYNTHETIC)
    figures = values(results, "complexeval_basic")
    assert (figures["acc/none_n"], figures["acc/none~rubric_n"], figures["acc/rubric_n"]) == (
        2,
        1,
        1,
    )


def test_predict_only_keeps_the_answers_and_scores_nothing():
    results = run(["complexeval_math"], mixed, options={"predict_only": True}, **SYNTHETIC)
    assert list(shown(results, "complexeval_math")) == ["bypass"]
    sample = results["samples"]["complexeval_math"][0]
    assert sample["resps"][0][0] == mixed(sample["doc"])


def test_a_judge_that_knows_the_steps_is_never_misled():
    def knows(doc):
        return json.dumps({"first_error": facts_of(doc)["judgements"][0]["gold"]})

    figures = values(run(["complexeval_math"], knows, **SYNTHETIC), "complexeval_math")
    assert (figures["attackable"], figures["asr/format"], figures["asr_excess/format"]) == (1, 0, 0)
    assert (figures["unread"], figures["asr/original_n"]) == (0, N)


def test_the_same_score_for_all_ties_every_pair():
    results = run(["complexeval_basic"], lambda doc: '{"score": 7}', **SYNTHETIC)
    figures = values(results, "complexeval_basic")
    assert (figures["acc/none"], figures["acc_half_ties/none"], figures["rr/rubric"]) == (0, 0.5, 1)
