"""Scoring data and outcomes of probed tasks in logs before version 0.17."""

import json

from bias_tasks.contract.logged_outcomes import (
    PROBED,
    read_outcome,
    read_scoring_data,
    scoring_data_of,
)
from bias_tasks.probing.displayed_options import OptionStyle
from bias_tasks.probing.family import FAMILY, ProbeExtra
from bias_tasks.probing.items import Perturbation, ProbeData

OLD = {
    "item": {
        "id": "q1",
        "choices": ["iron", "mercury"],
        "right": [1],
        "target": "B",
        "labels": [],
        "cluster": "",
    },
    "variant": "labels",
    "asked": {
        "order": [1, 0],
        "beginning": "Example",
        "ending": "Be brief.",
        "again": "Reflect.",
        "dress": {"labels": ["I", "II"], "mark": "", "between": "; ", "capitals": ""},
    },
}
PERTURBATION = Perturbation(
    order=(1, 0),
    prefix="Example",
    suffix="Be brief.",
    follow_up="Reflect.",
    option_style=OptionStyle(labels=("I", "II"), mark="", separator="; ", casing=""),
)


def check(data):
    assert isinstance(data, ProbeData)
    assert (data.item, data.variant, data.correct, data.target) == ("q1", "labels", (1,), "B")
    assert data.choices == ("iron", "mercury")
    assert data.perturbation == PERTURBATION
    assert data.probed_item.gold == "#1"
    assert FAMILY.example_outcome(data).cluster == "q1"


def test_metadata_of_an_old_sample_give_its_scoring_data():
    check(scoring_data_of(FAMILY, {PROBED: OLD, "topic": "metals"}))


def test_an_old_document_of_lm_eval_gives_its_scoring_data():
    facts = {**OLD, "choices": ["A", "B"], "certain": True}
    data = read_scoring_data(FAMILY, {"id": "q1/labels", "facts": json.dumps(facts)})
    check(data)
    assert data.deterministic


def test_an_old_baseline_outcome_has_today_s_names():
    old = {
        "item": "q1",
        "cluster": "q1",
        "variant": "plain",
        "gold": "#1",
        "answer": "#1",
        "score": 1.0,
        "why": "",
        "reason": None,
        "span": None,
        "epoch": 1,
        "own": {"certain": True, "probes": ["order"]},
    }
    outcome = read_outcome(FAMILY, old)
    assert outcome.variant == "baseline"
    assert outcome.extra == ProbeExtra(deterministic=True, probes=("order",))
    metrics = FAMILY.compute_metrics([outcome], {})
    assert metrics["score/repeat"].value == metrics["score/baseline"].value == 1


def test_scoring_data_in_todays_logs_are_read_unchanged():
    data = ProbeData(
        item="q1", cluster="q1", variant="labels", gold="#1", perturbation=PERTURBATION
    )
    assert scoring_data_of(FAMILY, {PROBED: data.to_dict()}) == data
