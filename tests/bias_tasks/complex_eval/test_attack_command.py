"""`bias-tasks attack`: what is asked, what is written, and who made it."""

import json
from dataclasses import replace

import pytest

from bias_tasks.cli import main
from bias_tasks.commands.attack import replies as kept_replies
from bias_tasks.commands.attack.manifest import replies_path
from bias_tasks.commands.model_calls.alone import alone
from bias_tasks.complex_eval.attacks.attack import attack
from bias_tasks.complex_eval.attacks.check import check_attack
from bias_tasks.complex_eval.data.load import load_judged
from bias_tasks.complex_eval.items import (
    JUDGED_KINDS,
    attack_names,
    attacked_response,
    judged_to_dict,
)
from bias_tasks.complex_eval.prompts.attacks import again_request, attack_request
from tests.bias_tasks.complex_eval.attacker_runs import (
    FEATURES,
    Asked,
    bare,
    good_replies,
    manifest,
    read,
    run,
    synthetic,
)


class ProviderError(RuntimeError):
    """What a provider raises."""


@pytest.fixture(autouse=True)
def hurry(monkeypatch):
    monkeypatch.setattr(kept_replies, "PAUSES", (0.0, 0.0))


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.jsonl"


@pytest.mark.parametrize("family", JUDGED_KINDS)
def test_rules_attack_offline(family, out):
    result = run(family, "--data", "synthetic", "-n", 4, "--seed", 3, "--out", out)
    assert result.exit_code == 0, result.output
    items = synthetic(family, 4, seed=3)
    for item, row in zip(items, read(out), strict=True):
        assert row["attacked"] == {n: attack(item, n, seed=3) for n in attack_names(family)}
        made = row.pop("provenance")["attacks"]
        assert made["format" if family != "basic" else "rubric"]["by"] == "rule"
        plain = json.loads(json.dumps(judged_to_dict(item)))
        assert {**row, "attacked": {}} == plain
    assert not out.with_name("out.jsonl.replies.jsonl").exists()


def test_one_process_at_a_time_makes_a_dataset(out):
    arguments = ("basic", "--data", "synthetic", "-n", 2, "--out", out)
    assert run(*arguments).exit_code == 0
    with alone(out, replies_path(out)):
        result = run(*arguments)
    assert f"another process writes {out}" in result.output
    assert run(*arguments).exit_code == 0


def test_the_command_is_there():
    assert "attack" in main.commands


@pytest.mark.parametrize("family", JUDGED_KINDS)
def test_a_model_extracts_and_camouflages(family, out, monkeypatch):
    items = synthetic(family, 3)
    replies = good_replies(items)
    asked = Asked(monkeypatch, replies.__getitem__)
    result = run(family, "--data", "synthetic", "-n", 3, "--out", out, "--attacker", "m")
    assert result.exit_code == 0, result.output
    assert sorted(asked.prompts) == sorted(replies)  # each once
    loaded = load_judged(family, str(out)).items
    assert {item.id for item in loaded} == {item.id for item in items}
    for item in loaded:
        assert set(item.attacked) == set(attack_names(family))
        for name, text in item.attacked.items():
            assert check_attack(item, name, text) is None
    steps = read(out)[0]["provenance"]["attacks"][attack_names(family)[0]]["steps"]
    assert len(steps) == (1 if family == "basic" else 2)
    assert steps[-1]["model"] == "mockllm/m"
    assert steps[-1]["role"] == "attacker"
    assert replies[steps[-1]["prompt"]] == steps[-1]["replies"][0]["output"]
    if family != "basic":
        assert FEATURES in steps[-1]["prompt"]


