"""The metrics of output formats through Inspect's epoch reducer, and their cost."""

import pytest
from bias_tasks.design.output_format import FormatParams, plan_formats, question_from_dict
from bias_tasks.scorers.formatted import format_figures
from bias_tasks.scoring.output_format import format_card, format_shares, read_format
from inspect_ai.model._providers.mockllm import MockLLM
from pytest_inspect_evals.metrics import assert_agreeing_epochs_change_nothing, run_metrics

from bias_tasks.output_format.formats import FORMATS
from bias_tasks.scorers.format_gated import gated_figures
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


def facts(item, name):
    category = FORMATS[name].category
    shared = {"item": item, "cluster": item, "dataset": "d", "category": category}
    return {"facts": {**shared, "format": name}}


METADATA = [facts(item, name) for item in "ab" for name in ("bolding", "quoting")]


def test_disagreeing_epochs_are_averaged_before_the_figures():
    epochs = [[FOLLOWED, BROKEN], [FOLLOWED, WRONG], [FOLLOWED, FOLLOWED], [BROKEN, BROKEN]]
    result = run_metrics([format_figures()], epochs, metadata=METADATA)
    assert result["fi/bolding"] == 0.75
    assert result["sys/bolding"] == 0.75
    assert result["est_true/bolding"] == 1
    assert result["fi/quoting"] == 0.5
    assert result["est_true/quoting"] == 0.5
    assert result["bias_f"] == pytest.approx(625)
    assert result["fi/bolding_n"] == result["items"] == 2


def test_published_takes_in_the_score_of_answers_that_do_not_follow():
    epochs = [[FOLLOWED], [FOLLOWED], [SCORED_ALL_THE_SAME], [FOLLOWED]]
    result = run_metrics([format_figures(protocol="published")], epochs, metadata=METADATA)
    assert result["sys/bolding"] == 1
    assert result["est_true/bolding"] == 2  # both scores, over the one answer that follows


def test_a_wider_margin_of_error_makes_a_format_reliable():
    epochs = [[FOLLOWED], [FOLLOWED], [WRONG], [FOLLOWED]] * 5
    metadata = [facts(f"{i}", name) for i in range(10) for name in ("bolding", "quoting")]
    # Half of the items lack an answer that follows, so that the correction leaves some error.
    epochs[2::8] = [[BROKEN]] * len(epochs[2::8])
    narrow = run_metrics([format_figures()], epochs, metadata=metadata)
    wide = run_metrics([format_figures(moe=0.9)], epochs, metadata=metadata)
    assert (narrow["reliable/bolding"], wide["reliable/bolding"]) == (0, 1)


def test_agreeing_epochs_change_no_figure():
    values = [FOLLOWED, WRONG, BROKEN, FOLLOWED]
    assert_agreeing_epochs_change_nothing([format_figures()], values, metadata=METADATA)
    assert_agreeing_epochs_change_nothing([gated_figures()], values)


def test_gated_figures_have_no_format_in_their_names():
    result = run_metrics([gated_figures()], [[FOLLOWED, BROKEN], [WRONG, WRONG]])
    assert (result["fi"], result["sys"]) == (0.75, 0.25)
    assert result["est_true"] == pytest.approx(1 / 3)
    assert {name.split("_")[0] for name in result} == {"fi", "sys", "est", "reliable", "needed"}


def test_nothing_scored_gives_no_figures():
    assert format_figures()([]) == gated_figures()([]) == {}


def test_answers_in_seven_formats_are_scored_again_in_linear_time():
    def scored(items):
        plan = plan_formats("format_wrapping", FormatParams(), dataset="synthetic", n=items)
        recorded = [
            (q.facts(), q.to_dict(), FORMATS[q.format].render(q.item.answer, q.item))
            for q in plan.questions
        ]
        assert len(recorded) == 7 * items

        def again():
            answers = []
            for known, row, text in recorded:
                question = question_from_dict(row)
                answers.append((known, format_shares(question, read_format(question, text))))
            assert format_card(answers)["fi/quoting"].value == 1

        return again

    assert growth(scored, 20) < 5
