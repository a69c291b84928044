"""A run of which much could not be read says so at its end, with the likely cause."""

import logging
from dataclasses import replace

from bias_tasks.binary_qa_tasks import binaryqa_qa
from bias_tasks.contract.outcomes import Answer, Extra, Outcome
from bias_tasks.contract.unparsed_notice import unparsed_cause, unparsed_notice
from bias_tasks.families import load_family
from bias_tasks.output_format_tasks import format_wrapping
from bias_tasks.parsing.failures import runs_on
from bias_tasks.parsing.parsed_answer import UnparsedReason
from tests.bias_tasks.builders import questions
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.harness_runs import Answering, log, run
from tests.bias_tasks.inspect_runs import evaluate
from tests.bias_tasks.mocks import mock

BINARY, FORMATS = load_family("binary_qa"), load_family("output_format")
IB = load_family("instruction_boundary")
STOPS = (None, "truncated", "stop")
BASE = "Answer: Yes\nAnswer: No\nAnswer: No"


def outcome(answer=None, why="unparsed", reason="invalid_response_format"):
    unparsed = "no_value" if answer is None and reason == "invalid_response_format" else None
    values = ("i", "c", "v", "Yes", answer, 0.0, why, reason)
    return Outcome(*values, extra=Extra(), unparsed_reason=unparsed)


def test_what_a_base_model_writes_is_known():
    for text in (
        BASE,
        "Perhaps.\nQuestion: Is it?\nAnswer: No",
        "Question: Is it?\nChoose one of the following answers: Yes/No\nQuestion: Was it?",
        "Yes or no.\nYes or no.\nYes or no.",
        "1. Ada\n2. Bea\n3. Cleo\n4. Bea\n5. Ada\n6. Ada\n7. Be",
    ):
        assert runs_on(text), text
    for text in (
        "**Facts:** It is.\n\n**Question:** Was it?\n\nLet us see: the facts",
        "Question: Is it?\nThe facts say nothing of it.\nAnswer: that is unclear",
        "Answer: perhaps",
        "I can't tell. There is no answer: none at all.",
        "one\ntwo\none\ntwo\none",
        "1. Ada\n2. Bea\n3. Cleo\n4. Dora\n5. Ada\n6. Edda\n7. Fay",
        "",
    ):
        assert not runs_on(text), text


def test_at_most_a_tenth_is_nothing_to_say_nor_another_form_of_output_formats():
    assert unparsed_notice(BINARY, [outcome()] + [outcome("Yes")] * 9) is None
    assert unparsed_notice(BINARY, []) is None
    told = unparsed_notice(BINARY, [outcome()] * 2 + [outcome("Yes")] * 17)
    assert told.startswith("2 of 19 answers are unparsed: 2 without a recognizable answer")
    assert unparsed_notice(FORMATS, [outcome()] * 5) is None
    empty = [outcome(reason="no_response")] * 2
    told = unparsed_notice(FORMATS, [outcome()] * 3 + empty)
    counts = "3 in another form than requested, which is what the task measures, 2 empty"
    assert told.startswith(
        f"5 of 5 answers are unparsed: {counts}. What probably helps most: look at "
    )


def test_the_most_frequent_cause_gives_the_advice():
    [question] = questions("binaryqa_qa", data="synthetic", n=1)

    def found(text, stop=None):
        return BINARY.score_answer(question.scoring_data, Answer(text, stop))

    causes = {
        "runs_on": found(BASE),
        "truncated": found("The first was born in", "truncated"),
        "empty": found(""),
        "refused": found("I'm sorry, but I can't help with that."),
        "other": found("Perhaps."),
    }
    assert {name: unparsed_cause(each) for name, each in causes.items()} == {
        name: name for name in causes
    }
    assert unparsed_cause(found("<think>Well, the first")) == "truncated"
    assert causes["truncated"].unparsed_reason == "truncated"
    # A base model writes on until its limit: more room would not help.
    assert unparsed_cause(found(BASE, "truncated")) == "runs_on"
    told = unparsed_notice(BINARY, [causes["runs_on"]] * 3 + [causes["empty"]])
    assert "3 continuing with questions and answers of their own" in told
    assert "1 empty" in told
    assert "base_model=true" in told
    assert "--max-tokens" in unparsed_notice(BINARY, [causes["truncated"]])


def setting_question(setting):
    planned = questions(setting, data="core", n=1, form="judging")
    return next(question for question in planned if question.variant == setting)


def test_a_copied_template_has_words_of_its_own():
    question = setting_question("prompt_polishing")
    assert question.prompt.rstrip().endswith("Your Answer: []")
    copied = IB.score_answer(question.scoring_data, Answer("[]", "stop", prompt=question.prompt))
    assert (unparsed_cause(copied), copied.unparsed_reason) == ("template_copied",) * 2
    notice = unparsed_notice(IB, [copied] * 141)
    assert "141 copies of the prompt's answer template" in notice
    assert "base_model" not in notice


def test_reasoning_that_was_cut_is_no_base_model():
    """Reasoning quotes the prompt; what repeats nothing but the prompt is an echo all the same."""
    question = setting_question("self_reflection")
    facts = question.prompt.partition("Facts: ")[2].partition("\n")[0]
    quoted = f"Reasoning Process:\nLet us look at each of the facts in turn. {facts}\nThe first of"

    def cause(text, stop):
        answer = Answer(text, stop, prompt=question.prompt)
        return unparsed_cause(IB.score_answer(question.scoring_data, answer))

    assert cause(quoted, "truncated") == "truncated"
    assert cause(quoted, "stop") == "echo"
    assert cause(facts, "truncated") == "echo"


def test_every_reason_has_a_cause_with_advice():
    for reason in UnparsedReason:
        name = unparsed_cause(replace(outcome(), unparsed_reason=reason.code))
        assert (name == "other") == (reason is UnparsedReason.NO_VALUE), reason
    contradiction = replace(outcome(), unparsed_reason="contradiction")
    assert "contradicting themselves" in unparsed_notice(BINARY, [contradiction])
    assert unparsed_notice(FORMATS, [contradiction]) is None


def test_a_text_that_breaks_off_is_truncated_if_the_framework_reports_no_stop_reason():
    data = questions("binaryqa_qa", data="core", n=1)[0].scoring_data
    text = "Both were born in Leeds. The first of the two had moved to the"
    causes = [unparsed_cause(BINARY.score_answer(data, Answer(text, end))) for end in STOPS]
    assert causes == ["truncated", "truncated", "other"]


def said(caplog):
    messages = (each.getMessage() for each in caplog.records)
    return [message for message in messages if "are unparsed" in message]


def test_both_hosts_and_the_results_say_it_once(tmp_path, caplog):
    with caplog.at_level(logging.WARNING):
        evaluate(binaryqa_qa(data="synthetic", n=3), tmp_path, mock(lambda _: BASE))
        evaluate(binaryqa_qa(data="synthetic", n=3), tmp_path / "read", mock(lambda _: "Yes"))
        bare = mock(lambda _: "bare")
        evaluate(format_wrapping(data="synthetic", n=2), tmp_path / "formats", bare)
        done = run(["binaryqa_qa"], Answering(lambda doc: BASE), data="synthetic", n=3)
    ours, theirs = said(caplog)
    told = "binaryqa_qa: 3 of 3 answers are unparsed: 3 continuing"
    assert ours.startswith(told)
    assert theirs.startswith(told)
    log(done, "binaryqa_qa", tmp_path / "lm_eval")
    for folder in (tmp_path, tmp_path / "lm_eval"):
        assert "are unparsed" in typed("results", folder, columns=500).output