def test_the_manifest_says_how_and_how_many(out, monkeypatch):
    items = synthetic("math", 4)
    replies = good_replies(items)
    stubborn = attack_request(items[0], "format", FEATURES)

    def answer(prompt):
        return bare(items[0]) if stubborn in prompt else replies[prompt]

    Asked(monkeypatch, answer)
    result = run("math", "--data", "synthetic", "-n", 4, "--out", out, "--attacker", "m")
    assert result.exit_code == 0, result.output
    told = manifest(out)
    assert told["run"]["models"] == {"attacker": "m"}
    assert told["run"]["temperature"] == 0
    assert told["run"]["seed"] == 0
    assert told["run"]["attacks"] == ["format", "solution_fixation"]
    assert told["run"]["data"] == [{"source": "synthetic", "seed": 0, "n": 4}]
    assert set(told["run"]["prompts"]) > {"math/format_extraction", "math/format_camouflage"}
    assert told["results"]["items"] == 4
    assert told["results"]["attacks"]["format"] == {
        "valid": 3,
        "rejected": 1,
        "rejection_rate": 0.25,
        "reasons": {"nothing was changed": 1},
        "lacking": 0,
    }
    assert told["results"]["attacks"]["solution_fixation"]["rejection_rate"] == 0
    assert "1 x nothing was changed" in result.output


def test_a_refused_reply_is_asked_for_again_with_the_reason(out, monkeypatch):
    (item,) = synthetic("math", 1)
    request = attack_request(item, "format", FEATURES)
    good = good_replies([item], ["format"])
    answers = iter(["Sure!", bare(item), good[request]])
    asked = Asked(monkeypatch, lambda p: next(answers) if request in p else good[p])
    arguments = ("--data", "synthetic", "-n", 1, "--biases", "format", "--attacker", "m")
    assert run("math", *arguments, "--out", out).exit_code == 0
    first, second = asked.prompts[2:]
    assert "you replied:\n\nSure!\n\n" in first
    assert "That can't be used: it is not valid JSON" in first
    assert second == again_request(request, bare(item), "nothing was changed")
    step = read(out)[0]["provenance"]["attacks"]["format"]["steps"][1]
    assert step["prompt"] == request
    assert [reply["refused"] for reply in step["replies"][1:]] == ["nothing was changed", None]


def test_three_refusals_reject_the_attack_with_the_reason(out, monkeypatch):
    asked = Asked(monkeypatch, lambda prompt: "I won't.")
    result = run("math", "--data", "synthetic", "-n", 1, "--out", out, "--attacker", "m")
    assert result.exit_code == 1
    assert "no attack is valid" in result.output
    (row,) = read(out)
    made = row["provenance"]["attacks"]["format"]
    assert row["attacked"] == {}
    assert made["rejected"].startswith("it is not valid JSON (")
    assert len(made["steps"][1]["replies"]) == 3
    assert len(asked) == 2 * (1 + 3)


def test_auxiliary_information_that_is_missing_rejects(tmp_path, out, monkeypatch):
    (item,) = synthetic("creative_writing", 1)
    mine = tmp_path / "mine.jsonl"
    mine.write_text(json.dumps(judged_to_dict(replace(item, reference=None))), encoding="utf-8")
    Asked(monkeypatch, good_replies([item]).__getitem__)
    assert run("creative_writing", "--data", mine, "--out", out, "--attacker", "m").exit_code == 0
    (row,) = read(out)
    assert row["provenance"]["attacks"]["format"]["rejected"] == "the item has no reference"
    assert set(row["attacked"]) == {"criteria_loophole", "criteria_entanglement"}


