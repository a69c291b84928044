"""Judging under auxiliary information through lm-eval's own evaluator, as in Inspect."""

import pytest
from inspect_ai import eval as inspect_eval

from bias_tasks.simulated.lm_eval_model import SimulatedLM
from bias_tasks.tasks import complex_eval as tasks
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.harness_runs import run, values

N = 8
SYNTHETIC = {"data": "synthetic", "n": N}
PARTS = [f"complexeval_basic_{part}" for part in ("original", "reference", "rubric")]
ATTENTION, WRITING = "complexeval_attention_limit", "complexeval_writing"
JUDGE = {"accuracy": 0.8, "noise": 0.06, "reference_pull": 0.4, "rubric_pull": 0.3}
JUDGE |= {"abstention": 0.05, "seed": 2}


def judge():
    """A judge of its own for each run: it counts its calls."""
    return SimulatedLM("fair_judge", **JUDGE)


def test_the_same_judge_has_the_same_figures_in_either_host(tmp_path):
    missed = []
    for name, given in (
        ("complexeval_basic", SYNTHETIC | {"theta": 1, "aux": "none,rubric", "attack": "rubric"}),
        ("complexeval_math", SYNTHETIC),
        ("complexeval_role_playing", SYNTHETIC | {"n": 3, "beta": 2.0, "judge": "guarded"}),
        (WRITING, SYNTHETIC),
        (ATTENTION, {"n": 3, "k": [0, 4, 9], "mode": "joint,per_dimension"}),
    ):
        [log] = inspect_eval(
            getattr(tasks, name)(**given),
            model="simulated/fair_judge",
            model_args=JUDGE,
            log_dir=str(tmp_path),
            display="none",
            log_realtime=False,
            max_samples=1,
        )
        assert log.status == "success", log.error
        here, there = inspect_runs.values(log), values(run([name], judge(), **given), name)
        assert here.get("unread", here.get("unread/joint")) < 0.5
        missed += [] if here == pytest.approx(there, abs=1e-9, nan_ok=True) else [(here, there)]
    assert missed == []


@pytest.mark.parametrize("part", PARTS[:2])
def test_a_part_s_figures_are_those_that_it_has_in_the_whole(part):
    """But for p-values, which are adjusted to how many comparisons are made, and what is over all
    conditions: `unread` and the bare `attack_cost`."""
    steady = SimulatedLM("fair_judge", **JUDGE | {"noise": 0})
    results = run(["complexeval_basic", part], steady, **SYNTHETIC)
    whole, alone = (values(results, task) for task in ("complexeval_basic", part))
    over_all = ("outcome", "attack_cost", "attack_cost_ci_low", "attack_cost_ci_high")
    names = [n for n in alone if not n.endswith("_p") and "unread" not in n and n not in over_all]
    assert {name: alone[name] for name in names} == pytest.approx(
        {name: whole[name] for name in names}, nan_ok=True
    )
    aux = part.removeprefix("complexeval_basic_")
    assert (f"attack_cost/none~{aux}" in names) == (aux != "original")
