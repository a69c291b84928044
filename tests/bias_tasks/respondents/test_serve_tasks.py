"""What `bias-tasks serve` knows by `--task` and `-T`: all that the tasks of a run ask."""

import pytest
from click.testing import CliRunner

from bias_tasks.families import FAMILY_NAMES, family_of_task, load_family
from bias_tasks.respondents import commands
from bias_tasks.respondents.judging import UNKNOWN
from bias_tasks.respondents.personas import make_respondent

TASKS = {
    "conformity": {"data": "synthetic", "n": 6, "suggest": "tense"},
    "binaryqa": {"data": "synthetic", "n": 6, "seed": 3},
    "format_list": {"dataset": "synthetic", "n": 6, "formats": "bullet,newline"},
    "complexeval_basic": {"data": "synthetic", "n": 3},
    "complexeval_writing": {"data": "synthetic", "n": 2},
    "complexeval_attention_limit": {"n": 2, "k": "0,3"},
}


def plan(task, values):
    family = family_of_task(task)
    return family.plan(task, family.tasks[task].values(values)).questions


@pytest.fixture
def served(monkeypatch):
    """Serves with options on a port that is taken: its output, and the items it got to know."""

    def run(*options):
        seen = []

        def taken(host, port):
            raise OSError(98, "taken")

        def known(*given):
            seen.append(items_of(*given))
            return seen[0]

        items_of = commands.items_of
        with monkeypatch.context() as patched:
            patched.setattr(commands, "bind", taken)
            patched.setattr(commands, "items_of", known)
            result = CliRunner().invoke(commands.serve, ["--port", "1", *options])
        assert result.exit_code != 0
        assert "Traceback" not in result.output
        return result.output, *seen

    return run


def options_of(task, values):
    return ["--task", task, *(f"-T{name}={value}" for name, value in values.items())]


@pytest.mark.parametrize("task", TASKS)
def test_every_question_of_a_task_is_answered_as_with_its_own_items(task, served):
    output, known = served(*options_of(task, TASKS[task]))
    assert "can't listen" in output
    respondent = make_respondent("perfect")
    for question in plan(task, TASKS[task]):
        own = type(known)(question.known)
        answer = respondent.respond(question.prompt, known)
        assert answer == respondent.respond(question.prompt, own)
        assert answer != UNKNOWN
        if task in ("binaryqa", "conformity"):
            assert known.find(question.prompt) in question.known


def test_a_parameter_goes_to_those_of_the_tasks_that_take_it(served):
    both = [*options_of("binaryqa", {"data": "synthetic"}), "-Tn=4", "--task", "format_mcq"]
    _, known = served(*both, "-T", "dataset=synthetic")
    for question in [
        *plan("binaryqa", {"data": "synthetic", "n": 4}),
        *plan("format_mcq", {"dataset": "synthetic", "n": 4}),
    ]:
        assert known.find(question.prompt) == question.known[0]


def test_other_values_are_other_items(served):
    _, known = served(*options_of("binaryqa", {"data": "synthetic", "n": 4, "seed": 1}))
    others = plan("binaryqa", {"data": "synthetic", "n": 4, "seed": 2})
    assert any(known.find(question.prompt) is None for question in others)


def test_without_a_task_it_knows_what_instruction_boundary_asks(served):
    _, known = served("-T", "data=synthetic", "-T", "n=6")
    for question in plan("instruction_boundary", {"data": "synthetic", "n": 6}):
        assert known.find(question.prompt) in question.known


def test_every_task_of_every_family_can_be_served(served):
    names = [name for family in map(load_family, FAMILY_NAMES) for name in family.tasks]
    chosen = [option for name in names for option in ("--task", name)]
    given = {"data": "synthetic", "dataset": "synthetic", "n": 2, "k": 1}
    output, _ = served(*chosen, *(f"-T{name}={value}" for name, value in given.items()))
    assert "can't listen" in output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--task", "conformty"], "no family has a task 'conformty' (did you mean 'conformity'?)"),
        (["-T", "dta=synthetic"], "-T dta: unknown parameter 'dta': did you mean 'data'?"),
        (["--task", "binaryqa", "-Tform=all"], "The parameters of binaryqa are domains, data,"),
        (
            ["--task", "binaryqa", "--task", "vanilla", "-Tk=1"],
            "The parameters of binaryqa, vanilla",
        ),
        (["-T", "data"], "-T data: expected NAME=VALUE"),
        (["-T", "n=[1"], "-T n=[1: the value can't be read"),
        (["-T", "n=0"], "n=0: expected a whole number from 1 on"),
        (["-T", "form=essay"], "form='essay': expected one of judging, choice, all"),
        (["-T", "data=nowhere.jsonl"], "nowhere.jsonl"),
        (["-T", "data=synthetic", "-T", "sources=ib_choice"], "sources"),
        (["--task", "format_list", "-Tdataset=synthetic", "-Tformats=wrap"], "'wrap'"),
        (["--task", "binaryqa", "-Tdata=synthetic", "-Tdomains=cooking"], "'cooking'"),
    ],
)
def test_a_wrong_option_is_one_clear_error(options, message, served):
    [output] = served(*options)
    assert message in " ".join(output.split())
