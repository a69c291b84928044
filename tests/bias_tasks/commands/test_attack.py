"""`bias-tasks attack`: its requests, the rows that it writes, and their provenance."""

import json
from collections import Counter
from dataclasses import replace

import pytest

from bias_tasks.complex_eval.attack_checks import check_attack
from bias_tasks.complex_eval.data.load import load_judged
from bias_tasks.complex_eval.items import ATTACKS, JUDGED_KINDS
from bias_tasks.complex_eval.prompts.attacks import build_attack_request, build_extraction_request
from tests.bias_tasks.commands.batch_requests import Requests, read, run

FEATURES = "- [Feature 1]: It is short."


def load_core(family, n, seed=0):
    return load_judged(family, "core", n=n, seed=seed).items


def format_reply(item, text):
    """Return an attacked response in the form that the prompt requests."""
    if item.family == "math":
        steps = [line.partition(": ")[2] for line in text.split("\n")]
        return "```json\n" + json.dumps({"steps": steps}) + "\n```"
    return text


def build_replies(items):
    """Return the reply to every prompt of a run: features, and the attacks of the core."""
    replies = {}
    for item in items:
        for name in ATTACKS[item.family]:
            extraction = build_extraction_request(item, name)
            if extraction is not None:
                replies[extraction] = FEATURES
            request = build_attack_request(item, name, FEATURES if extraction else None)
            replies[request] = format_reply(item, item.attacked[name])
    return replies


def attack(family, out, n, *options):
    return run("attack", family, "--data", "core", "-n", n, "--out", out, *options)


@pytest.mark.parametrize("family", JUDGED_KINDS)
def test_a_model_extracts_and_camouflages(family, out, monkeypatch):
    items = load_core(family, 3)
    replies = build_replies(items)
    requests = Requests(monkeypatch, replies.__getitem__)
    result = attack(family, out, 3, "--attacker", "m")
    assert result.exit_code == 0, result.output
    assert set(requests.prompts) == set(replies)
    loaded = load_judged(family, str(out)).items
    assert {item.id for item in loaded} == {item.id for item in items}
    for item in loaded:
        assert set(item.attacked) == set(ATTACKS[family])
        for name, text in item.attacked.items():
            assert check_attack(item, name, text) is None
            assert item.responses[item.attack_target] in build_attack_request(item, name, FEATURES)
    [*extraction, last] = read(out)[0]["provenance"]["attacks"][ATTACKS[family][0]]["steps"]
    assert len(extraction) == (family != "basic")
    assert (last["model"], last["role"]) == ("mockllm/m", "attacker")
    assert replies[last["prompt"]] == last["replies"][0]["output"]
    assert (FEATURES in last["prompt"]) == (family != "basic")


def test_an_attack_that_stays_invalid_is_excluded_and_recorded(out, monkeypatch):
    items = load_core("math", 2)
    good = build_replies(items)
    stubborn = build_attack_request(items[1], "format", FEATURES)
    unchanged = format_reply(items[1], items[1].responses[items[1].attack_target])
    Requests(monkeypatch, lambda prompt: unchanged if stubborn in prompt else good[prompt])
    result = attack("math", out, 2, "--attacker", "m")
    assert result.exit_code == 0, result.output
    valid, rejected = (row["provenance"]["attacks"]["format"] for row in read(out))
    assert (valid["rejected"], rejected["rejected"]) == (None, "nothing was changed")
    assert len(rejected["steps"][1]["replies"]) == 3
    assert set(read(out)[1]["attacked"]) == {"solution_fixation"}
    assert "1 x nothing was changed" in result.output


