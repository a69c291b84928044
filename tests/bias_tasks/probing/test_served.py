"""A probed task asked over the network: what is planted in a served calculator is found."""

from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.model import get_model

from tests.bias_tasks.inspect_runs import values
from tests.bias_tasks.respondents.test_serve import serving

SUMS = f"{Path(__file__).parents[3] / 'examples' / 'sums.py'}@sums"


def test_what_is_planted_in_a_served_calculator_is_found(tmp_path, monkeypatch):
    planted = {"accuracy": 1.0, "typo": 1.0, "persona": 1.0, "reflect": 1.0}
    with serving("calculator", items=(), planted=planted) as address:
        monkeypatch.setenv("SIM_API_KEY", "none")
        monkeypatch.setenv("SIM_BASE_URL", f"{address}/v1")
        [log] = inspect_eval(
            "bias_tasks/probe",
            task_args={
                "task": SUMS,
                "n": 8,
                "probes": "order,labels,typo,system,persona,suggest,reflect,format",
            },
            model=get_model("openai-api/sim/x", memoize=False),
            log_dir=str(tmp_path),
            display="none",
        )
    assert log.status == "success"
    found = values(log)
    changes = {name: found[f"change/{name}"] for name in log.eval.task_args["probes"].split(",")}
    slips = sum(
        "What number is the sum of" not in sample.input
        for sample in log.samples
        if sample.id.endswith("/typo")
    )
    assert changes.pop("typo") == pytest.approx(-slips / 8)
    assert slips > 0
    assert (changes.pop("persona"), changes.pop("reflect")) == (-1, -1)
    assert set(changes.values()) == {0}
    assert found["score/plain"] == found["same_answer/repeat"] == 1
    assert found["unread"] == 0
