"""The same yes/no answers give the same figures in Inspect and in lm-eval."""

import json
import math

import pytest
from inspect_ai import eval as inspect_eval

from bias_tasks.binary_qa.plan import ASKED
from bias_tasks.simulated.lm_eval_model import SimulatedLM
from bias_tasks.tasks import binary_qa as tasks
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.harness_runs import run, values

RESPONDENT = {"accuracy": 0.7, "no_lean": 0.2, "negation": 0.3, "abstention": 0.1, "seed": 5}


def figures(name, persona, planted, folder, **parameters):
    """The figures of one respondent in Inspect and in lm-eval."""
    [log] = inspect_eval(
        getattr(tasks, name)(**parameters),
        model=f"simulated/{persona}",
        model_args=planted,
        log_dir=str(folder),
        display="none",
        log_realtime=False,
    )
    assert log.status == "success", log.error
    in_inspect = inspect_runs.values(log)
    return in_inspect, values(run([name], SimulatedLM(persona, **planted), **parameters), name)


@pytest.mark.parametrize("protocol", ["corrected", "published"])
@pytest.mark.parametrize("name", ASKED)
def test_figures_are_equal(name, protocol, tmp_path):
    parameters = {"data": "synthetic", "n": 24, "seed": 3, "protocol": protocol}
    in_inspect, in_lm_eval = figures(name, "steadfast", RESPONDENT, tmp_path, **parameters)
    assert set(in_inspect) == set(in_lm_eval)
    for figure, value in in_inspect.items():
        other = in_lm_eval[figure]
        same = math.isnan(value) and math.isnan(other)
        assert same or abs(value - other) < 1e-9, figure
    assert 0 < in_inspect["f1"] < 1


def test_questions_are_asked_in_the_variants_that_they_have(tmp_path):
    rows = [
        {
            "id": f"q{number}",
            "question": f"Is item {number} here?",
            "answer": ("Yes", "No")[number % 2],
            "reformulations": {
                kind: f"{kind} of {number}?"
                for place, kind in enumerate(("synonym", "polite", "contradictory", "false"))
                if number % (place + 2)
            },
        }
        for number in range(12)
    ]
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    in_inspect, in_lm_eval = figures(
        "binaryqa", "steadfast", RESPONDENT, tmp_path / "logs", data=str(path)
    )
    assert in_inspect == pytest.approx(in_lm_eval, nan_ok=True)
    found = {name: in_inspect[f"coverage/{name}"] for name in ("synonym", "false", "prc", "nrc")}
    assert found == pytest.approx({"synonym": 1 / 2, "false": 9 / 12, "prc": 4 / 12, "nrc": 7 / 12})
    assert in_inspect["acc/synonym_n"] == 6
    assert in_inspect["acc/reversed_n"] == in_inspect["items"] == 12
