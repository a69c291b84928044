"""A plan of another task under probes: the calls that a run makes, before any is made."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai import eval as inspect_eval

from bias_tasks import probe
from bias_tasks.cli import main
from bias_tasks.planning.plan import Asking, plan_task
from bias_tasks.probing.probes import PROBES as EVERY

SUMS = f"{Path(__file__).parents[3]}/examples/sums.py@sums"
PROBES = "order,reflect,paraphrase,polish,few_shot"


def test_the_calls_are_those_that_a_run_makes(tmp_path):
    plan = plan_task("probe", {"task": SUMS, "probes": PROBES, "n": 5}, Asking())
    task = probe(task=SUMS, probes=PROBES, n=5)
    [log] = inspect_eval(task, model="simulated/calculator", log_dir=str(tmp_path), display="none")
    made = sum(event.event == "model" for sample in log.samples for event in sample.events)
    assert plan.of_roles["polisher"].calls == 5
    assert plan.calls.calls + 5 == made == 5 * (3 + 1 + 2 + 2 + 1)
    assert plan.items == 5
    assert plan.precision is None
    assert any("paraphrase of 5" in note for note in plan.notes)


def test_parameters_of_the_probed_task_are_handed_on():
    given = {"task": SUMS.replace("@sums", "@right_sums"), "n": 4, "probes": "typo,paraphrase"}
    assert plan_task("probe", given, Asking()).calls.calls == 4 * 4
    with pytest.raises(ValueError, match="unknown parameter 'm'"):
        plan_task("probe", {**given, "m": 3}, Asking())


def test_the_command_hands_on_to_a_probe_alone():
    run = CliRunner().invoke
    done = run(main, ["plan", "probe", "-T", f"task={SUMS}", "-T", "n=3", "--format", "json"])
    assert done.exit_code == 0, done.output
    # Plain, twice again, and under each probe but paraphrase and language; reflect takes two.
    assert f'"calls": {3 * (3 + len(EVERY) - 1)},' in done.output
    refused = run(main, ["plan", "conformity", "-T", "subject=law"])
    assert refused.exit_code == 1
    assert "-T subject" in refused.output
    unnamed = run(main, ["plan", "probe"])
    assert unnamed.exit_code == 1
    assert "name the task to probe" in unnamed.output
