"""An answer never ends a run: neither what broke a parser once, nor a parser that is broken."""

import json
import logging

import pytest

from bias_tasks.contract.outcomes import Answer
from bias_tasks.contract.unparsed_notice import DEFECT, unparsed_cause, unparsed_notice
from bias_tasks.data.errors import DataError
from bias_tasks.families import load_family
from bias_tasks.instruction_boundary_tasks import conformity
from bias_tasks.output_format_tasks import format_mcq
from bias_tasks.parsing.answer import AnswerForm
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.builders import questions
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.harness_runs import log, run
from tests.bias_tasks.mocks import mock

BINARY = load_family("binary_qa")
ROMAN = ["(i) and (ii) only", "(i) only", "(ii) only", "neither"]
HOSTILE = {"articles": "the " * 1_000, "brackets": f"A. {ROMAN[0]}"}
BROKEN = "an answer that breaks the parser"
[BINARY_QUESTION] = questions("binaryqa_qa", data="core", n=1)


@pytest.fixture
def roman_items(tmp_path):
    """A file of eight items with options such as MMLU-Pro has."""
    path = tmp_path / "items.jsonl"
    rows = [
        {
            "id": f"q{n}",
            "input": f"Which of {n} hold?",
            "options": ROMAN,
            "answer": "A",
            "answer_type": "option_letter",
        }
        for n in range(8)
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return str(path)


@pytest.fixture
def broken_parser(monkeypatch):
    """A parser that fails on one text."""
    parse = AnswerForm.parse

    def fail(form, visible_text, **options):
        if visible_text == BROKEN:
            raise IndexError("planted " + "x" * 10_000)
        return parse(form, visible_text, **options)

    monkeypatch.setattr(AnswerForm, "parse", fail)


def once(hostile, other="2"):
    """Answers of which the third is hostile."""
    answers = iter([other, other, hostile])
    return lambda _: next(answers, other)


def in_inspect(task, answer, folder):
    done = inspect_runs.evaluate(task, folder, mock(once(answer)), max_connections=1)
    return list(inspect_runs.outcomes(done).values())


def in_lm_eval(task, answer, folder, **metadata):
    done = run([task], once(answer), options={"log_samples": True}, **metadata)
    rows = log(done, task, folder).read_text(encoding="utf-8").splitlines()
    return [json.loads(row)["doc"]["outcome"] for row in rows]


def shown(folder):
    return typed("results", folder, columns=500).output


def test_each_answer_has_an_outcome(tmp_path, roman_items):
    mine = {"data": roman_items, "n": 8}
    parameters = {"data": "core", "n": 8}
    for articles, brackets in (
        (
            in_inspect(conformity(**parameters, form="choice"), HOSTILE["articles"], tmp_path),
            in_inspect(format_mcq(**mine), HOSTILE["brackets"], tmp_path),
        ),
        (
            in_lm_eval("ib_conformity_choice", HOSTILE["articles"], tmp_path, **parameters),
            in_lm_eval("format_mcq", HOSTILE["brackets"], tmp_path, **mine),
        ),
    ):
        assert [outcome["answer"] for outcome in articles].count(None) == 1
        assert len(articles) == len(brackets) == 16
    assert "a parser of bias-tasks fails" not in shown(tmp_path)


def test_a_parser_that_fails_costs_one_answer_which_is_reported(tmp_path, caplog, broken_parser):
    """Whatever the share of such answers is, at the end of the run and in the results."""
    with caplog.at_level(logging.WARNING):
        task = conformity(data="core", n=12, form="choice")
        inspect_scored = in_inspect(task, BROKEN, tmp_path / "inspect")
        parameters = {"data": "core", "n": 12}
        lm_eval_scored = in_lm_eval(
            "ib_conformity_choice", BROKEN, tmp_path / "lm_eval", **parameters
        )
    told = [each.getMessage() for each in caplog.records if "bias-tasks fails" in each.getMessage()]
    assert len(told) == 2
    for scored, folder in ((inspect_scored, "inspect"), (lm_eval_scored, "lm_eval")):
        assert len(scored) == 24
        [broken] = [outcome for outcome in scored if outcome["answer"] is None]
        assert (broken["unparsed_reason"], broken["score"]) == ("defect", 0)
        assert broken["reason"] == "invalid_response_format"
        assert "IndexError('planted xxx" in broken["explanation"]
        assert len(broken["explanation"]) < 500
        output = shown(tmp_path / folder)
        assert "a parser of bias-tasks fails on 1 of 24 answers" in output
        assert "IndexError('planted xxx" in output
        assert "report this defect" in output


def outcome_of(text, **options):
    return BINARY.score_answer(BINARY_QUESTION.scoring_data, Answer(text, "stop", **options))


def test_a_defect_is_named_in_addition_to_other_causes(broken_parser):
    defect = outcome_of(BROKEN)
    assert unparsed_cause(defect) == DEFECT
    assert unparsed_notice(BINARY, [outcome_of("Yes")] * 1_000) is None
    few = unparsed_notice(BINARY, [outcome_of("Yes")] * 999 + [defect])
    assert few.startswith("a parser of bias-tasks fails on 1 of 1,000 answers")
    many = unparsed_notice(BINARY, [outcome_of("")] * 3 + [defect])
    assert many.startswith("4 of 4 answers are unparsed: 3 empty, 1 on which a parser of")
    assert "In addition, a parser of bias-tasks fails on 1 of 4 answers" in many
    most = unparsed_notice(BINARY, [outcome_of("")] + [defect] * 3)
    assert most.count("report this defect") == 1
    assert "3 on which a parser of bias-tasks fails" in most


@pytest.mark.parametrize(
    ("family", "task"),
    [
        ("binary_qa", "binaryqa_qa"),
        ("complex_eval", "complexeval_writing"),
        ("instruction_boundary", "multi_turn"),
        ("judge_bias", "judge_pairwise"),
        ("output_format", "format_mcq"),
    ],
)
def test_every_family_has_an_outcome_of_a_defect(family, task, monkeypatch):
    loaded = load_family(family)
    values = loaded.tasks[task].values({"data": "core", "n": 1})
    questions = loaded.plan(task, values).questions
    answer = Answer("<think>Hm.</think>a text", "stop", prompt=questions[0].prompt)
    score = type(loaded).score_visible_text

    def fail(self, data, answer):
        if answer.text:
            raise RecursionError("planted")
        return score(self, data, answer)

    monkeypatch.setattr(type(loaded), "score_visible_text", fail)
    outcomes = [loaded.score_answer(question.scoring_data, answer) for question in questions]
    parsed = {(outcome.answer, outcome.span, outcome.unparsed_reason) for outcome in outcomes}
    assert parsed == {(None, None, "defect")}
    assert loaded.compute_metrics(outcomes, loaded.tasks[task].metric_options(values))


def test_what_the_text_does_not_cause_is_raised(monkeypatch):
    def fail(self, data, answer):
        raise ValueError("invalid scoring data")

    monkeypatch.setattr(type(BINARY), "score_visible_text", fail)
    with pytest.raises(ValueError, match="invalid scoring data"):
        outcome_of("Yes")

    def miss(self, data, answer):
        if answer.text:
            raise DataError("no such file")

    monkeypatch.setattr(type(BINARY), "score_visible_text", miss)
    with pytest.raises(DataError):
        outcome_of("Yes")


def test_a_grader_s_reply_does_not_end_a_run_either(broken_parser):
    data, answer = BINARY_QUESTION.scoring_data, Answer("perhaps", "stop")
    assert BINARY.score_verdict(data, answer, "Yes").answer == "Yes"
    assert BINARY.score_verdict(data, answer, BROKEN) is None
    unreadable = BINARY.score_verdict(data, Answer(BROKEN, "stop"), "UNREADABLE")
    assert unreadable.unparsed_reason == "defect"
