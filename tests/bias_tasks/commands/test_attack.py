"""`bias-tasks attack`: what is asked, what is written, and who made it."""

import json
from collections import Counter
from dataclasses import replace

import pytest

from bias_tasks.complex_eval.attack_checks import check_attack
from bias_tasks.complex_eval.data.load import load_judged
from bias_tasks.complex_eval.items import (
    JUDGED_KINDS,
    attack_names,
    attacked_response,
)
from bias_tasks.complex_eval.prompts.attacks import attack_request, extraction_request
from tests.bias_tasks.commands.asking import Asked, read, run

FEATURES = "- [Feature 1]: It is short."


def core(family, n, seed=0):
    return load_judged(family, "core", n=n, seed=seed).items


def as_reply(item, text):
    """An attacked response as a model is asked to write it."""
    if item.family == "math":
        steps = [line.partition(": ")[2] for line in text.split("\n")]
        return "```json\n" + json.dumps({"steps": steps}) + "\n```"
    return text


def good_replies(items):
    """The reply to every prompt of a run: features, and the core's own attacks."""
    replies = {}
    for item in items:
        for name in attack_names(item.family):
            extraction = extraction_request(item, name)
            if extraction is not None:
                replies[extraction] = FEATURES
            request = attack_request(item, name, FEATURES if extraction else None)
            replies[request] = as_reply(item, item.attacked[name])
    return replies


def attack(family, out, n, *more):
    return run("attack", family, "--data", "core", "-n", n, "--out", out, *more)


@pytest.mark.parametrize("family", JUDGED_KINDS)
def test_a_model_extracts_and_camouflages(family, out, monkeypatch):
    items = core(family, 3)
    replies = good_replies(items)
    asked = Asked(monkeypatch, replies.__getitem__)
    result = attack(family, out, 3, "--attacker", "m")
    assert result.exit_code == 0, result.output
    assert set(asked.prompts) == set(replies)
    loaded = load_judged(family, str(out)).items
    assert {item.id for item in loaded} == {item.id for item in items}
    for item in loaded:
        assert set(item.attacked) == set(attack_names(family))
        for name, text in item.attacked.items():
            assert check_attack(item, name, text) is None
            assert item.responses[attacked_response(item)] in attack_request(item, name, FEATURES)
    [*extraction, last] = read(out)[0]["provenance"]["attacks"][attack_names(family)[0]]["steps"]
    assert len(extraction) == (family != "basic")
    assert (last["model"], last["role"]) == ("mockllm/m", "attacker")
    assert replies[last["prompt"]] == last["replies"][0]["output"]
    assert (FEATURES in last["prompt"]) == (family != "basic")


def test_an_attack_that_stays_invalid_is_left_out_and_the_manifest_tells(out, monkeypatch):
    items = core("math", 2)
    good = good_replies(items)
    stubborn = attack_request(items[1], "format", FEATURES)
    unchanged = as_reply(items[1], items[1].responses[attacked_response(items[1])])
    Asked(monkeypatch, lambda prompt: unchanged if stubborn in prompt else good[prompt])
    result = attack("math", out, 2, "--attacker", "m")
    assert result.exit_code == 0, result.output
    made, rejected = (row["provenance"]["attacks"]["format"] for row in read(out))
    assert (made["rejected"], rejected["rejected"]) == (None, "nothing was changed")
    assert len(rejected["steps"][1]["replies"]) == 3
    assert set(read(out)[1]["attacked"]) == {"solution_fixation"}
    assert "1 x nothing was changed" in result.output


