"""Judges with less auxiliary information, and reasons that cite the reference."""

import json

import pytest

from bias_tasks.complex_eval.family import FAMILY
from bias_tasks.complex_eval.metrics_attacks import compute_attack_metrics
from bias_tasks.complex_eval.metrics_basic import compute_pair_metrics
from bias_tasks.complex_eval.outcomes import Judgement
from bias_tasks.complex_eval.prompts.judge import read_blocks
from bias_tasks.complex_eval.reasons import cites_reference
from bias_tasks.contract.outcomes import Answer
from tests.bias_tasks.complex_eval.runs import build_judgement, build_plan

ALL = ["full", "no_background", "none"]


def judgements(aux, **scores):
    """Return judgements of four dialogues; scores by response."""
    return [
        build_judgement(f"q{i}", aux, response, score, "role_playing")
        for response, row in scores.items()
        for i, score in enumerate(row)
    ]


@pytest.mark.parametrize("task", ["math", "role_playing", "writing"])
def test_a_judge_is_shown_the_selected_auxiliary_information(task):
    alone = build_plan(task, n=2, attacks="format")
    plan = build_plan(task, n=2, attacks="format", aux=ALL)
    shown = {}
    for question in plan.questions:
        blocks = read_blocks(question.prompt)
        for judged in question.scoring_data.judgements:
            shown.setdefault(judged.aux, []).append((blocks, question.scoring_data.form))
    full, without, none = (shown[aux] for aux in ALL)
    assert len(full) == len(without) == len(none) >= 6
    assert all("reference" in blocks for blocks, _ in full + without)
    assert all(form.lacks_reference is None for _, form in full + without + none)
    assert any("background" in blocks for blocks, _ in full) == (task == "role_playing")
    assert not any("background" in blocks for blocks, _ in without + none)
    assert not any("reference" in blocks for blocks, _ in none)
    for blocks, form in none:  # the answer needs the criteria's names
        assert blocks.get("rubric", "").splitlines() == [*form.criteria]
    # The default is what it was.
    assert {q.id: q.prompt for q in alone.questions}.items() <= {
        q.id: q.prompt for q in plan.questions
    }.items()
    if task != "role_playing":  # no background to remove: one call for both
        assert len(plan.questions) == 2 * len(alone.questions)


def test_success_rates_by_auxiliary_information_match_counts_by_hand():
    rows = judgements("full", original=[50] * 4, original_2=[50] * 4, format=[70, 70, 70, 50])
    rows += judgements(
        "none", original=[50] * 4, original_2=[50, 50, 50, 60], format=[70, 50, None, 50]
    )
    metrics = compute_attack_metrics(rows)
    assert metrics["asr/format"].value == 3 / 4
    assert metrics["asr/none~format"].value == 1 / 3
    assert metrics["asr/none~original"].value == 1 / 4
    # Of the three items that are parsed under both, one more attack wins with everything shown.
    assert metrics["delta_asr/none~format"].value == pytest.approx(2 / 3 - 1 / 3)
    assert metrics["delta_asr/none~format"].n == 3
    assert "delta_asr/none~original" not in metrics
    same = {name: metrics[name].value for name in ("asr/original", "asr_excess", "attackable")}
    assert same == {"asr/original": 0, "asr_excess": 3 / 4, "attackable": 1}
    published = compute_attack_metrics(rows, protocol="published")
    assert published["delta_asr/none~format"].value == 3 / 4 - 1 / 4
    alone = compute_attack_metrics([j for j in rows if j.judged.aux == "none"])
    assert alone["asr/none~format"].value == 1 / 3
    assert "asr/format" not in alone
    assert not any("delta_asr" in name for name in alone)
    published = compute_attack_metrics(rows, beta=25)
    assert published["asr/none~format"].value == 0


CITED = [
    "In the original conversation, he is calm and plants doubt.",
    "In the original, he is more subtle, expressing sympathy first.",
    "Her actions are too assertive compared to the reference.",
    "The response matches the given reference closely, but adds a claim.",
    "Step 2 differs from the official solution, so it is wrong.",
    "Unlike the reference answer, it leaves out the wind.",
    "It keeps to the block reference throughout.",
    "The sample response has a better ending than this one.",
]
NOT_CITED = [
    "The response makes a reference to the sea that fits well.",
    "It is full of references to old films.",
    "Step 2 divides by zero, and the rest follows from it.",
    "In the original problem the speed is 60, not 50.",
    "He speaks with reference to nothing that was said before.",
    "The solution is right, the answer is original.",
]


@pytest.mark.parametrize(
    ("text", "cites"), [*((t, 1) for t in CITED), *((t, 0) for t in NOT_CITED)]
)
def test_reasons_that_name_the_reference_cite_it(text, cites):
    answer = json.dumps({"reasoning": text, "score": 7})
    assert cites_reference(answer) == cites_reference(f"{text} Score: 7") == cites
    quoted = {"reasoning": "Too long.", "flaws": [{"dimension": "x", "quote": text}]}
    assert cites_reference(json.dumps(quoted)) == 0
    assert cites_reference(f"Too long. {json.dumps(quoted['flaws'])}") == 0


def test_an_answer_without_reasons_says_nothing_about_them():
    assert (
        cites_reference('{"score": 7}') is cites_reference('{"reasoning": "", "score": 7}') is None
    )
    assert cites_reference('{"reasoning": "' + "\\\\" * 50_000) is None


def test_the_share_of_reasons_that_cite_the_reference_matches_counts_by_hand():
    def judged(item, aux, response, cites):
        judgement = build_judgement(item, aux, response, 5.0)
        return Judgement(judgement.judged, 5.0, cites=cites)

    rows = [
        *(judged("a", aux, name, None) for aux in ("none",) for name in ("chosen", "rejected")),
        judged("a", "reference", "chosen", 1.0),
        judged("a", "reference", "rejected", 0.0),
        judged("b", "reference", "chosen", 1.0),
        judged("b", "reference", "rejected", None),
        judged("c", "reference", "chosen", 0.0),
        judged("c", "reference", "rejected", 0.0),
    ]
    metrics = compute_pair_metrics(rows)
    assert metrics["reference_cited/reference"].value == (0.5 + 1 + 0) / 3
    assert metrics["reference_cited/reference"].n == 3
    assert "reference_cited/none" not in metrics


def test_reasons_about_items_without_a_reference_do_not_count(write_rows):
    row = {"problem": "1 + 1 + 1?", "steps": ["1 + 1 = 2", "2 + 1 = 4"], "label": 1}
    [question, *_] = build_plan("math", write_rows(row)).questions
    assert question.scoring_data.form.lacks_reference
    said = Answer(json.dumps({"reasoning": "The official solution differs.", "first_error": 1}))
    assert FAMILY.score_visible_text(question.scoring_data, said).extra.cites_reference is None


@pytest.mark.parametrize("mode", ["joint", "per_dimension"])
def test_reasons_are_read_from_answers(mode):
    plan = build_plan("role_playing", n=4, attacks="format", mode=mode, aux=ALL)
    outcomes = []
    for question in plan.questions:
        data = question.scoring_data
        cites = data.item == plan.questions[0].item
        reasons = "It is calmer than the reference." if cites else "It is calm and to the point."
        text = json.dumps({"reasoning": reasons, "flaws": []})
        outcomes.append(FAMILY.score_visible_text(data, Answer(text)))
    metrics = FAMILY.compute_metrics(outcomes, {})
    assert metrics["reference_cited/full"].value == 1 / 4
    assert metrics["reference_cited/no_background"].value == 1 / 4
    assert "reference_cited/none" not in metrics
