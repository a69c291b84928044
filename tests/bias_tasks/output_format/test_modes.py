"""Modes of asking: how replies are unpacked, and what the metrics say of planted losses."""

import json
from dataclasses import replace

import pytest

from bias_tasks.contract.outcomes import Answer
from bias_tasks.data.errors import DataError
from bias_tasks.output_format.answer_models import list_labels, order_labels
from bias_tasks.output_format.any_task import mode_question_for_any_task
from bias_tasks.output_format.data.files import parse_row
from bias_tasks.output_format.family import FAMILY, parse_format
from bias_tasks.output_format.items import FormatParams
from bias_tasks.output_format.modes import FREE, MODES
from bias_tasks.output_format.plan_modes import TASK, ModeQuestion, plan_modes
from bias_tasks.simulated.persona import make_simulated_model
from tests.bias_tasks.effort import cpu_limit
from tests.bias_tasks.output_format.runs import make_items

TYPES = ("option_letter", "option_text", "option_set", "text", "number", "binary_list")
ITEMS = {kind: make_items(kind, 2)[1] for kind in (*TYPES, "string_list", "mapping")}
CALL = {"free": False, "tool": True}


def question(mode, kind="option_letter"):
    """Return the question of an item in a mode."""
    item = ITEMS[kind]
    return ModeQuestion(item, mode, FormatParams(), labels=list_labels(item))


def reply(mode, text):
    """Return a reply with a text, or with one tool call in the mode `tool`."""
    return Answer("", tool_calls=(text,)) if mode == "tool" else Answer(text)


def simulate(traits, **values):
    """Return the outcomes of a simulated model."""
    defaults = {"data": "synthetic", "modes": None, "order": "drawn", "seed": 0}
    model = make_simulated_model("steadfast", traits)
    return [
        FAMILY.score_answer(q.scoring_data, reply(q.variant, model.respond(q.prompt, q)))
        for q in plan_modes(TASK, defaults | values, values.pop("n", 100)).questions
    ]


@pytest.mark.parametrize("kind", ITEMS)
def test_each_mode_reads_what_it_writes(kind):
    for mode in MODES.values():
        if not mode.supports(ITEMS[kind]):
            assert mode.name == "guided"
            continue
        asked = question(mode.name, kind)
        text = FAMILY.write_answer(asked.scoring_data(), ITEMS[kind].answer)
        parsed = parse_format(asked.scoring_data(), reply(mode.name, text))
        assert parsed.follows, (mode.name, parsed.explanation)
        outcome = FAMILY.score_answer(asked.scoring_data(), reply(mode.name, text))
        assert outcome.score == 1, mode.name


@pytest.mark.parametrize(
    ("mode", "kind", "answer", "reason"),
    [
        (
            "schema",
            "option_letter",
            '{"answer": "D"}',
            "schema: 'answer': Input should be 'A', 'B'",
        ),
        ("schema", "option_letter", '{"answer": "B", "note": "x"}', "'note': Extra inputs"),
        ("schema", "option_letter", '{"answer": "B"', "not one JSON object"),
        ("schema", "option_letter", "{'answer': 'B'}", "not one JSON object"),
        ("schema", "option_letter", '{"answer": "B", "answer": "C"}', "not one JSON object"),
        ("schema", "option_letter", 'It is {"answer": "B"}', "not one JSON object"),
        ("schema", "option_letter", "", "not one JSON object"),
        ("schema", "option_letter", "[" * 5_000_000, "longer than"),
        ("schema", "option_letter", "[" * 900_000, "not one JSON object"),
        ("schema", "option_letter", '{"answer": ' + "[" * 90_000, "not one JSON object"),
        ("json", "option_letter", "{" * 900_000, "too long or deep"),
        ("guided", "option_letter", "[" * 900_000, "does not fit the grammar"),
        ("guided", "option_letter", "The answer is B.", "does not fit the grammar"),
        ("guided", "option_set", "A, A", "a label occurs twice"),
        ("schema", "option_set", '{"answer": ["A", "A"]}', "a label occurs twice"),
        ("schema", "number", '{"answer": "2"}', "Input should be a valid number"),
        ("schema", "number", '{"answer": NaN}', "finite number"),
        ("schema", "number", '{"answer": 1e999}', "finite number"),
        ("schema", "number", '{"answer": true}', "valid number"),
        ("schema", "binary_list", '{"answer": [1]}', "at least 4 items"),
        ("schema", "mapping", '{"Task": ["a"]}', "'Method': Field required"),
        ("schema_reasoning", "option_letter", '{"answer": "B"}', "'reasoning': Field required"),
        ("free", "option_letter", "It is A or B.", ""),
        ("free", "text", "[" * 900_000, ""),
    ],
)
def test_a_reply_that_does_not_fit_is_a_named_failure(mode, kind, answer, reason):
    data = question(mode, kind).scoring_data()
    with cpu_limit(20, mode):
        outcome = FAMILY.score_answer(data, Answer(answer))
    assert (outcome.answer, outcome.score, outcome.extra.follows) == (None, 0, False)
    assert reason in outcome.explanation
    assert outcome.explanation
    assert outcome.unparsed_reason != "defect"