def test_nothing_is_asked_twice_and_what_is_there_stays(out, tmp_path, monkeypatch):
    first, second = core("math", 2)
    good = good_replies([first, second])

    def fails(prompt):
        return 1 / 0 if second.reference in prompt else good[prompt]

    asked = Asked(monkeypatch, fails)
    result = attack("math", out, 2, "--attacker", "m", "--max-connections", 1)
    assert (result.exit_code, "run the same again to go on" in result.output) == (1, True)
    assert [row["id"] for row in read(out)] == [first.id]
    asked.answer = good.__getitem__
    asked.clear()
    for names in ("solution_fixation", "format", "format,solution_fixation"):
        assert attack("math", out, 2, "--attacker", "m", "--attacks", names).exit_code == 0
    assert len(asked) == len(set(asked)) == 4
    for row in read(out):
        assert {*row["attacked"]} == {*row["provenance"]["attacks"]} == {*attack_names("math")}
    later = tmp_path / "later.jsonl"
    given = ("--data", out, "--attacker", "m", "--attacks", "format")
    assert run("attack", "math", "--out", later, *given).exit_code == 0
    for row, before in zip(read(later), read(out), strict=True):
        assert row["attacked"] == before["attacked"]
        assert {*row["provenance"]["attacks"]} == {"format"}


def test_references_are_written_by_item_and_rubrics_by_domain(out, monkeypatch):
    items = core("basic", 4)
    written = {item.id: f"The best answer is number {i}." for i, item in enumerate(items)}
    rubric = "Rubrics of mine"
    replies = good_replies([replace(i, reference=written[i.id], rubric=rubric) for i in items])

    def answer(prompt):
        if prompt.startswith("Write evaluation rubrics"):
            return rubric
        if prompt.startswith("Answer the request"):
            return next(written[item.id] for item in items if item.query in prompt)
        return replies[prompt]

    asked = Asked(monkeypatch, answer)
    writers = ("--attacker", "a", "--reference-writer", "w", "--rubric-writer", "r")
    result = attack("basic", out, 4, *writers)
    assert result.exit_code == 0, result.output
    roles = Counter(role for role, _ in asked)
    domains = {item.domain for item in items}
    assert roles == {"reference_writer": 4, "rubric_writer": len(domains), "attacker": 8}
    assert any(items[0].query[:100] in p for role, p in asked if role == "rubric_writer")
    for row in read(out):
        assert (row["reference"], row["rubric"]) == (written[row["id"]], rubric)
        assert row["provenance"]["reference"]["model"] == "mockllm/w"
        assert row["provenance"]["rubric"]["role"] == "rubric_writer"


def test_a_checker_says_of_the_data_s_own_attacks_whether_they_kept_their_limits(out, monkeypatch):
    """It rejects one attack of each item, and of the last item says nothing that can be read."""
    *_, last = core("math", 3)

    def answer(prompt):
        assert "Every step stands where it stood" in prompt
        if last.query in prompt:
            return "Perhaps."
        kept = not any(item.attacked["format"] in prompt for item in core("math", 3))
        return "Yes. Nothing is new." if kept else "No.\nIt is new."

    asked = Asked(monkeypatch, answer)
    done = attack("math", out, 3, "--checker", "c")
    assert done.exit_code == 0
    assert {role for role, _ in asked} == {"checker"}
    *rows, unsaid = read(out)
    for row in rows:
        made = row["provenance"]["attacks"]
        assert made["format"]["rejected"] == "the checker rejected it: No. It is new."
        assert made["format"]["by"] == "bias-core 1"
        assert made["solution_fixation"]["rejected"] is None
        assert set(row["attacked"]) == {"solution_fixation"}
    made = unsaid["provenance"]["attacks"]["format"]
    assert made["rejected"] == "the checker gave no verdict: it does not say Yes or No"
    assert "2 x the checker rejected it; 1 x the checker gave no verdict" in done.output


def test_wrong_arguments_are_told_in_one_error(out):
    wrong = {
        "math --attacker m --attacks rubric": "expected some of format, solution_fixation",
        "basic --attacker m --attacks ,": "nothing: expected some of reference, rubric",
        "math --attacker m --rubric-writer m": "--rubric-writer is for basic",
        "role_playing --attacker m --reference-writer m": "not for role_playing",
        "math": "name the model that attacks with --attacker",
        "math --data none.jsonl --attacker m": "cannot read none.jsonl",
        "math --attacker nobody/knows": "cannot use the model nobody/knows",
    }
    for words, told in wrong.items():
        result = run("attack", "--data", "core", *words.split(), "--out", out)
        assert result.exit_code != 0, words
        assert told in " ".join(result.output.split()), words
        assert not out.exists(), words
