"""Simulated judges through the real tasks: what is planted in them comes out."""

import pytest
from inspect_ai import eval as inspect_eval

from bias_tasks.tasks import complex_eval as tasks
from tests.bias_tasks.inspect_runs import values


def figures(task, model, tmp_path, **options):
    options = {
        "display": "none",
        "log_realtime": False,
        "score_display": False,
        "log_dir": str(tmp_path),
    } | options
    [log] = inspect_eval(task, model=f"simulated/{model}", **options)
    assert log.status == "success", log.error
    return values(log)


def test_a_fair_judge_is_right_under_every_condition(tmp_path):
    found = figures(tasks.complexeval_basic(data="synthetic", n=12), "fair_judge", tmp_path)
    assert found["unread"] == 0
    assert {found[name] for name in found if name.startswith("acc/") and "_" not in name} == {1}
    assert found["gain/reference~reference"] == 0


def test_a_reference_pulls_where_it_is_shown(tmp_path):
    task = tasks.complexeval_basic(data="synthetic", n=24, attack="reference", aux="none,reference")
    found = figures(task, "fair_judge", tmp_path, model_args={"reference_pull": 1.0})
    assert found["acc/none~reference"] == 1
    assert found["gain/reference~reference_ci_high"] < 0


def test_a_tunnel_ends_where_it_was_planted(tmp_path):
    task = tasks.complexeval_attention_limit(n=2, k=[0, 3, 6, 9, 12])
    found = figures(task, "tunnel", tmp_path, model_args={"tunnel": 5})
    assert found["found@k=3/joint"] == 3
    assert found["ceiling/joint"] == pytest.approx(5)
    assert found["floor/joint"] == 0
    assert found["unread/joint"] == 0
