"""Which design tells two judges with different biases apart, at equal calls?

A judge perceives a response as quality + effect of the condition + bias + noise, on the scale from
1 to 10. Scores are rounded and clipped; a verdict is a tie if the perceived difference is small.
Two judges read the same responses, perceive their qualities alike, and differ in their bias: under
every probe, or under one of them. The study counts how often a paired test finds the difference of
the mean over probes, and of the largest of them (p < 0.05, with the standard error of the runs).

    python -m benchmarks.coverage.judge_power  # one minute; prints to the screen
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
from scipy.stats import norm

RUNS = 1000
"""Simulated pairs of judges per row."""
BIASES = ((0.1, 0.3), (0.2, 0.5))
"""Mean biases of the two judges in points."""
NOISE = {"weak": 0.8, "strong": 0.4}
"""Standard deviation of a judge's noise in one call, in points."""
QUALITY, GAP, EFFECT = 1.5, 1.0, 0.5
"""Standard deviations of the quality of responses, of the lead of the better one (its mean is 1.5),
and of what an edit or a text in the prompt does to the perceived quality of one response."""
NEAR_TIE = 0.3
"""Standard deviation of the difference of quality in a near tie."""
TIE_BAND = {"weak": 0.2, "strong": 0.4}
"""Half the width of the differences that a judge calls a tie."""
BIAS_SPREAD = 0.5
"""Standard deviation of the bias between responses, as a share of the mean bias."""
AGREEMENT = 0.5
"""Share of the variance of effects that the two judges have in common."""
PROBES = 3
Floats = np.ndarray
Sample = Callable[[np.random.Generator, int, str, tuple[float, float]], tuple[Floats, Floats]]


