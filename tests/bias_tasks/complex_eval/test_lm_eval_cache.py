"""The harness's caches never answer a second judgement, so that the noise is the judge's own."""

import collections
import json

import pytest
from lm_eval.models.openai_completions import LocalChatCompletion

from bias_tasks.harness import task as harness_task
from tests.bias_tasks.complex_eval.answers import facts_of
from tests.bias_tasks.harness_runs import Answering, load, run, values

N = 6
SYNTHETIC = {"data": "synthetic", "n": N}
TASK = "complexeval_writing"
BASIC = "complexeval_basic"


class Rising(Answering):
    """Judges a prompt by 3, and by 9 when it comes again."""

    def __init__(self):
        super().__init__(None)
        self.calls = collections.Counter()

    def generate_until(self, requests, disable_tqdm=False):
        self.requests += requests
        return [self._next(request) for request in requests]

    def _next(self, request):
        self.calls[request.args[0]] += 1
        score = 3 if self.calls[request.args[0]] == 1 else 9
        criteria = facts_of(request.doc)["form"]["criteria"]
        return json.dumps({"scores": dict.fromkeys(criteria, score)})


@pytest.fixture
def cache(tmp_path):
    return {"use_cache": str(tmp_path / "answers")}


def test_both_judgements_are_asked_and_kept(cache):
    first, again = Rising(), Rising()
    before = values(run([TASK], first, options=cache, **SYNTHETIC), TASK)
    after = values(run([TASK], again, options=cache, **SYNTHETIC), TASK)
    assert collections.Counter(first.calls.values()) == {2: N, 1: 4 * N}
    assert again.requests == []
    assert before["asr/original"] == after["asr/original"] == 1
    assert before["asr/format"] == after["asr/format"] == 0


def test_without_a_key_of_its_own_the_noise_would_be_gone(cache, monkeypatch):
    monkeypatch.setattr(harness_task, "asked_afresh", lambda request, name: request)
    run([TASK], Rising(), options=cache, **SYNTHETIC)
    again = Rising()
    results = run([TASK], again, options=cache, **SYNTHETIC)
    assert again.requests == []
    assert values(results, TASK)["asr/original"] == 0


def test_only_the_stop_text_tells_the_second_judgement_from_the_first():
    task = load(TASK, **SYNTHETIC)
    task.build_all_requests()
    for place in range(0, 6 * N, 6):
        first, second, *_ = task.instances[place : place + 6]
        assert second.doc["id"] == f"{first.doc['id']}_2"
        assert second.args[0] == first.args[0]
        assert (first.args[1]["until"], second.args[1]["until"]) == ([], ["<|original_2|>"])
        assert {**first.args[1], "until": None} == {**second.args[1], "until": None}


@pytest.mark.parametrize("until", ["\n", ["a", "b"]])
def test_a_user_s_stop_texts_stay_first(until):
    model = Rising()
    run([TASK], model, options={"gen_kwargs": {"until": until}}, **SYNTHETIC)
    sent = {r.doc["id"].rpartition("/")[2]: r.args[1]["until"] for r in model.requests}
    assert sent["original_2"] == [*until, "<|original_2|>"]
    assert sent["original"] == sent["format"] == until


def test_an_endpoint_is_sent_one_stop_text_more():
    endpoint = LocalChatCompletion(
        base_url="http://127.0.0.1:9/v1", model="x", tokenizer_backend=None
    )
    task = load(TASK, **SYNTHETIC)
    task.build_all_requests()
    bodies = [
        endpoint._create_payload([{"role": "user", "content": context}], gen_kwargs=dict(arguments))
        for context, arguments in (request.args for request in task.instances[:2])
    ]
    assert (bodies[0].pop("stop"), bodies[1].pop("stop")) == ([], ["<|original_2|>"])
    assert bodies[1] == bodies[0]


def test_pairs_and_parts_of_them_share_answers_in_the_cache(cache):
    def answer(doc):
        return json.dumps({"score": 5})

    run([BASIC], Answering(answer), options=cache, **SYNTHETIC)
    again = Answering(answer)
    run([f"{BASIC}_original", f"{BASIC}_rubric"], again, options=cache, **SYNTHETIC)
    assert again.requests == []
