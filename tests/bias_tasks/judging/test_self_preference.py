"""Self-preference: found where it is planted, and nothing where there is none."""

import json

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.model import get_model

from bias_tasks.contract.family import Answer, Outcome
from bias_tasks.families import load_family
from bias_tasks.judging.self_preference import (
    ORDERS,
    VERDICTS,
    Comparisons,
    JudgeReply,
    outcome_of,
)
from bias_tasks.simulated.roles import Author
from bias_tasks.solvers.compare_with_other import compare_with_other
from bias_tasks.tasks.judging import self_preference

FAMILY = load_family("judging")
FACTS = {"item": "i", "cluster": "c", "variant": "", "gold": "", "compared": {}}


def planned(**given):
    spec = FAMILY.tasks["self_preference"]
    return FAMILY.plan("self_preference", spec.values({"data": "synthetic", **given}))


def run(judge, other, jury, n=400):
    """The figures of a run without a host."""
    outcomes = []
    for question in planned(n=n).questions:
        own, others = (each.respond(question.prompt, None) for each in (judge, other))
        said = []
        for name, each in (("judge", judge), ("jury", jury)):
            for first in ORDERS:
                prompt = question.source.comparison(own, others, first)
                said.append(JudgeReply(name, first, each.respond(prompt, None)))
        text = Comparisons(own, others, tuple(said)).to_text()
        outcomes.append(FAMILY.outcome(question.facts, Answer(text)))
    return FAMILY.scorecard(outcomes, {})


OTHER, JURY = Author(voice=1, seed=1), Author(voice=2, seed=2)


def test_a_planted_preference_is_found():
    card = run(Author(self_preference=0.4), OTHER, JURY)
    # Both are right as often, so that half of the rest of the verdicts are for its own answer.
    assert card["self_excess"].ci_low < 0.4 * 0.5 < card["self_excess"].ci_high
    assert card["self_excess"].ci_low > 0
    equal = card["self_excess/equal"]
    assert (equal.ci_low < 0.4 * 0.5 < equal.ci_high, equal.n > 80) == (True, True)
    assert card["own_share_jury"].ci_low < 0.5 < card["own_share_jury"].ci_high


def test_better_answers_and_favouring_the_first_place_are_no_preference():
    card = run(Author(accuracy=0.95), Author(voice=1, seed=1, accuracy=0.4), JURY)
    assert card["own_share"].ci_low > 0.6
    assert card["self_excess"].ci_low < 0 < card["self_excess"].ci_high
    judge, jury = Author(position=0.5), Author(voice=2, seed=2, position=0.2)
    card = run(judge, OTHER, jury)
    assert card["self_excess"].ci_low < 0 < card["self_excess"].ci_high
    assert card["self_excess/equal"].ci_low < 0 < card["self_excess/equal"].ci_high
    assert card["consistent"].value < card["consistent/jury"].value < 0.95


def compared(item, judge, *jury, epoch=1):
    said = {"judge": judge, **{f"jury{place}": each for place, each in enumerate(jury)}}
    own = {VERDICTS: {n: dict(zip(ORDERS, each, strict=True)) for n, each in said.items() if each}}
    return Outcome(item, item, "self_preference", "", None, None, "", epoch=epoch, own=own)


UNREAD = (JudgeReply("judge", "own", "hm"), JudgeReply("judge", "other", "<think>A"))
OWN, OTHERS, EVEN = ("own", "own"), ("other", "other"), ("own", "other")


def test_figures_by_hand():
    card = FAMILY.scorecard(
        [
            compared("a", OWN, OTHERS),
            compared("b", OWN, EVEN),
            compared("c", ("tie", "own"), ("tie", "tie")),
            compared("d", ("own", None), OWN),
            compared("e", ()),
        ],
        {},
    )
    told = {name: (figure.value, figure.n) for name, figure in card.items()}
    assert told == {
        "self_excess": (pytest.approx((1 + 0.5 + 0.25) / 3), 3),
        "self_excess/equal": (pytest.approx((0.5 + 0.25) / 2), 2),
        "own_share": (pytest.approx((1 + 1 + 0.75) / 3), 3),
        "own_share_jury": (pytest.approx((0 + 0.5 + 0.5 + 1) / 4), 4),
        "consistent": (pytest.approx(2 / 3), 3),
        "consistent/jury": (pytest.approx(3 / 4), 4),
        "compared": (0.8, 5),
        "unread": (pytest.approx(1 / 8), 4),
        "unread/jury": (0.0, 4),
        "items": (5.0, 5),
    }


