"""What is sent in each mode, to servers on loopback, and what a refused mode costs."""

import json

import pytest
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import choice

from bias_tasks import output_format_tasks as tasks
from bias_tasks.output_format.modes import MODES
from bias_tasks.results.answers import load_all_metrics
from bias_tasks.results.caveats import find_caveats
from bias_tasks.results.find import read_runs
from bias_tasks.scorers.format_gated import format_gated
from bias_tasks.solvers.structured import structured
from tests.bias_tasks.binary_qa.paper_rows import write_jsonl
from tests.bias_tasks.inspect_runs import values
from tests.bias_tasks.loopback import chat_server, error
from tests.bias_tasks.output_format.runs import evaluated

ROW = {"input": "Which?", "options": ["x", "y"], "answer": "B", "answer_type": "option_letter"}
ANSWER = {"enum": ["A", "B"], "type": "string", "description": "answer"}
REASONING = {"type": "string", "description": "reasoning"}
GRAMMAR = 'root ::= "A" | "B"'


def schema(**properties):
    """Return the schema of an object with these properties in their order."""
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


SCHEMAS = {
    "schema": schema(answer=ANSWER),
    "schema_reasoning": schema(reasoning=REASONING, answer=ANSWER),
    "schema_reasoning_last": schema(answer=ANSWER, reasoning=REASONING),
}


def run(tmp_path, model, url, n=1, **options):
    """Return the log of a run of all modes on n items, one call at a time."""
    data = write_jsonl(tmp_path / "items.jsonl", [ROW | {"id": f"i{k}"} for k in range(n)])
    task = tasks.format_structured(data=str(data), order="listed")
    options = {"max_connections": 1, "max_samples": 1, "max_tokens": 50, "max_retries": 0} | options
    return evaluated(task, tmp_path / "logs", model, model_base_url=url, **options)


def sent_fields(requests, common):
    """Return the fields of each request that not every request has, by mode."""
    return {
        mode: {name: value for name, value in request.items() if name not in common}
        for mode, request in zip(MODES, requests, strict=False)
    }


def test_the_fields_that_the_openai_compatible_client_sends(tmp_path, monkeypatch):
    monkeypatch.setenv("LOCAL_API_KEY", "none")
    requests = []
    with chat_server(lambda _: '{"answer": "B"}', requests) as url:
        log = run(tmp_path, "openai-api/local/m", url)
    assert log.status == "success", log.error
    fields = sent_fields(requests, {"model", "messages", "max_tokens", "temperature"})
    assert fields["free"] == fields["json"] == {}
    for mode, expected in SCHEMAS.items():
        sent = fields[mode].pop("response_format")
        assert sent["type"] == "json_schema"
        described = {"name": "answer", "strict": True, "schema": expected, "description": None}
        assert sent["json_schema"] == described
        # JSON objects are equal in any order, but the order of keys changes answers.
        assert [*sent["json_schema"]["schema"]["properties"]] == [*expected["properties"]]
        assert fields[mode] == {}
    tool = fields["tool"]["tools"][0]
    assert tool["function"]["parameters"] == schema(answer=ANSWER)
    assert fields["tool"]["tool_choice"]["function"] == {"name": "answer"}
    assert fields["guided"] == {
        "grammar": GRAMMAR,
        "structured_outputs": {"grammar": GRAMMAR},
        "guided_grammar": GRAMMAR,
    }
    follows = {
        s.metadata["variant"]: values(log)[f"fi/{s.metadata['variant']}"] for s in log.samples
    }
    assert {mode for mode, fi in follows.items() if fi} == {"free", "json", "schema"}


def test_the_fields_that_the_anthropic_client_sends(tmp_path, monkeypatch):
    pytest.importorskip("anthropic")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    requests = []
    content = [{"type": "tool_use", "id": "t", "name": "answer", "input": {"answer": "B"}}]
    body = {
        **{"id": "m", "type": "message", "role": "assistant", "model": "m", "content": content},
        **{"stop_reason": "tool_use", "usage": {"input_tokens": 1, "output_tokens": 7}},
    }
    with chat_server(lambda _: (200, json.dumps(body)), requests) as url:
        log = run(tmp_path, "anthropic/claude-sonnet-4-0", url.removesuffix("/v1"))
    assert log.status == "success", log.error
    fields = sent_fields(requests, {"model", "messages", "max_tokens", "temperature"})
    for mode, expected in SCHEMAS.items():
        sent = fields[mode]["output_format"]["schema"]
        assert [*sent["properties"]] == sent["required"] == expected["required"]
        assert sent["properties"]["answer"]["enum"] == ["A", "B"]
    assert fields["tool"]["tools"][0]["input_schema"] == schema(answer=ANSWER)
    assert fields["tool"]["tool_choice"]["name"] == "answer"
    assert len(requests) == 6  # Anthropic has no grammars: no call
    [tool] = [sample for sample in log.samples if sample.metadata["variant"] == "tool"]
    assert tool.scores["outcome"].answer == "B"
    assert len(tool.messages) == 2  # the tool is never executed
    assert values(log)["tokens/tool"] == 7
    assert values(log)["fi/json"] == 0


def test_a_refused_mode_costs_one_call_and_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("LOCAL_API_KEY", "none")
    requests = []

    def answer(_):
        if "response_format" in requests[-1]:
            return 400, error("response_format is not supported")
        return "B"

    with chat_server(answer, requests) as url:
        log = run(tmp_path, "openai-api/local/m", url, n=4, max_connections=4, max_samples=4)
    assert log.status == "success", log.error
    assert sum("response_format" in request for request in requests) == 3
    assert len(requests) == 4 * 4 + 3
    [sample] = [s for s in log.samples if s.id == "i0/schema"]
    assert sample.scores["outcome"].reason == "unsupported_mode"
    assert "response_format is not supported" in sample.scores["outcome"].explanation
    [read] = read_runs([tmp_path / "logs"])
    caveats = " ".join(find_caveats(load_all_metrics(read)))
    assert "4 in mode schema, which the provider refuses" in caveats
    assert "fi/schema" not in values(log)
    assert values(log)["fi/guided"] == 1


@pytest.mark.parametrize("mode", ["free", "schema", "tool", "guided"])
def test_other_tasks_are_asked_in_a_mode_and_scored_by_their_scorer(mode, tmp_path):
    """The simulated model knows no answer of other tasks: it names the first option."""
    samples = [
        Sample(id="a", input="Which?", choices=["x", "y"], target="A"),
        Sample(id="b", input="Which?", choices=["x", "y"], target="B"),
    ]
    task = Task(dataset=samples, solver=structured(mode), scorer=format_gated(choice()))
    log = evaluated(task, tmp_path, "simulated/first_option")
    assert log.status == "success", log.error
    metrics = {name: m.value for name, m in log.results.scores[0].metrics.items()}
    fits = mode == "free"
    assert (metrics["fi"], metrics["sys"]) == ((1, 0.5) if fits else (0, 0))
    assert "A. x\nB. y" in log.samples[0].messages[0].text
