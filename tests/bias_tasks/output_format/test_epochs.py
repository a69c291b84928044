"""The metrics of output formats through Inspect's epoch reducer, and their cost."""

import pytest
from inspect_ai.model._providers.mockllm import MockLLM
from inspect_ai.scorer import Score
from pytest_inspect_evals.metrics import assert_agreeing_epochs_change_nothing, run_metrics

from bias_tasks.family import Answer, Outcome
from bias_tasks.output_format.family import FAMILY
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.questions import FormatParams, plan_formats, question_from_dict
from bias_tasks.record import Scored
from bias_tasks.scorers.format_gated import gated_figures
from bias_tasks.scorers.outcome import figures
from tests.bias_tasks.effort import growth

FOLLOWED, WRONG, BROKEN = (
    {"follows": follows, "score": score} for follows, score in ((1.0, 1.0), (1.0, 0.0), (0.0, 0.0))
)
SCORED_ALL_THE_SAME = {"follows": 0.0, "score": 1.0}


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    """The host's mock counts tokens with a tokenizer that it downloads; here it counts none."""

    async def no_usage(self, output, input, tools):
        return None

    monkeypatch.setattr(MockLLM, "_ensure_default_usage", no_usage)


def scores(samples, items="ab"):
    """What the scorer says of each sample, in each epoch: an item in one format, then another."""
    asked = [(item, name) for item in items for name in ("bolding", "quoting")]
    return [
        [scored(item, name, shares, epoch) for epoch, shares in enumerate(epochs, start=1)]
        for (item, name), epochs in zip(asked, samples, strict=True)
    ]


def scored(item, name, shares, epoch):
    follows, score = bool(shares["follows"]), shares["score"]
    own = {
        "follows": follows,
        "dataset": "d",
        "prompting": "zs",
        "format": name,
        "category": FORMATS[name].category,
    }
    outcome = Outcome(item, item, name, "g", "a", score, "follows", epoch=epoch, own=own)
    return Score(value=score, metadata=Scored(FAMILY.name, outcome).metadata())


def test_disagreeing_epochs_are_averaged_before_the_figures():
    epochs = [[FOLLOWED, BROKEN], [FOLLOWED, WRONG], [FOLLOWED, FOLLOWED], [BROKEN, BROKEN]]
    result = run_metrics([figures()], scores(epochs))
    assert result["fi/bolding"] == 0.75
    assert result["sys/bolding"] == 0.75
    assert result["est_true/bolding"] == 1
    assert result["fi/quoting"] == 0.5
    assert result["est_true/quoting"] == 0.5
    assert result["bias_f"] == pytest.approx(625)
    assert result["fi/bolding_n"] == result["items"] == 2


def test_published_takes_in_the_score_of_answers_that_do_not_follow():
    epochs = [[FOLLOWED], [FOLLOWED], [SCORED_ALL_THE_SAME], [FOLLOWED]]
    result = run_metrics([figures({"protocol": "published"})], scores(epochs))
    assert result["sys/bolding"] == 1
    assert result["est_true/bolding"] == 2  # both scores, over the one answer that follows


def test_a_wider_margin_of_error_makes_a_format_reliable():
    epochs = [[FOLLOWED], [FOLLOWED], [WRONG], [FOLLOWED]] * 5
    # Half of the items lack an answer that follows, so that the correction leaves some error.
    epochs[2::8] = [[BROKEN]] * len(epochs[2::8])
    samples = scores(epochs, "0123456789")
    narrow = run_metrics([figures()], samples)
    wide = run_metrics([figures({"moe": 0.9})], samples)
    assert (narrow["reliable/bolding"], wide["reliable/bolding"]) == (0, 1)


def test_agreeing_epochs_change_no_figure():
    values = [FOLLOWED, WRONG, BROKEN, FOLLOWED]
    once = [score for [score] in scores([[value] for value in values])]
    assert_agreeing_epochs_change_nothing([figures()], once)
    assert_agreeing_epochs_change_nothing([gated_figures()], values)


def test_gated_figures_have_no_format_in_their_names():
    result = run_metrics([gated_figures()], [[FOLLOWED, BROKEN], [WRONG, WRONG]])
    assert (result["fi"], result["sys"]) == (0.75, 0.25)
    assert result["est_true"] == pytest.approx(1 / 3)
    assert {name.split("_")[0] for name in result} == {"fi", "sys", "est", "reliable", "needed"}


def test_nothing_scored_gives_no_figures():
    assert figures()([]) == gated_figures()([]) == {}


def right(facts):
    """The right answer in its format."""
    question = question_from_dict(facts["question"])
    return FORMATS[question.format].render(question.item.answer, question.item)


def test_answers_in_seven_formats_are_scored_again_in_linear_time():
    def scored(items):
        plan = plan_formats("format_wrapping", FormatParams(), dataset="synthetic", n=items)
        recorded = [(q.facts, right(q.facts)) for q in plan.questions]
        assert len(recorded) == 7 * items

        def again():
            outcomes = [FAMILY.read(facts, Answer(text)) for facts, text in recorded]
            assert FAMILY.scorecard(outcomes, {})["fi/quoting"].value == 1

        return again

    assert growth(scored, 20) < 5