def test_tool_calls_that_are_not_one_answer_are_named():
    data = question("tool").scoring_data()
    for calls, reason in (
        ((), "0 tool calls instead of one"),
        (('{"answer": "B"}',) * 2, "2 tool calls instead of one"),
        (('{"answer": "B", "x": 1}',), "'x': Extra inputs"),
        (("Error parsing the arguments",), "not one JSON object"),
        (("",), "not one JSON object"),
    ):
        outcome = FAMILY.score_answer(data, Answer('{"answer": "B"}', tool_calls=calls))
        assert (outcome.score, reason in outcome.explanation) == (0, True), outcome.explanation
    called = FAMILY.score_answer(question("json").scoring_data(), reply("tool", '{"answer": "B"}'))
    assert called.explanation.startswith("a tool call instead of an answer")


def test_what_a_mode_cannot_express_is_refused_by_name():
    arguments = {"several": False, "answer": "text", "keys": (), "order": "listed", "seed": 0}
    for mode, changed, message in (
        ("guided", {"options": ()}, "mode guided cannot express a text"),
        ("scheme", {"options": ()}, "did you mean 'schema'"),
        ("schema", {"options": (), "keys": ("a",)}, "keys= for answer=mapping alone"),
        (
            "schema_reasoning",
            {"options": (), "keys": ("reasoning",), "answer": "mapping"},
            "schema_reasoning cannot express a mapping",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            mode_question_for_any_task("s", "Why?", mode, **arguments | changed)
    with pytest.raises(ValueError, match="answer_type"):
        parse_row({"input": "Why?", "answer": "x"})
    with pytest.raises(ValueError, match="each in options: AB"):
        parse_row(
            {"input": "?", "options": ["x", "y"], "answer": ["C"], "answer_type": "option_set"}
        )
    with pytest.raises((ValueError, DataError), match="guide"):
        plan_modes(TASK, {"data": "core", "modes": "guide", "order": "drawn", "seed": 0}, 1)


def test_the_order_of_the_schema_is_drawn_and_recorded():
    item = ITEMS["mapping"]
    orders = {order_labels(item, "drawn", seed) for seed in range(20)}
    assert orders == {("Task", "Method"), ("Method", "Task")}
    assert order_labels(item, "listed", 1) == ("Task", "Method")
    values = {"data": "synthetic", "modes": "schema", "order": "drawn", "seed": 3}
    for first, second in zip(*[iter(plan_modes(TASK, values, 8).questions)] * 2, strict=True):
        assert first.scoring_data.schema_order == second.scoring_data.schema_order
    drawn = replace(question("schema"), labels=("C", "A", "B"))
    schema = MODES["schema"].schema(drawn.item, drawn.scoring_data().schema_order)
    assert schema["properties"]["answer"]["enum"] == ["C", "A", "B"]
    assert MODES["guided"].grammar(drawn.item, drawn.labels) == 'root ::= "C" | "A" | "B"'
    keys = [*MODES["schema_reasoning"].schema(item, ("Method", "Task"))["properties"]]
    assert keys == ["reasoning", "Method", "Task"]
    assert [*MODES["schema_reasoning_last"].schema(item, ("Task",))["properties"]][
        -1
    ] == "reasoning"


def test_planted_losses_are_within_the_intervals():
    traits = {"accuracy": 0.9, "accuracy_schema": 0.5, "accuracy_tool": 0.7, "follow_tool": 0.6}
    metrics = FAMILY.compute_metrics(simulate(traits), {})
    planted = {"json": 0.0, "schema": -0.4, "schema_reasoning": 0.0, "tool": -0.2, "guided": 0.0}
    for mode, change in planted.items():
        metric = metrics[f"est_true_diff/{mode}"]
        assert metric.ci_low <= change <= metric.ci_high, mode
    assert metrics["fi/tool"].ci_low < 0.6 < metrics["fi/tool"].ci_high
    worst = metrics["worst_est_true_diff"]
    assert worst.value == metrics["est_true_diff/schema"].value
    assert worst.ci_low <= -0.4 <= worst.ci_high < 0
    assert metrics["est_true_diff/schema"].p < 0.001 < metrics["est_true_diff/json"].p


def outcome(item, mode, answer, first="A", follows=True):
    """Return the outcome of an answer to an item with options A and B, of which B is correct."""
    row = {"input": item, "options": ["x", "y"], "answer": "B", "answer_type": "option_letter"}
    labels = (first, "AB".replace(first, ""))
    data = ModeQuestion(parse_row(row), mode, FormatParams(), labels=labels).scoring_data()
    text = f"Answer: {answer}" if mode == FREE else json.dumps({"answer": answer})
    return FAMILY.score_answer(data, Answer(text if follows else "?", tokens=8, seconds=0.5))


def test_metrics_and_sentences_of_four_items_by_hand():
    """Of the three items whose answers fit in both modes, one becomes wrong and none right."""
    outcomes = [
        *(outcome(item, FREE, answer) for item, answer in zip("wxyz", "BBAB", strict=True)),
        *(outcome(item, "schema", answer) for item, answer in zip("wxy", "BAA", strict=True)),
        outcome("z", "schema", "B", follows=False),
    ]
    metrics = FAMILY.compute_metrics(outcomes, {})
    expected = {
        "est_true/free": 3 / 4,
        "fi/schema": 3 / 4,
        "sys/schema": 1 / 4,
        "est_true/schema": 1 / 3,
        "est_true_diff/schema": -1 / 3,
        "worst_est_true_diff": -1 / 3,
        "free/or/A": 1 / 4,
        "schema/or/A": 2 / 3,
        "schema/or_diff/A": 1 / 3,
        "schema/or/first": 2 / 3,
        "refusals/schema": 0,
        "cut/schema": 0,
        "tokens/schema": 8,
        "seconds/schema": 0.5,
        "items": 4,
    }
    assert {name: metrics[name].value for name in expected} == pytest.approx(expected)
    assert metrics["est_true_diff/schema"].n == 3
    [sentence] = FAMILY.findings(outcomes, {})
    assert sentence == (
        "in mode schema, 1 of 3 answers become worse and 0 better; the model answers the option "
        "that the schema lists first in 67% of items (free: 25%)"
    )


def test_a_server_that_ignores_the_schema_is_noticed():
    outcomes = [outcome(item, FREE, "B") for item in "wxyz"]
    outcomes += [outcome(item, "schema", "B", follows=False) for item in "wxyz"]
    metrics = FAMILY.compute_metrics(outcomes, {})
    assert metrics["fi/schema"].value == 0
    assert metrics["worst_est_true_diff"].n == 0
    [sentence] = FAMILY.findings(outcomes, {})
    assert sentence == (
        "mode schema: only 0% of 4 answers fit: the server may ignore what enforces it"
    )
