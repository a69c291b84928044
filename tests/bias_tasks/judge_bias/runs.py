"""Runs of judges without a framework."""

from functools import cache

from tests.bias_tasks.simulated import runs

CONTROLS = "verbosity_control,formatting_control,authority_control"
ALL_PROBES = f"position,verbosity,formatting,authority,{CONTROLS}"


@cache
def simulate_metrics(task, n=60, probes=None, pairs="clear", **traits):
    """The metrics of a simulated judge."""
    selected = {} if pairs == "clear" else {"pairs": pairs}
    traits = {"accuracy": 1.0, **traits}
    return runs.simulate_metrics(task, traits=traits, n=n, probes=probes, **selected)


def select_values(metrics, *prefixes):
    """The values of the metrics whose names have one of the prefixes."""
    return {name: estimate.value for name, estimate in metrics.items() if name.startswith(prefixes)}


def is_near(estimate, truth):
    """Whether a planted value is within the interval's width of the estimate."""
    return abs(estimate.value - truth) <= estimate.ci_high - estimate.ci_low
