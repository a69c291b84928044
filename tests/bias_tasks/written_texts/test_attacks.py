"""`make_attacks` and `make_auxiliary`: their requests, and the rows with their provenance."""

import json
from dataclasses import replace

import pytest

from bias_tasks.complex_eval.attack_checks import check_attack
from bias_tasks.complex_eval.data.load import load_judged
from bias_tasks.complex_eval.items import ATTACKS, JUDGED_KINDS
from bias_tasks.complex_eval.prompts.attacks import build_attack_request, build_extraction_request
from bias_tasks.solvers.inspect_api import TaskError
from bias_tasks.written_texts_tasks import make_attacks, make_auxiliary
from tests.bias_tasks.written_texts.writing import Writing, collect

FEATURES = "- [Feature 1]: It is short."


def load_core(family, n):
    return load_judged(family, "core", n=n).items


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


@pytest.mark.parametrize("family", JUDGED_KINDS)
def test_a_model_extracts_and_camouflages(family, out):
    items = load_core(family, 3)
    replies = build_replies(items)
    writing = Writing(make_attacks(family, data="core", n=3), replies.__getitem__)
    assert set(writing.prompts) == set(replies)
    assert writing.log.results.scores[0].metrics["mean"].value == 1
    done, rows = collect(writing.log, to=out)
    assert done.exit_code == 0, done.output
    loaded = load_judged(family, str(out)).items
    assert [row["id"] for row in rows] == [item.id for item in items]
    for item in loaded:
        assert set(item.attacked) == set(ATTACKS[family])
        assert set(item.attackers.values()) == {"mockllm/model"}
        for name, text in item.attacked.items():
            assert check_attack(item, name, text) is None
    [*extraction, last] = rows[0]["provenance"]["attacks"][ATTACKS[family][0]]["steps"]
    assert len(extraction) == (family != "basic")
    assert (last["model"], last["role"]) == ("mockllm/model", "model")
    assert replies[last["prompt"]] == last["replies"][0]["output"]
    assert (FEATURES in last["prompt"]) == (family != "basic")


def test_an_attack_that_stays_invalid_is_excluded_with_its_reason(out):
    items = load_core("math", 2)
    good = build_replies(items)
    stubborn = build_attack_request(items[1], "format", FEATURES)
    unchanged = format_reply(items[1], items[1].responses[items[1].attack_target])

    def answer(prompt):
        return unchanged if stubborn in prompt else good[prompt]

    writing = Writing(make_attacks("math", data="core", n=2), answer)
    retry = f"you replied:\n\n{unchanged}\n\nThat can't be used: nothing was changed. Reply again"
    assert sum(retry in prompt and prompt.endswith(stubborn) for prompt in writing.prompts) == 2
    done, rows = collect(writing.log, to=out)
    valid, rejected = (row["provenance"]["attacks"]["format"] for row in rows)
    assert (valid["rejected"], rejected["rejected"]) == (None, "nothing was changed")
    assert [step["refused"] for step in rejected["steps"][1]["replies"]] == [
        "nothing was changed"
    ] * 3
    assert set(rows[1]["attacked"]) == {"solution_fixation"}
    assert "1 x nothing was changed" in done.output
    # Attacks in the data stay, with their provenance.
    again = Writing(make_attacks("math", data=str(out), attacks="solution_fixation"), answer)
    _, later = collect(again.log, to=out.with_name("later.jsonl"))
    for row, before in zip(later, rows, strict=True):
        assert row["attacked"] == before["attacked"]
        assert {*row["provenance"]["attacks"]} == {*ATTACKS["math"]}


@pytest.mark.parametrize("kind", ["reference", "rubric"])
def test_references_are_written_by_item_and_rubrics_by_domain(kind, out):
    items = load_core("basic", 5)
    first_lines = {"rubric": "Write evaluation rubrics", "reference": "Answer the request"}

    def answer(prompt):
        assert prompt.startswith(first_lines[kind])
        assert any(item.query[:100] in prompt for item in items)
        return f"Number {len(prompt)}"

    writing = Writing(make_auxiliary(kind, data="core", n=5), answer)
    groups = {item.domain if kind == "rubric" else item.id for item in items}
    assert len(writing.requests) == len(groups)
    done, rows = collect(writing.log, to=out)
    assert done.exit_code == 0, done.output
    written = {item.id: item for item in load_judged("basic", str(out)).items}
    for item in items:
        text = getattr(written[item.id], kind)
        assert text.startswith("Number ")
        assert written[item.id] == replace(item, **{kind: text}, source=item.source)
    assert {row["provenance"][kind]["model"] for row in rows} == {"mockllm/model"}
    attacks = Writing(make_attacks(data=str(out), attacks=kind, n=1), lambda prompt: "No.")
    assert any(row[kind] in attacks.prompts[0] for row in rows)
    done, later = collect(attacks.log, to=out.with_name("later.jsonl"))
    assert "no text is valid" in done.output
    assert {*later[0]["provenance"]} == {kind, "attacks"}


def test_a_checker_can_reject_the_attacks_in_the_data(out):
    """It rejects one attack of each item, and gives no verdict about the last item."""
    items = load_core("math", 3)

    def answer(prompt):
        assert "Every step stands where it stood" in prompt
        if items[-1].query in prompt:
            return "Perhaps."
        kept = not any(item.attacked["format"] in prompt for item in items)
        return "Yes. Nothing is new." if kept else "No.\nIt is new."

    task = make_attacks("math", data="core", n=3, existing=True)
    writing = Writing(task, answer, "checker")
    assert {role for role, _ in writing.requests} == {"checker"}
    done, [*rows, without_verdict] = collect(writing.log, to=out)
    for row in rows:
        attacks = row["provenance"]["attacks"]
        assert attacks["format"]["rejected"] == "the checker rejected it: No. It is new."
        assert attacks["format"]["by"] == "bias-core 3"
        assert attacks["solution_fixation"]["rejected"] is None
        assert set(row["attacked"]) == {"solution_fixation"}
    record = without_verdict["provenance"]["attacks"]["format"]
    assert record["rejected"] == "the checker gave no verdict: it does not say Yes or No"
    assert "2 x the checker rejected it; 1 x the checker gave no verdict" in done.output
    assert "existing=true needs --model-role checker" in str(Writing(task, answer).log.error)


@pytest.mark.parametrize(
    ("task", "arguments", "message"),
    [
        (make_attacks, {"family": "math", "attacks": "rubric"}, "expected some of format, sol"),
        (make_attacks, {"attacks": ","}, "nothing: expected some of reference, rubric"),
        (make_attacks, {"family": "maths"}, "expected one of basic, math"),
        (make_attacks, {"n": 0}, "expected an integer of at least 1"),
        (make_auxiliary, {"kind": "rubric", "family": "math"}, "rubric is for basic, not for math"),
        (make_auxiliary, {"family": "role_playing"}, "not for role_playing"),
        (make_attacks, {"data": "none.jsonl"}, "cannot read none.jsonl"),
    ],
)
def test_wrong_arguments_are_one_error(task, arguments, message):
    with pytest.raises(TaskError, match=message):
        task(**{"data": "core", **arguments})
