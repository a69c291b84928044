"""Judged items from the paper's data sets and from a user's files."""

import json
from collections import Counter

import pytest

from bias_tasks.complex_eval.data.converters import ROLE_PLAYING
from bias_tasks.complex_eval.data.load import find_sources, load_judged, load_unanswered
from bias_tasks.complex_eval.items import JUDGED_KINDS
from bias_tasks.complex_eval.layout import read_dialogue, read_steps
from bias_tasks.data.errors import DataError

PAIR = {"query": "q", "responses": {"chosen": "good", "rejected": "bad"}}
SOLUTION = {"problem": "1 + 1 + 1?", "steps": ["1 + 1 = 2", "2 + 1 = 4"], "label": 1}
DIALOGUE = json.dumps([{"role": "A", "content": "Hello."}])


def test_pairs_come_from_twelve_domains(shared_data):
    loaded = load_judged("basic", "paper")
    counts = Counter(item.domain for item in loaded.items)
    default_sources = [source for source in find_sources("basic").values() if source.unnamed]
    assert counts == {source.domain: source.items for source in default_sources}
    assert (len(counts), sum(counts.values())) == (12, 2331)
    assert {record["source"]: record["n"] for record in loaded.provenance}["rmb_closed_qa"] == 468
    assert len({item.id for item in loaded.items}) == 2331
    assert len({item.cluster for item in loaded.items}) < 600  # many pairs of one conversation
    # Domains take turns, so that a run that stops early has all of them.
    assert len({item.domain for item in loaded.items[:12]}) == 12


def test_the_reference_is_a_third_answer_that_won(shared_data):
    items = load_judged("basic", "paper").items
    without = [item for item in items if item.reference is None]
    assert len(without) == 80
    winners = {(item.cluster, item.responses["chosen"]) for item in items}
    for item in items:
        assert item.reference not in item.responses.values()
        if item.reference is not None:
            assert (item.cluster, item.reference) in winners
        assert item.rubric.startswith(f"{item.domain} Evaluation Rubrics\n")


def test_simulations_are_cleaned_like_those_of_coser(shared_data):
    """The published evaluation has the dialogues that CoSER's own judge saw."""
    path = next(shared_data.glob("Neph0s/CoSER/*/exp/evaluation/test_set_gpt-4o.json"))
    cases = json.loads(path.read_text(encoding="utf-8"))["cases"].values()

    def split_dialogue(turns):
        return tuple((role, *text.removeprefix(f"{role}:").split()) for role, text in turns)

    seen = {split_dialogue((t["role"], t["content"]) for t in c["simulation"]) for c in cases}
    items = load_judged("role_playing", "paper").items
    loaded = {split_dialogue(read_dialogue(item.responses["original"])) for item in items}
    assert len(loaded) == 3
    assert loaded == seen


def test_a_scene_has_its_profiles_criteria_and_reference(shared_data):
    (lear, *_) = load_judged("role_playing", "paper", n=3).items
    assert tuple(part.name for part in lear.criteria) == ROLE_PLAYING
    roles = {turn.role for turn in read_dialogue(lear.reference)} - {"Environment"}
    assert all(f"\nProfile of {role}:\n" in lear.background for role in roles)
    assert "{" not in lear.criteria[2].description


def test_writing_requests_need_responses(shared_data, write_rows):
    with pytest.raises(DataError, match="none of the 222 items has a response"):
        load_judged("creative_writing", "paper")
    first, second, *_ = load_unanswered("creative_writing")
    path = write_rows(
        {"id": first.id, "response": "Once upon a time."},
        {"id": second.id, "response": "Twice.", "reference": "Thrice."},
    )
    loaded = load_judged("creative_writing", "paper", responses=path)
    by_id = {item.id: item for item in loaded.items}
    assert by_id.keys() == {first.id, second.id}
    assert by_id[second.id].reference == "Thrice."
    assert len(by_id[first.id].criteria) == 5
    assert by_id[first.id].criteria[0].description.count("\n") == 5
    counts = [(record["source"], record["n"]) for record in loaded.provenance]
    assert counts == [("writingbench", 2), ("responses", 2)]
    assert loaded.provenance[0]["without_response"] == 220


def test_responses_need_the_format_of_their_kind(shared_data, write_rows):
    (scene, *_) = load_unanswered("role_playing")
    path = write_rows({"id": scene.id, "response": "Hello."})
    with pytest.raises(DataError, match="not valid JSON"):
        load_judged("role_playing", "paper", responses=path)
    with pytest.raises(DataError, match="1 id without an item, such as 'nobody'"):
        load_judged(
            "role_playing", "paper", responses=write_rows({"id": "nobody", "response": "x"})
        )
    path = write_rows({"id": scene.id, "response": DIALOGUE})
    assert len(load_judged("role_playing", "paper", responses=path).items) == 4


def test_a_file_may_have_the_layout_of_processbench(write_rows):
    steps = [*SOLUTION["steps"][:-1], "So it is."]
    other = {"id": "b", "steps": steps, "label": -1, "reference_solution": "3", "generator": "x"}
    path = write_rows(SOLUTION, {**SOLUTION, **other})
    first, second = sorted(load_judged("math", path).items, key=lambda item: item.first_error)[::-1]
    assert read_steps(first.responses["original"]) == SOLUTION["steps"]
    assert (first.first_error, first.reference) == (1, None)
    assert (second.id, second.first_error, second.reference) == ("b", -1, "3")
    assert first.cluster == second.cluster  # one problem


def test_a_written_data_set_loads_as_the_same_items(write_rows):
    for family in JUDGED_KINDS:
        items = load_judged(family, "synthetic", n=6).items
        rows = [{**item.to_row(), "provenance": {"attacker": "rules"}} for item in items]
        loaded = load_judged(family, write_rows(*rows))
        assert sorted(loaded.items, key=lambda i: i.id) == sorted(items, key=lambda i: i.id)
        assert loaded.provenance[0]["n"] == 6


def test_the_attacked_criterion_is_that_of_the_row_or_the_one_that_the_attacker_names(write_rows):
    for kind in ("role_playing", "creative_writing"):
        for item in load_judged(kind, "core").items:
            assert item.attacked_criterion in {part.name for part in item.criteria}
    criteria = [{"name": name, "description": "x"} for name in ("Plot", "Tone of voice")]
    row = {"query": "q", "responses": {"original": "Once."}, "criteria": criteria}

    def load(kind="creative_writing", reply=None, **fields):
        record = {"attacks": {"criteria_entanglement": {"steps": [{"output": reply}]}}}
        fields |= {"provenance": record} if reply else {}
        [item] = load_judged(kind, write_rows(row | fields)).items
        return item.attacked_criterion

    assert load() is None
    assert load(attacked_criterion="Plot") == "Plot"
    assert load(reply="**tone of voice**\nMention the plot.") == "Tone of voice"
    assert load(reply="**tone of voice**\n-", attacked_criterion="Plot") == "Plot"
    assert load(reply="Plot or tone of voice\n-") is None
    assert load(reply="Rhythm\n- Plot") is None
    scene = {"responses": {"original": DIALOGUE}}
    assert load("role_playing", reply='[{"role": "A", "content": "The plot."}]', **scene) is None
