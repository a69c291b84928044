"""The harness's caches never answer a repeat, so that self-consistency is the model's own."""

import collections

import pytest
from lm_eval.models.openai_completions import LocalChatCompletion
from sqlitedict import SqliteDict

from tests.bias_tasks.harness_runs import Answering, facts, load, run, values

N = 12
SYNTHETIC = {"data": "synthetic", "n": N}
TASK = "binaryqa_sc"


class Unsteady(Answering):
    """Answers a prompt with Yes the first time, No the second and nothing the third."""

    def __init__(self):
        super().__init__(None)
        self.calls = collections.Counter()

    def generate_until(self, requests, disable_tqdm=False):
        self.requests += requests
        return [self._next(request.args[0]) for request in requests]

    def _next(self, prompt):
        self.calls[prompt] += 1
        return ["Yes", "No", "..."][self.calls[prompt] - 1]


@pytest.fixture
def cache(tmp_path):
    return {"use_cache": str(tmp_path / "answers")}


def answers(results):
    """The answers of each variant."""
    found = collections.defaultdict(set)
    for sample in results["samples"][TASK]:
        found[facts(sample["doc"])["variant"]].add(sample["resps"][0][0])
    return dict(found)


def test_every_repeat_is_asked_and_kept_under_a_key_of_its_own(cache, tmp_path):
    first, again = Unsteady(), Unsteady()
    before = run([TASK], first, options=cache, **SYNTHETIC)
    after = run([TASK], again, options=cache, **SYNTHETIC)
    assert set(first.calls.values()) == {3}
    assert len(first.requests) == 3 * N
    assert again.requests == []
    assert answers(before) == answers(after)
    assert answers(after) == {"original": {"Yes"}, "repeat_2": {"No"}, "repeat_3": {"..."}}
    assert values(after, TASK)["sc"] == values(before, TASK)["sc"] == 0
    with SqliteDict(str(tmp_path / "answers_rank0.db")) as kept:
        assert collections.Counter(kept.values()) == {"Yes": N, "No": N, "...": N}


def test_without_such_keys_the_cache_would_make_every_model_consistent(cache, monkeypatch):
    monkeypatch.setattr("bias_tasks.harness.task.cache_busting", lambda request, name: request)
    assert values(run([TASK], Unsteady(), options=cache, **SYNTHETIC), TASK)["sc"] == 0
    again = Unsteady()
    results = run([TASK], again, options=cache, **SYNTHETIC)
    assert again.requests == []
    assert len({answer for kept in answers(results).values() for answer in kept}) == 1


def test_the_request_cache_keeps_the_keys(tmp_path, monkeypatch):
    monkeypatch.setattr("lm_eval.caching.cache.PATH", str(tmp_path))
    options = {"cache_requests": True}
    models = [Unsteady(), Unsteady()]
    for model in models:
        assert values(run([TASK], model, options=options, **SYNTHETIC), TASK)["sc"] == 0
    assert list(tmp_path.iterdir())
    first, again = ([request.args for request in model.requests] for model in models)
    assert first == again
    assert {tuple(arguments["until"]) for _, arguments in again} == {
        (),
        ("<|repeat_2|>",),
        ("<|repeat_3|>",),
    }


@pytest.mark.parametrize(
    ("until", "stop"),
    [([], ["<|repeat_2|>"]), (["a", "b", "c", "d"], ["a", "b", "c", "d"])],
)
def test_an_endpoint_is_sent_at_most_one_stop_text_more(until, stop):
    """Endpoints take four: a user's own come first, and the key is made before the cut."""
    endpoint = LocalChatCompletion(
        base_url="http://127.0.0.1:9/v1", model="x", tokenizer_backend=None
    )
    task = load(TASK, **SYNTHETIC)
    task.set_config("generation_kwargs", {"until": until}, update=True)
    task.build_all_requests()
    bodies = [
        endpoint._create_payload([{"role": "user", "content": context}], gen_kwargs=dict(arguments))
        for context, arguments in (request.args for request in task.instances[:2])
    ]
    assert bodies[0].pop("stop") == until
    assert bodies[1].pop("stop") == stop
    assert bodies[0] == bodies[1]