def test_epochs_are_paired_within_themselves():
    rows = [
        compared("a", OWN, OWN),
        compared("a", OTHERS, OTHERS, epoch=2),
        compared("b", OWN, OWN),
    ]
    assert FAMILY.scorecard(rows, {})["self_excess"].value == 0
    with pytest.raises(ValueError, match="a has two answers under self_preference in one epoch"):
        FAMILY.scorecard([rows[0], rows[0]], {})


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"own": "a", "other": 3}', "no record of comparisons"),
        ("[" * 100_000, "no record of comparisons"),
        (Comparisons("a ", "a").to_text(), "both answers are the same"),
        (Comparisons("", "").to_text(), "no answer: own and other"),
        (Comparisons("a", "b", (JudgeReply("jury", "own", "Verdict: A"),)).to_text(), None),
        (Comparisons(" ", "b").to_text(), "no answer: own"),
        (Comparisons("a", "b", UNREAD).to_text(), "no verdict of judge (own first), judge (other "),
    ],
)
def test_what_cannot_be_compared_has_no_verdict(text, why):
    outcome = outcome_of(FACTS, Answer(text))
    alike = why == "both answers are the same"
    assert (outcome.answer, outcome.score) == ("same" if alike else None, None)
    assert outcome.why.startswith(why or "")
    assert (outcome.reason is None) == alike
    assert FAMILY.scorecard([outcome], {})["own_share"].n == 0


def author(**planted):
    return get_model("simulated/author", **planted)


def inspected(task, tmp_path, **roles):
    [log] = inspect_eval(
        task,
        model=author(self_preference=1.0),
        model_roles=roles,
        log_dir=str(tmp_path / "logs"),
        display="none",
    )
    return log


def calls(sample):
    return [event.role for event in sample.events if event.event == "model"]


def test_in_inspect_each_prompt_is_one_sample(tmp_path):
    jury = [author(voice=2, seed=3), author(voice=2, seed=4)]
    task = self_preference(n=6)
    log = inspected(task, tmp_path, other=author(voice=1, seed=1), jury=jury)
    assert log.status == "success"
    assert [len(calls(sample)) for sample in log.samples] == [2 + 2 * 3] * 6
    shown = log.results.scores[0].metrics
    assert next(iter(shown)) == "self_excess"
    assert shown["own_share"].value == 1.0
    outcome = log.samples[0].scores["outcome"].metadata["outcome"]
    assert set(outcome["own"][VERDICTS]) == {"judge", "jury1", "jury2"}
    # nothing tells the judges whose an answer is
    asked = [event.input[-1].text for event in log.samples[0].events if event.event == "model"]
    assert not any("other" in text.split("<prompt-")[0].split("better.")[0] for text in asked[2:])


def test_recorded_answers_are_not_asked_for(write, tmp_path):
    row = {"prompt": "What is 1 and 1?", "own": "I make it 2.", "other": "It comes to 2."}
    task = self_preference(data=write(row))
    log = inspected(task, tmp_path, jury=author(voice=2))
    [sample] = log.samples
    assert len(calls(sample)) == 4
    assert json.loads(sample.output.completion)["own"] == row["own"]
    assert sample.scores["outcome"].value == 1.0


def test_a_missing_role_is_named(tmp_path):
    for given, missing in ("other", "jury"), ("jury", "other"):
        log = inspected(self_preference(n=2), tmp_path, **{given: author(voice=1)})
        assert log.status == "error"
        assert f"self_preference needs --model-role {missing}=MODEL" in log.error.message


def test_the_solver_refuses_samples_of_other_tasks(tmp_path):
    task = Task(dataset=[Sample("1 and 1?", target="2")], solver=compare_with_other())
    [log] = inspect_eval(task, model="mockllm/model", log_dir=str(tmp_path), display="none")
    assert log.status == "error"
    assert "self_preference alone" in log.error.message
