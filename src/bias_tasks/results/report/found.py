"""What a run found, as a sentence that needs no figure explained."""

import math
from typing import Literal, NamedTuple

from bias_tasks.contract.figures import Figure
from bias_tasks.results.cautions import headline_told, largest_part
from bias_tasks.results.run import Run
from bias_tasks.results.tables import interval, number
from bias_tasks.statistics.estimate import Estimate, standard_error
from bias_tasks.statistics.paired_cards import POWER

SMALL = 0.05
"""A bias below it is small: 5 of 100 answers, or 5 points."""


class Finding(NamedTuple):
    """What a run's headline says; `tone` is whether a bias is shown, is shown to be small, or
    neither; `figure` is None where there was nothing to measure."""

    word: str
    tone: Literal["bad", "good", "open"]
    sentence: str
    figure: Estimate | None = None


def finding(run: Run) -> Finding:
    """What a run's headline says, in the words that its family declares for figure and task.

    A bias is FOUND where the 95 % interval leaves out that there is none (a share of answers that
    change: that it is below `SMALL`), and SMALL where the whole interval lies below `SMALL`.
    """
    name = run.headline or ""
    figure, declared = run.metrics.get(name), run.figure(name)
    words = declared.words
    value_told, why, doubt = headline_told(run)
    if figure is None or value_told == "-":
        return Finding("NOTHING", "open", why)
    if doubt:
        why = "plain answers are no better than by chance, so that no change of them says much"
        return Finding(doubt.upper(), "open", why, figure)
    if not words.keys() & {"loss", "rest"}:
        level = words.get("level", f"{name} {{}}").format(number(figure.value))
        bounded = "" if math.isnan(figure.ci_low) else f" ({interval(figure)})"
        return Finding("MEASURED", "open", level + bounded, figure)
    changes = "rest" in words

    def harm(value: float) -> float:
        """How much bias a value of the figure is, below 0 where it is the opposite of one."""
        if changes:
            return 1 - value
        signed = value if declared.better == "lower" else -value
        return signed / 100 if declared.unit == "points" else signed

    value = harm(figure.value)
    low, high = sorted((harm(figure.ci_low), harm(figure.ci_high)))
    gain = value < 0 and "gain" in words
    shown = [100 * (-each if gain else max(each, 0.0)) for each in (value, low, high)]
    part = largest_part(declared, figure.value, run.metrics)
    told = words["gain" if gain else "rest" if changes else "loss"]
    told = told.format(f"{shown[0]:.0f}", part=part)
    if not math.isfinite(low):
        return Finding("NOT SHOWN", "open", f"{told}; the items tell no interval", figure)
    told += f" ({min(shown[1:]):.0f} to {max(shown[1:]):.0f})"
    if high < SMALL:
        return Finding("GAIN" if high < 0 else "SMALL", "good", told, figure)
    if low > (SMALL if changes else 0):
        told += _beside(run, declared, part)
        told = f"{run.spec.bias}: {told}" if run.spec.bias else told
        return Finding("FOUND", "bad", told, figure)
    if not changes:
        least = 100 * abs(harm(POWER * standard_error(figure)))
        told = f"no effect found; one of {math.ceil(least)} points or more would have been"
    return Finding("NOT SHOWN", "open", told, figure)


def _beside(run: Run, declared: Figure, part: str) -> str:
    """What is told of the other figures of a part, such as what a probe does to the score."""
    names = [f"{name}/{part}" for name in declared.by_part[1:]]
    found = [(run.metrics.get(name), run.figure(name)) for name in names]
    return "".join(
        f"; {figure.words['beside'].format(f'{100 * each.value:+.0f}')}"
        for each, figure in found
        if each and "beside" in figure.words and not math.isnan(each.value)
    )