def main() -> None:
    """Print for each design and pair of biases how often the difference is found."""
    print("| design | judges | biases | calls | mean found | MDE | in points | max found | MDE |")
    print("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, (sample, calls_per_item, calls) in DESIGNS.items():
        for kind, biases, in_one in product(NOISE, BIASES, (False, True)):
            rates = measure(sample, kind, biases, calls // calls_per_item, in_one=in_one)
            suffix = " (one probe)" if in_one else ""
            cells = "{:.0%} | {:.3f} | {:.2f} | {:.0%} | {:.3f}".format(*rates)
            print(f"| {name} | {kind} | {biases[0]:g}, {biases[1]:g}{suffix} | {calls} | {cells} |")


def measure(
    sample: Sample, kind: str, biases: tuple[float, float], items: int, *, in_one: bool
) -> tuple[float, float, float, float, float]:
    """Return how often a difference is found, and the differences found in 80 % of runs.

    Args:
        sample: Draws the values of both judges, items by probes.
        kind: Key of `NOISE`.
        biases: The biases of the judges.
        items: Number of items.
        in_one: Whether the second judge has the first one's bias under all probes but one.

    Returns:
        The share found and the MDE of the mean over probes, that MDE as a difference of biases, and
        the share found and the MDE of the largest.
    """
    rng = np.random.default_rng([items, in_one, *(round(100 * bias) for bias in biases)])
    means, largest = [], []
    for _ in range(RUNS):
        first, second = (values.mean(axis=0) for values in sample(rng, items, kind, biases))
        if in_one:
            unbiased, _ = (v.mean(axis=0) for v in sample(rng, items, kind, biases))
            second = np.concatenate([second[:1], unbiased[1:]])
        means.append(second.mean() - first.mean())
        largest.append(second.max() - first.max())
    z = norm.ppf(0.975) + norm.ppf(0.8)
    mde, mde_largest = z * np.std(means), z * np.std(largest)
    found, found_largest = (
        float(np.mean(np.abs(values) > norm.ppf(0.975) * np.std(values)))
        for values in (means, largest)
    )
    in_points = mde * (biases[1] - biases[0]) / np.mean(means)
    return found, float(mde), float(in_points), found_largest, float(mde_largest)


def perceive(rng: np.random.Generator, kind: str, quality: Floats) -> Floats:
    """Return what a judge perceives in one call per quality."""
    return quality + NOISE[kind] * rng.standard_normal(quality.shape)


def to_score(perceived: Floats) -> Floats:
    """Return the whole score from 1 to 10."""
    return np.clip(np.round(perceived), 1, 10)


def draw_effects(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Return effects on perceived quality for both judges, which have a part in common."""
    common = rng.standard_normal(shape)
    own = [rng.standard_normal(shape) for _ in range(2)]
    mix = AGREEMENT**0.5
    first, second = (EFFECT * (mix * common + (1 - AGREEMENT) ** 0.5 * one) for one in own)
    return first, second


def draw_bias(rng: np.random.Generator, bias: float, shape: tuple[int, ...]) -> Floats:
    """Return the bias on each response."""
    return bias * (1 + BIAS_SPREAD * rng.standard_normal(shape))


def basic_scores(
    rng: np.random.Generator, n: int, kind: str, biases: tuple[float, float]
) -> list[tuple[Floats, Floats]]:
    """Return scores of the better and of the worse responses of `complexeval_basic` by judge.

    Worse responses have the axes item, attack, attacked (no, yes), and with its text (no, yes).
    """
    better = 6.5 + QUALITY * rng.standard_normal(n)
    worse = (better - 1.5 - GAP * rng.standard_normal(n))[:, None, None, None]
    attack, aux = draw_effects(rng, (n, 2, 1, 1)), draw_effects(rng, (n, 2, 1, 1))
    aux_better = draw_effects(rng, (n, 2))
    step = np.array([0.0, 1.0])
    judges = []
    for judge, bias in enumerate(biases):
        shown = step[None, None, None, :]
        attacked = step[None, None, :, None]
        pull = draw_bias(rng, bias, (n, 2, 1, 1))
        quality = worse + attacked * attack[judge] + shown * (aux[judge] + attacked * pull)
        scores = to_score(perceive(rng, kind, quality))
        with_text = to_score(perceive(rng, kind, better[:, None] + aux_better[judge]))
        judges.append((with_text, scores))
    return judges


def score_rise(
    rng: np.random.Generator, n: int, kind: str, biases: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Return `score_rise` of each item and attack by judge."""
    rises = []
    for _, s in basic_scores(rng, n, kind, biases):
        rise = s[:, :, 1, 1] - s[:, :, 0, 1] - (s[:, :, 1, 0] - s[:, :, 0, 0])
        rises.append(rise)
    return rises[0], rises[1]


def attack_acc_drop(
    rng: np.random.Generator, n: int, kind: str, biases: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Return `attack_acc_drop` of each item and attack by judge."""
    drops = []
    for better, s in basic_scores(rng, n, kind, biases):
        right = [better > s[:, :, attacked, 1] + 0.5 for attacked in (0, 1)]
        drops.append(right[0].astype(float) - right[1])
    return drops[0], drops[1]


def pairwise_near(
    rng: np.random.Generator, n: int, kind: str, biases: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Return the `edited_shift` of each probe on each near tie by judge."""
    return _pairwise(rng, n, kind, biases, both=True)


def pairwise_clear(
    rng: np.random.Generator, n: int, kind: str, biases: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Return the `preference_shift` of each probe on each clear pair by judge."""
    return _pairwise(rng, n, kind, biases, both=False)


def _pairwise(
    rng: np.random.Generator, n: int, kind: str, biases: tuple[float, float], *, both: bool
) -> tuple[Floats, Floats]:
    gap = NEAR_TIE * rng.standard_normal(n) if both else -1.5 - GAP * rng.standard_normal(n)
    effects = [draw_effects(rng, (n, PROBES)) for _ in range(2)]
    shifts = []
    for judge, bias in enumerate(biases):
        one, other = (draw_bias(rng, bias, (n, PROBES)) + e[judge] for e in effects)
        edited_one = prefer(rng, kind, gap[:, None] + one)
        if both:
            shift = (edited_one - prefer(rng, kind, gap[:, None] - other)) / 2
        else:
            shift = edited_one - prefer(rng, kind, gap)[:, None]
        shifts.append(shift)
    return shifts[0], shifts[1]


def prefer(rng: np.random.Generator, kind: str, difference: Floats) -> Floats:
    """Return the preference for the first response: 1, 0.5 for a tie, or 0."""
    # The noise of two perceptions.
    lead = difference + 2**0.5 * NOISE[kind] * rng.standard_normal(difference.shape)
    return np.where(np.abs(lead) <= TIE_BAND[kind], 0.5, (lead > 0).astype(float))


def single(
    rng: np.random.Generator, n: int, kind: str, biases: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Return the `edited_score_shift` of each probe on each response by judge."""
    quality = 6 + QUALITY * rng.standard_normal(n)
    effects = draw_effects(rng, (n, PROBES))
    shifts = []
    for judge, bias in enumerate(biases):
        edited = quality[:, None] + draw_bias(rng, bias, (n, PROBES)) + effects[judge]
        before = to_score(perceive(rng, kind, quality))
        shifts.append(to_score(perceive(rng, kind, edited)) - before[:, None])
    return shifts[0], shifts[1]


DESIGNS: dict[str, tuple[Sample, int, int]] = {
    "`score_rise`": (score_rise, 10, 2400),
    "`attack_acc_drop`": (attack_acc_drop, 10, 2400),
    "near ties: `edited_shift`": (pairwise_near, 2 * PROBES, 1000),
    "near ties: `edited_shift`, more": (pairwise_near, 2 * PROBES, 1500),
    "clear pairs: `preference_shift`": (pairwise_clear, 1 + PROBES, 1000),
    "single: `edited_score_shift`": (single, 1 + PROBES, 1000),
}
"""Each design: its values, calls per item, and number of calls."""


if __name__ == "__main__":
    main()
