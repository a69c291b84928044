"""Parts of the conditions of `complexeval_basic` in lm-eval."""

import pytest

from bias_tasks.simulated.lm_eval_model import SimulatedLM
from tests.bias_tasks.harness_runs import run, values

SYNTHETIC = {"data": "synthetic", "n": 8}
PARTS = [f"complexeval_basic_{part}" for part in ("original", "reference")]
JUDGE = {"accuracy": 0.8, "reference_pull": 0.4, "rubric_pull": 0.3, "abstention": 0.05}


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_the_conditions_has_the_metrics_of_the_whole(part):
    """Exceptions are p-values, which depend on the number of comparisons, and metrics over all
    conditions: `unparsed`, `score_rise` and `attack_acc_drop` without a condition."""
    steady = SimulatedLM("fair_judge", **JUDGE, noise=0, seed=2)
    results = run(["complexeval_basic", part], steady, **SYNTHETIC)
    whole, partial = (values(results, task) for task in ("complexeval_basic", part))
    ends = ("", "_ci_low", "_ci_high", "_n")
    over_all = [f"{name}{end}" for name in ("attack_acc_drop", "score_rise") for end in ends]
    excluded = ("outcome", *over_all)
    names = [
        n for n in partial if not n.endswith("_p") and "unparsed" not in n and n not in excluded
    ]
    assert {name: partial[name] for name in names} == pytest.approx(
        {name: whole[name] for name in names}, nan_ok=True
    )
    aux = part.removeprefix("complexeval_basic_")
    assert (f"attack_acc_drop/none~{aux}" in names) == (aux != "original")
