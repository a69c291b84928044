"""Binary question answering through lm-eval's own evaluator: written answers and likelihoods."""

import collections
import itertools
import math

import pytest
from sqlitedict import SqliteDict

from bias_tasks.binary_qa.family import FAMILY
from bias_tasks.binary_qa.items import PAPER_DOMAINS
from bias_tasks.contract.outcomes import Answer
from tests.bias_tasks.binary_qa.paper_rows import write_jsonl
from tests.bias_tasks.builders import questions
from tests.bias_tasks.harness_runs import Answering, run, shown, values

DOMAIN_TASKS = [f"binaryqa_{domain}" for domain in PAPER_DOMAINS]


def mixed(doc):
    """Return a correct, wrong, unparsable or empty answer, depending on the id."""
    answers = [doc["gold"], "Yes", "No", "Yes and no.", "", f"**{doc['gold']}**"]
    return answers[sum(doc["id"].encode()) % len(answers)]


def test_the_mean_of_the_group_equals_the_average_of_one_run_over_all_domains(tmp_path):
    """Every domain has the same weight, whatever its number of questions."""
    rewordings = {
        "synonym": "Is {} scarlet?",
        "polite": "Could you say whether {} is red?",
        "contradictory": "Is {} not red?",
        "false": "Is it false that {} is red?",
    }
    rows = []
    for domain in PAPER_DOMAINS:
        for n in range(24 if domain == "ethics" else 12):  # some are parsed in all variants
            row = {"id": f"{domain}{n}", "domain": domain, "answer": "Yes" if n % 2 else "No"}
            texts = {k: text.format(f"{domain} {n}") for k, text in rewordings.items()}
            row |= {"question": f"Is thing {n} of {domain} red?", "reformulations": texts}
            rows.append(row)
    mine = write_jsonl(tmp_path / "mine.jsonl", rows)
    results = run(["binaryqa_domains"], mixed, data=str(mine))
    tasks = [values(results, task) for task in DOMAIN_TASKS]
    whole = values(run(["binaryqa"], mixed, data=str(mine)), "binaryqa")
    row = shown(results, "binaryqa_domains")
    assert set(row) == {"f1", "delta_recall", "prc", "nrc", "arc"}
    for name, value in row.items():
        by_domain = [task[name] for task in tasks]
        assert len(set(by_domain)) > 1
        assert value == pytest.approx(sum(by_domain) / 5)
        assert value == pytest.approx(whole[f"average/{name}"])
        errors = [results["results"][task][f"{name}_stderr,none"] ** 2 for task in DOMAIN_TASKS]
        error = results["results"]["binaryqa_domains"][f"{name}_stderr,none"]
        assert error == pytest.approx(math.sqrt(sum(errors)) / 5)


def unsteady():
    """Return a model whose answers to the same prompt alternate between Yes and No."""
    answers = collections.defaultdict(lambda: itertools.cycle(["Yes", "No"]))
    return Answering(lambda doc: next(answers[doc["prompt"]]))


@pytest.mark.parametrize(
    "parameters", [{"n": 12}, {"data": "synthetic", "n": 70, "domains": "ethics"}]
)
def test_every_repeat_is_requested_and_cached_under_its_own_key(parameters, tmp_path):
    """Otherwise a cache would answer it, and self-consistency would not be the model's."""
    task, options = "binaryqa_sc", {"use_cache": str(tmp_path / "answers")}
    first, again = unsteady(), unsteady()
    before, after = (run([task], model, options=options, **parameters) for model in (first, again))
    assert len(first.requests) == 3 * parameters["n"]
    assert again.requests == []
    assert values(after, task)["sc"] == values(before, task)["sc"] == 0
    with SqliteDict(str(tmp_path / "answers_rank0.db")) as kept:
        assert len(kept) == 3 * parameters["n"]
    keys = collections.Counter(tuple(request.args[1]["until"]) for request in first.requests)
    assert keys[()] == min(parameters["n"], 60)
    if parameters["n"] == 12:
        assert keys == {(): 12, ("<|repeat_2|>",): 12, ("<|repeat_3|>",): 12}


def towards_gold(doc, continuation):
    return -1.0 if continuation.strip() == doc["gold"] else -1.5


def test_the_likelier_answer_counts_and_a_tie_is_unparsed():
    def run_metrics(likelihood):
        return values(run(["binaryqa_ll"], Answering(likelihood), n=10), "binaryqa_ll")

    names = ("f1", "prc", "nrc", "arc", "unparsed", "delta_recall")
    metrics = run_metrics(towards_gold)
    assert [metrics[name] for name in names] == [1, 1, 1, 1, 0, 0]
    assert not {"sc", "mbs"} & set(metrics)
    metrics = run_metrics(lambda doc, text: -0.5 if text == " Yes" else -0.6)
    assert [metrics[name] for name in names[1:]] == [1, 0, 1, 0, -1]
    for tie in (-2.0, float("-inf"), float("nan")):
        metrics = run_metrics(lambda doc, text, tie=tie: tie)
        assert (metrics["f1"], metrics["unparsed"]) == (0, 1)
        assert math.isnan(metrics["prc"])


def test_likelihoods_give_confidence():
    results = run(["binaryqa_ll"], Answering(towards_gold), n=10)
    metrics = results["configs"]["binaryqa_ll"]["metadata"]["bias_tasks"]["metrics"]
    chance = 1 / (1 + math.exp(-0.5))
    assert metrics["confidence/correct"]["value"] == pytest.approx(chance)
    assert metrics["confidence/wrong"]["value"] is None
    assert metrics["inconsistency_spearman"]["value"] is None  # no question is inconsistent
    data = questions("binaryqa", n=1)[0].scoring_data
    for likelihoods, label, probability in (
        ((-1.0, -3.0), "Yes", 1 / (1 + math.exp(-2))),
        ((-3000.0, -1.0), "No", 0.0),
        ((float("-inf"), -1.0), "No", 0.0),
        ((-1.0, -1.0), None, 0.5),
        ((float("-inf"), float("-inf")), None, None),
    ):
        outcome = FAMILY.score_answer(data, Answer(likelihoods=likelihoods))
        assert outcome.answer == label
        assert outcome.extra.yes_probability == pytest.approx(probability)
