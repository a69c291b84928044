"""The roles that build attacks: requests are recognised, and replies are valid as planted."""

import json

import pytest
from click.testing import CliRunner

from bias_tasks.commands.attack import attack as attack_command
from bias_tasks.commands.replies import read_attacked, read_text
from bias_tasks.complex_eval.attacks.check import check_attack
from bias_tasks.complex_eval.data.load import load_judged
from bias_tasks.complex_eval.data.synthetic import generate_judged
from bias_tasks.complex_eval.items import JUDGED_KINDS, JudgedItem, attack_names, attacked_response
from bias_tasks.complex_eval.prompts.attacks import (
    again_request,
    attack_request,
    extraction_request,
    reference_request,
    rubric_request,
)
from bias_tasks.respondents.attacker import NO_REQUEST
from bias_tasks.respondents.completion import NOTHING
from bias_tasks.respondents.known_requests import read_request
from bias_tasks.respondents.personas import make_respondent

ROLES = ("attacker", "reference_writer", "rubric_writer")
ATTACKER = make_respondent("attacker")
CASES = [(family, name) for family in JUDGED_KINDS for name in attack_names(family)]


def request_for(item, name, attacker=ATTACKER):
    """The request for an attacked response, with the attacker's own features where there are."""
    extraction = extraction_request(item, name)
    features = None if extraction is None else read_text(attacker.respond(extraction, NOTHING))
    return attack_request(item, name, features)


def refused(item, name, reply):
    """Why the reply is no valid attack."""
    try:
        text = read_attacked(reply, item, item.responses[attacked_response(item)])
    except ValueError as error:
        return str(error)
    return check_attack(item, name, text)


@pytest.mark.parametrize(("family", "name"), CASES)
def test_every_request_is_recognised_and_taken_apart(family, name):
    for item in generate_judged(family, 3, 51):
        response = item.responses[attacked_response(item)]
        extraction = extraction_request(item, name)
        if extraction is not None:
            found = read_request(extraction)
            assert (found.kind, found.family, found.name) == ("extract", family, name)
        request = attack_request(item, name, "Some\n\nfeatures.")
        found = read_request(request)
        assert (found.kind, found.family) == ("attack", family)
        assert found.name == name or family == "creative_writing"
        assert found.shown["response"] == response
        assert found.shown.get("features", "Some\n\nfeatures.") == "Some\n\nfeatures."
        assert read_request(again_request(request, f"{request} no", "it is bad")) == found


@pytest.mark.parametrize(("family", "name"), CASES)
def test_attacks_are_valid(family, name):
    for item in generate_judged(family, 20, 52):
        reply = ATTACKER.respond(request_for(item, name), NOTHING)
        assert refused(item, name, reply) is None


@pytest.mark.parametrize("name", ["reference", "rubric"])
def test_attacks_on_the_papers_responses_are_valid(shared_data, name):
    """A rule may find nothing to do; of what it does, no more than one in fifty is refused."""
    items = [item for item in load_judged("basic", "paper", n=120).items if item.reference]
    reasons = [
        refused(item, name, ATTACKER.respond(request_for(item, name), NOTHING)) for item in items
    ]
    made = [reason for reason in reasons if reason != "nothing was changed"]
    assert sum(reason is None for reason in made) >= 0.98 * len(made)


@pytest.mark.parametrize("family", JUDGED_KINDS)
def test_replies_are_invalid_at_the_planted_rate(family):
    attacker = make_respondent("attacker", {"invalid": 0.3, "seed": 1})
    items = generate_judged(family, 150, 53)
    name = attack_names(family)[0]
    requests = [request_for(item, name, attacker) for item in items]
    reasons = [
        refused(item, name, attacker.respond(request, NOTHING))
        for item, request in zip(items, requests, strict=True)
    ]
    share = sum(reason is not None for reason in reasons) / len(items)
    assert share == pytest.approx(0.3, abs=0.15)
    again = [
        refused(item, name, attacker.respond(again_request(request, "no", "it is bad"), NOTHING))
        for item, request in zip(items, requests, strict=True)
    ]
    twice = sum(None not in pair for pair in zip(reasons, again, strict=True)) / len(items)
    assert twice == pytest.approx(0.09, abs=0.07)


def test_a_response_without_room_is_given_back():
    item = JudgedItem(
        "i", "creative_writing", "d", "s", "i", "Write.", {"original": "Too short."}, "A reference."
    )
    assert ATTACKER.respond(attack_request(item, "format", "A reference."), NOTHING) == "Too short."


def test_features_of_another_attacker_are_worked_in():
    (item,) = generate_judged("creative_writing", 1, 54)
    reply = ATTACKER.respond(attack_request(item, "format", "Transitions like However."), NOTHING)
    assert refused(item, "format", reply) is None
    assert "However," in reply


@pytest.mark.parametrize("role", ROLES)
def test_other_prompts_are_declined(role):
    respondent = make_respondent(role)
    (item,) = generate_judged("basic", 1, 55)
    for prompt in ("", "Hello.", attack_request(item, "reference", None)[:-20]):
        assert respondent.respond(prompt, NOTHING) == NO_REQUEST
    mine = {"attacker": 1, "reference_writer": 2, "rubric_writer": 3}[role]
    requests = (request_for(item, "rubric"), reference_request(item), rubric_request("D", "e", "q"))
    declined = [respondent.respond(request, NOTHING) == NO_REQUEST for request in requests]
    assert declined == [place != mine for place in (1, 2, 3)]


def test_steps_or_turns_that_are_none_are_declined():
    for family in ("math", "role_playing"):
        item = JudgedItem("i", family, "d", "s", "i", "q", {"original": "No lines."}, "Ref.")
        assert ATTACKER.respond(attack_request(item, "format", "Thus, all."), NOTHING) == NO_REQUEST


def test_a_rubric_is_written_for_the_domain_with_weights_that_add_up():
    text = make_respondent("rubric_writer").respond(
        rubric_request("Chat", ["x", "y"], ["q", "r"]), NOTHING
    )
    assert text.startswith("Chat Evaluation Rubrics\n1. **")
    weights = [int(line.partition(": ")[2].split("%")[0]) for line in text.split("\n")[1::2]]
    assert sum(weights) == 100
    assert weights == sorted(weights, reverse=True)


@pytest.mark.parametrize("invalid", [-0.1, 1.5, "often", True])
def test_a_rate_out_of_range_is_refused(invalid):
    with pytest.raises(ValueError, match="expected a number between 0 and 1"):
        make_respondent("attacker", {"invalid": invalid})
    with pytest.raises(ValueError, match="unknown parameter 'invalid' of persona 'rubric_writer'"):
        make_respondent("rubric_writer", {"invalid": 0})


def test_the_command_builds_a_dataset_with_all_three_roles(tmp_path):
    out = tmp_path / "attacked.jsonl"
    options = ["basic", "--data", "synthetic", "-n", "6", "--out", str(out)]
    for role in ROLES:
        options += [f"--{role.replace('_', '-')}", f"simulated/{role}"]
    result = CliRunner().invoke(attack_command, options)
    assert result.exit_code == 0, result.output
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 6
    for row in rows:
        assert set(row["attacked"]) == {"reference", "rubric"}
        assert row["rubric"].startswith("synthetic Evaluation Rubrics")
        assert row["reference"].startswith("# Comprehensive treatment")