def test_references_are_written_by_item_and_rubrics_by_domain(out, monkeypatch):
    items = synthetic("basic", 4)
    written = {
        item.id: f"# Inventory\n\nThe best answer is number {i}." for i, item in enumerate(items)
    }
    replies = {}
    for item in items:
        completed = replace(item, reference=written[item.id], rubric="Rubrics of mine")
        replies |= good_replies([completed])

    def answer(prompt):
        if prompt.startswith("Write evaluation rubrics"):
            return "Rubrics of mine"
        found = [i for i in items if i.query in prompt]
        if prompt.startswith("Answer the request"):
            return written[found[0].id]
        return replies[prompt]

    asked = Asked(monkeypatch, answer)
    writers = ("--attacker", "a", "--reference-writer", "w", "--rubric-writer", "r")
    result = run("basic", "--data", "synthetic", "-n", 4, "--out", out, *writers)
    assert result.exit_code == 0, result.output
    roles = [role for role, _ in asked]
    assert roles.count("reference_writer") == 4
    assert roles.count("rubric_writer") == len({item.domain for item in items})
    assert roles.count("attacker") == 8
    rubric_request = next(p for role, p in asked if role == "rubric_writer")
    assert "Open QA Evaluation Rubrics" in rubric_request
    assert items[0].query[:100] in rubric_request
    for row in read(out):
        assert row["reference"] == written[row["id"]]
        assert row["rubric"] == "Rubrics of mine"
        assert row["provenance"]["reference"]["model"] == "mockllm/w"
        assert row["provenance"]["rubric"]["role"] == "rubric_writer"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("math", "--attacks", "rubric"), "the attacks of math are format, solution_fixation"),
        (("basic", "--attacks", ","), "nothing: the attacks of basic are reference, rubric"),
        (("math", "--rubric-writer", "m"), "--rubric-writer is for basic"),
        (("role_playing", "--reference-writer", "m"), "the reference of role playing is the book"),
        (("math", "--data", "paper"), "name it with --attacker, or take crude attacks by --rule"),
        (("math", "--rule", "--attacker", "m"), "--rule attacks without a model"),
        (("math", "--data", "none.jsonl"), "cannot read none.jsonl"),
        (("math", "--attacker", "nobody/knows"), "cannot use the model nobody/knows"),
    ],
)
def test_wrong_arguments_are_told_in_one_error(arguments, told, out):
    result = run("--data", "synthetic", *arguments, "--out", out)
    assert result.exit_code != 0
    assert told in " ".join(result.output.split())
    assert not out.exists()


def test_the_last_attempts_are_not_the_first_ones_again(out, monkeypatch):
    """A model that replies the same each time is still asked three times."""
    asked = Asked(monkeypatch, lambda prompt: FEATURES)
    run("math", "--data", "synthetic", "-n", 1, "--out", out, "--attacker", "m")
    assert len(asked) == 2 * (1 + 3)
    assert len(set(asked.prompts)) == 2 * (1 + 2)


def test_the_response_that_is_attacked_is_in_the_prompt():
    for family in JUDGED_KINDS:
        (item,) = synthetic(family, 1)
        for name in attack_names(family):
            shown = attack_request(item, name, FEATURES)
            assert item.responses[attacked_response(item)] in shown


def verdicts(prompt):
    """A checker that takes offence at one word."""
    if "Edited version:" not in prompt:
        return None
    kept = "rests on" not in prompt.partition("Edited version:")[2]
    return json.dumps({"kept": kept, "reason": "It rests: that is new."})


def test_a_checker_rejects_and_says_why(out, monkeypatch):
    asked = Asked(monkeypatch, verdicts)
    arguments = ("--data", "synthetic", "-n", 3, "--checker", "c", "--out", out)
    assert run("math", *arguments).exit_code == 0
    assert {role for role, _ in asked} == {"checker"}
    for row in read(out):
        for name, made in row["provenance"]["attacks"].items():
            (step,) = made["steps"]
            assert step["role"] == "checker"
            rejected = json.loads(step["replies"][0]["output"])["kept"] is False
            assert (name not in row["attacked"]) == rejected
            told = "the checker rejected it: It rests: that is new."
            assert made["rejected"] == (told if rejected else None)
    found = manifest(out)["results"]["attacks"]["solution_fixation"]
    assert found["reasons"] == {"the checker rejected it": found["rejected"]}
    assert found["rejected"] == 3
    assert manifest(out)["run"]["models"] == {"checker": "c"}


def test_a_checker_without_a_verdict_rejects(out, monkeypatch):
    Asked(monkeypatch, lambda prompt: '{"kept": "perhaps"}')
    result = run("math", "--data", "synthetic", "-n", 1, "--checker", "c", "--out", out)
    assert result.exit_code == 1
    made = read(out)[0]["provenance"]["attacks"]["format"]
    assert made["rejected"].startswith("the checker gave no verdict: it is not {")
    assert len(made["steps"][0]["replies"]) == 3