def test_no_request_is_repeated_and_attacks_in_the_data_stay(out, tmp_path, monkeypatch):
    first, second = load_core("math", 2)
    good = build_replies([first, second])

    def fails(prompt):
        return 1 / 0 if second.reference in prompt else good[prompt]

    requests = Requests(monkeypatch, fails)
    result = attack("math", out, 2, "--attacker", "m", "--max-connections", 1)
    assert (
        result.exit_code,
        "repeat the command to resume" in " ".join(result.output.split()),
    ) == (1, True)
    assert [row["id"] for row in read(out)] == [first.id]
    requests.answer = good.__getitem__
    requests.clear()
    for names in ("solution_fixation", "format", "format,solution_fixation"):
        assert attack("math", out, 2, "--attacker", "m", "--attacks", names).exit_code == 0
    assert len(requests) == len(set(requests)) == 4
    for row in read(out):
        assert {*row["attacked"]} == {*row["provenance"]["attacks"]} == {*ATTACKS["math"]}
    later = tmp_path / "later.jsonl"
    options = ("--data", out, "--attacker", "m", "--attacks", "format")
    assert run("attack", "math", "--out", later, *options).exit_code == 0
    for row, before in zip(read(later), read(out), strict=True):
        assert row["attacked"] == before["attacked"]
        assert {*row["provenance"]["attacks"]} == {"format"}


def test_references_are_written_by_item_and_rubrics_by_domain(out, monkeypatch):
    items = load_core("basic", 4)
    written = {item.id: f"The best answer is number {i}." for i, item in enumerate(items)}
    rubric = "Rubrics of mine"
    replies = build_replies([replace(i, reference=written[i.id], rubric=rubric) for i in items])

    def answer(prompt):
        if prompt.startswith("Write evaluation rubrics"):
            return rubric
        if prompt.startswith("Answer the request"):
            return next(written[item.id] for item in items if item.query in prompt)
        return replies[prompt]

    requests = Requests(monkeypatch, answer)
    writers = ("--attacker", "a", "--reference-writer", "w", "--rubric-writer", "r")
    result = attack("basic", out, 4, *writers)
    assert result.exit_code == 0, result.output
    roles = Counter(role for role, _ in requests)
    domains = {item.domain for item in items}
    assert roles == {"reference_writer": 4, "rubric_writer": len(domains), "attacker": 8}
    assert any(items[0].query[:100] in p for role, p in requests if role == "rubric_writer")
    for row in read(out):
        assert (row["reference"], row["rubric"]) == (written[row["id"]], rubric)
        assert row["provenance"]["reference"]["model"] == "mockllm/w"
        assert row["provenance"]["rubric"]["role"] == "rubric_writer"


def test_a_checker_can_reject_the_attacks_in_the_data(out, monkeypatch):
    """It rejects one attack of each item, and gives no verdict about the last item."""
    *_, last = load_core("math", 3)

    def answer(prompt):
        assert "Every step stands where it stood" in prompt
        if last.query in prompt:
            return "Perhaps."
        kept = not any(item.attacked["format"] in prompt for item in load_core("math", 3))
        return "Yes. Nothing is new." if kept else "No.\nIt is new."

    requests = Requests(monkeypatch, answer)
    result = attack("math", out, 3, "--checker", "c")
    assert result.exit_code == 0
    assert {role for role, _ in requests} == {"checker"}
    *rows, without_verdict = read(out)
    for row in rows:
        attacks = row["provenance"]["attacks"]
        assert attacks["format"]["rejected"] == "the checker rejected it: No. It is new."
        assert attacks["format"]["by"] == "bias-core 2"
        assert attacks["solution_fixation"]["rejected"] is None
        assert set(row["attacked"]) == {"solution_fixation"}
    record = without_verdict["provenance"]["attacks"]["format"]
    assert record["rejected"] == "the checker gave no verdict: it does not say Yes or No"
    assert "2 x the checker rejected it; 1 x the checker gave no verdict" in result.output


def test_wrong_arguments_are_one_error(out):
    wrong = {
        "math --attacker m --attacks rubric": "expected some of format, solution_fixation",
        "basic --attacker m --attacks ,": "nothing: expected some of reference, rubric",
        "math --attacker m --rubric-writer m": "--rubric-writer is for basic",
        "role_playing --attacker m --reference-writer m": "omit it for role_playing",
        "math": "set --attacker to the model that attacks",
        "math --data none.jsonl --attacker m": "cannot read none.jsonl",
        "math --attacker nobody/knows": "cannot use the model nobody/knows",
    }
    for words, message in wrong.items():
        result = run("attack", "--data", "core", *words.split(), "--out", out)
        assert result.exit_code != 0, words
        assert message in " ".join(result.output.split()), words
        assert not out.exists(), words
