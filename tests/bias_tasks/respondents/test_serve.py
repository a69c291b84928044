"""The served respondent, asked through the real clients and both hosts' network code."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager

import anthropic
import httpx
import openai
import pytest
from click.testing import CliRunner
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.model import get_model
from inspect_ai.scorer import exact
from inspect_ai.solver import generate
from lm_eval.api.instance import Instance
from lm_eval.models.openai_completions import LocalChatCompletion, LocalCompletionsAPI

from bias_tasks.binary_qa.data.load import load_binary
from bias_tasks.binary_qa.items import VARIANTS
from bias_tasks.binary_qa.prompts.ask import ask_binary
from bias_tasks.instruction_boundary.data.load import load_items
from bias_tasks.instruction_boundary.prompts.ask import ask
from bias_tasks.instruction_boundary.settings import SettingParams
from bias_tasks.respondents.commands import serve
from bias_tasks.respondents.faults import Faults
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.personas import make_respondent
from bias_tasks.respondents.serve import bind, make_app, make_server
from tests.bias_tasks.respondents.items import judging_items

ITEMS = judging_items(40)
PROMPTS = [ask(item, "vanilla", SettingParams()).prompt for item in ITEMS]
NUMBERS = {"True": "1", "False": "2", "Unknown": "3"}
GOLD = [NUMBERS[item.answer] for item in ITEMS]
# Inspect gives up on a garbage body at once (an error, no answer); the harness tries again.
GARBAGE = Faults(error_429=0.05, error_500=0.05, cut=0.05, garbage=0.05, seed=1)
FAULTY = Faults(error_429=0.07, error_500=0.07, cut=0.06, seed=1)


@contextmanager
def serving(persona="perfect", faults=None, log=None, items=ITEMS, planted=None):
    """The base address of a respondent served by a thread."""
    respondent, known = make_respondent(persona, planted or {}), KnownItems(items)
    app = make_app(respondent, persona, known=known, faults=faults or Faults(), log=log)
    ready = threading.Event()
    server = make_server(app, ready.set)
    listening = bind("127.0.0.1", 0)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    assert ready.wait(300)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join(300)
    assert not thread.is_alive()


@pytest.fixture(scope="module")
def address():
    with serving() as address:
        yield address


def user(text):
    return [{"role": "user", "content": text}]


def test_the_openai_client_is_answered(address):
    client = openai.OpenAI(base_url=f"{address}/v1", api_key="none")
    chat = client.chat.completions.create(model="x", messages=user(PROMPTS[1]))
    assert (chat.choices[0].message.content, chat.choices[0].finish_reason) == (GOLD[1], "stop")
    assert chat.usage.prompt_tokens == -(-len(PROMPTS[1]) // 4)
    assert chat.usage.total_tokens == chat.usage.prompt_tokens + chat.usage.completion_tokens
    parts = [{"type": "text", "text": PROMPTS[1]}]
    chat = client.chat.completions.create(
        model="x", messages=[{"role": "system", "content": "Be brief."}, *user(parts)]
    )
    assert chat.choices[0].message.content == GOLD[1]
    plain = client.completions.create(model="x", prompt=PROMPTS[:3])
    assert [choice.text for choice in plain.choices] == GOLD[:3]
    assert [model.id for model in client.models.list()] == ["perfect"]


def test_the_asynchronous_openai_client_is_answered(address):
    async def ask_all():
        async with openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="none") as client:
            calls = [
                client.chat.completions.create(model="x", messages=user(prompt))
                for prompt in PROMPTS
            ]
            return await asyncio.gather(*calls)

    answers = [chat.choices[0].message.content for chat in asyncio.run(ask_all())]
    assert answers == GOLD


def test_the_anthropic_client_is_answered(address):
    client = anthropic.Anthropic(base_url=address, api_key="none")
    message = client.messages.create(
        model="x", max_tokens=100, system="Be brief.", messages=user(PROMPTS[2])
    )
    assert (message.content[0].text, message.stop_reason) == (GOLD[2], "end_turn")
    assert message.usage.output_tokens == 1


def test_answers_are_cut_at_max_tokens():
    with serving("babbler") as address:
        client = openai.OpenAI(base_url=f"{address}/v1", api_key="none")
        for limit in ({"max_tokens": 5}, {"max_completion_tokens": 5}):
            chat = client.chat.completions.create(model="x", messages=user(PROMPTS[0]), **limit)
            [choice] = chat.choices
            assert (len(choice.message.content), choice.finish_reason) == (20, "length")
        claude = anthropic.Anthropic(base_url=address, api_key="none")
        message = claude.messages.create(model="x", max_tokens=5, messages=user(PROMPTS[0]))
        assert (len(message.content[0].text), message.stop_reason) == (20, "max_tokens")
        stopped = client.completions.create(model="x", prompt=PROMPTS[0], stop=["```"])
        assert "```" not in stopped.choices[0].text


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("chat/completions", b"{", "not JSON"),
        ("chat/completions", b"[" * 100_000, "not JSON"),
        ("chat/completions", b"[]", "a JSON object"),
        ("chat/completions", b"{}", "messages must be a list"),
        ("chat/completions", b'{"messages": [1]}', "a role and a content"),
        ("chat/completions", b'{"messages": [{"role": "user"}]}', "a content must be"),
        (
            "chat/completions",
            b'{"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}',
            "only text parts",
        ),
        ("chat/completions", b'{"stream": true}', "stream is not supported"),
        ("chat/completions", b'{"n": 2}', "n is not supported"),
        (
            "chat/completions",
            b'{"messages": [{"role": "user", "content": ""}], "max_tokens": "x"}',
            "max_tokens must be",
        ),
        ("completions", b'{"prompt": [[1, 2]]}', "ids must be those that /tokenize gives"),
        ("completions", b'{"prompt": [[511]]}', "ids must be those that /tokenize gives"),
        ("completions", b'{"prompt": [["a"]]}', "ids must be those that /tokenize gives"),
        ("completions", b'{"prompt": [null]}', "a text, token ids, or a list of either"),
        ("completions", b'{"prompt": "a", "logprobs": 1}', "only together"),
        ("chat/completions", b'{"echo": true, "logprobs": true}', "are for /v1/completions"),
        (
            "completions",
            b'{"prompt": "a", "echo": true, "logprobs": 1, "max_tokens": 5}',
            "must be 0 or 1",
        ),
        ("messages", b'{"messages": []}', "messages must be a list"),
    ],
)
def test_a_wrong_request_is_refused_with_its_reason(address, path, body, message):
    response = httpx.post(f"{address}/v1/{path}", content=body)
    assert response.status_code == 400
    assert message in response.json()["error"]["message"]


def test_faults_come_at_the_asked_shares_and_are_logged(tmp_path):
    log = tmp_path / "requests.jsonl"
    faults = Faults(error_429=0.2, error_500=0.2, cut=0.2, garbage=0.2, seed=7)
    seen = []
    with serving("perfect", faults, log) as address, httpx.Client() as client:
        for prompt, gold in zip(PROMPTS, GOLD, strict=True):
            body = {"messages": user(prompt)}
            try:
                response = client.post(f"{address}/v1/chat/completions", json=body)
            except httpx.RemoteProtocolError:
                seen.append("cut")
                continue
            if response.status_code != 200:
                assert response.headers["retry-after"] == "0"
                seen.append(f"error_{response.status_code}")
            elif response.text.startswith("<"):
                seen.append("garbage")
            else:
                assert response.json()["choices"][0]["message"]["content"] == gold
                seen.append(None)
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    assert [row["fault"] for row in rows] == seen == [faults.of(n) for n in range(len(PROMPTS))]
    assert [json.loads(row["body"])["messages"] for row in rows] == [user(p) for p in PROMPTS]
    assert {row["path"] for row in rows} == {"/v1/chat/completions"}
    assert set(seen) == {None, "error_429", "error_500", "cut", "garbage"}


@pytest.mark.parametrize(
    ("fault", "seen"),
    [("drop", httpx.RemoteProtocolError), ("stall", httpx.ReadTimeout), ("truncated", ValueError)],
)
def test_connections_that_break_give_no_answer(fault, seen):
    with serving("perfect", Faults(**{fault: 1.0})) as address, pytest.raises(seen):
        httpx.post(f"{address}/v1/completions", json={"prompt": "?"}, timeout=0.2).json()


def test_errors_may_say_nothing_of_when_to_come_again():
    with serving("perfect", Faults(error_503=1.0, retry_after=False)) as address:
        response = httpx.post(f"{address}/v1/completions", json={"prompt": PROMPTS[0]})
    assert response.status_code == 503
    assert "retry-after" not in response.headers


def test_fault_shares_come_back_and_can_be_all_or_nothing():
    faults = Faults(error_429=0.1, error_500=0.2, cut=0.3, garbage=0.1)
    drawn = [faults.of(number) for number in range(10_000)]
    for kind, share in (("error_429", 0.1), ("error_500", 0.2), ("cut", 0.3), ("garbage", 0.1)):
        assert abs(drawn.count(kind) / 10_000 - share) < 0.02
    assert {Faults(error_500=1.0).of(number) for number in range(100)} == {"error_500"}
    assert {Faults().of(number) for number in range(100)} == {None}


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ({"cut": 1.1}, "cut=1.1"),
        ({"garbage": -0.1}, "garbage=-0.1"),
        ({"error_429": float("nan")}, "error_429=nan"),
        ({"cut": 0.6, "garbage": 0.6}, r"add up to 1\.2"),
        ({"latency": -1}, "latency=-1"),
    ],
)
def test_wrong_shares_are_refused(shares, message):
    with pytest.raises(ValueError, match=message):
        Faults(**shares)


def run_inspect(address, tmp_path, monkeypatch, **options):
    monkeypatch.setenv("SIM_API_KEY", "none")
    monkeypatch.setenv("SIM_BASE_URL", f"{address}/v1")
    samples = [Sample(input=p, target=g) for p, g in zip(PROMPTS, GOLD, strict=True)]
    [log] = inspect_eval(
        Task(dataset=samples, solver=generate(), scorer=exact()),
        # The client's own retries obey the server's "soon"; Inspect's wait three seconds.
        model=get_model("openai-api/sim/x", memoize=False, max_retries=10),
        log_dir=str(tmp_path),
        display="none",
        log_realtime=False,
        **options,
    )
    return log


def test_inspects_network_model_is_answered(address, tmp_path, monkeypatch):
    log = run_inspect(address, tmp_path, monkeypatch)
    assert log.status == "success"
    assert log.results.scores[0].metrics["mean"].value == 1
    assert sum(usage.output_tokens for usage in log.stats.model_usage.values()) == len(PROMPTS)


def test_inspects_retries_complete_every_sample_in_spite_of_faults(tmp_path, monkeypatch):
    requests = tmp_path / "requests.jsonl"
    with serving("perfect", FAULTY, requests) as address:
        log = run_inspect(address, tmp_path, monkeypatch)
    rows = [json.loads(line) for line in requests.read_text().splitlines()]
    assert {row["fault"] for row in rows} == {None, "error_429", "error_500", "cut"}
    assert len(rows) > len(PROMPTS)
    assert log.status == "success"
    assert [sample.output.completion for sample in log.samples] == GOLD
    assert not any(sample.error for sample in log.samples)


@pytest.mark.parametrize("fault", ["error_500", "garbage"])
def test_a_server_that_always_fails_gives_an_error_and_no_answer(fault, tmp_path, monkeypatch):
    monkeypatch.setenv("SIM_API_KEY", "none")
    with serving("perfect", Faults(**{fault: 1.0})) as address:
        monkeypatch.setenv("SIM_BASE_URL", f"{address}/v1")
        [log] = inspect_eval(
            Task(dataset=[Sample(PROMPTS[0])], solver=generate(), scorer=exact()),
            model=get_model("openai-api/sim/x", memoize=False, max_retries=1),
            max_retries=0,
            log_dir=str(tmp_path),
            display="none",
            log_realtime=False,
        )
    assert log.status == "error"
    assert log.results is None


@pytest.mark.parametrize("faults", [None, GARBAGE], ids=["faultless", "faulty"])
def test_the_harness_network_models_are_answered(faults):
    with serving("perfect", faults) as address:
        for kind, path in (
            (LocalChatCompletion, "chat/completions"),
            (LocalCompletionsAPI, "completions"),
        ):
            model = kind(
                model="x",
                base_url=f"{address}/v1/{path}",
                tokenizer_backend=None,
                num_concurrent=8,
                max_retries=10,
            )
            chat = kind is LocalChatCompletion
            contexts = [model.apply_chat_template(user(p)) if chat else p for p in PROMPTS]
            requests = [
                Instance("generate_until", {}, (context, {"until": [], "max_gen_toks": 50}), n)
                for n, context in enumerate(contexts)
            ]
            assert model.generate_until(requests, disable_tqdm=True) == GOLD


def test_latency_delays_the_response(monkeypatch):
    wait, waited = asyncio.sleep, []

    async def sleep(seconds, *result):
        waited.append(seconds)
        return await wait(min(seconds, 0.1), *result)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    with serving("perfect", Faults(latency=7.5)) as address:
        assert 7.5 not in waited
        httpx.post(f"{address}/v1/completions", json={"prompt": PROMPTS[0]})
    assert waited.count(7.5) == 1


COMMAND = [sys.executable, "-c", "from bias_tasks.respondents.commands import serve; serve()"]


@contextmanager
def command(folder, *options):
    """A served respondent in a process of its own, and its base address."""
    process = subprocess.Popen(
        [*COMMAND, "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    try:
        line = process.stdout.readline()
        assert line.startswith("serving simulated/perfect on http://127.0.0.1:")
        yield process, line.split()[-1]
    finally:
        process.kill()
        process.wait()


def test_the_command_serves_until_it_is_interrupted(tmp_path):
    options = ["-Tdata=synthetic", "-Tn=6", "--persona", "perfect"]
    with command(tmp_path, *options, "-M", "style=final_answer") as (process, address):
        body = {"prompt": "What?\n1. this\n2. that"}
        response = httpx.post(f"{address}/completions", json=body)
        assert response.json()["choices"][0]["text"].startswith("Final Answer: ")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=10)
    assert (process.returncode, out, err) == (0, "stopped\n", "")


def test_the_command_knows_the_items_of_both_families(tmp_path):
    questions = load_binary("synthetic", variants=VARIANTS, n=12, seed=3).items
    statements = load_items("synthetic", form="judging", n=6, seed=3).items
    asked = [
        *((ask_binary(each, name), each.gold(name)) for each in questions for name in VARIANTS),
        *(
            (ask(each, "vanilla", SettingParams()).prompt, NUMBERS[each.answer])
            for each in statements
        ),
    ]
    options = ["--task", "vanilla", "--task", "binaryqa", "-Tdata=synthetic", "-Tform=judging"]
    with (
        command(tmp_path, *options, "-Tn=12", "-Tseed=3", "--persona", "perfect") as (_, address),
        httpx.Client() as client,
    ):
        for prompt, gold in asked:
            response = client.post(f"{address}/completions", json={"prompt": prompt})
            assert response.json()["choices"][0]["text"] == gold


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--cut", "1.5"], "1.5 is not in the range"),
        (["--cut", "0.7", "--garbage", "0.7"], "add up to 1.4, above 1"),
        (["--latency", "-1"], "latency=-1"),
        (["--persona", "nobody"], "unknown persona 'nobody'"),
        (["-M", "adopt"], "-M adopt: expected NAME=VALUE"),
        (["-M", "adopt=2"], "adopt=2: expected a number between 0 and 1"),
        (["-M", "adopt=[1"], "-M adopt=[1"),
        (["-Tdata=nowhere.jsonl"], "nowhere.jsonl"),
        (["-Tsources=ib_choice"], "sources"),
        (["-Tprotocol=none"], "protocol"),
        (["-Tdomains=ethics"], "unknown parameter 'domains'"),
        (["--task", "binaryqa", "-Tdomains=cooking"], "unknown domain 'cooking'"),
        (["--task", "binaryqa", "-Tvariants=original"], "unknown parameter 'variants'"),
        (["--task", "binaryqa", "-Treformulate=dream"], "expected one of given, grammar, skip"),
    ],
)
def test_a_wrong_option_is_one_clear_error(options, message):
    result = CliRunner().invoke(serve, ["--port", "0", "-Tdata=synthetic", *options])
    assert result.exit_code != 0
    assert message in result.output
    assert "Traceback" not in result.output


def test_a_taken_port_is_one_clear_error():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        options = ["--port", port, "-Tdata=synthetic", "-Tn=6"]
        result = CliRunner().invoke(serve, options)
    assert result.exit_code == 1
    assert f"can't listen on 127.0.0.1:{port}" in result.output
    assert "--port" in result.output
