"""What stopping early costs and saves: coverage of the interval told, false verdicts, calls saved.

python benchmarks/early_stopping.py            # the tables of docs/stopping.md, some minutes
python benchmarks/early_stopping.py --runs 200 # the same, roughly

Runs of conformity's kind are drawn: an item is right or wrong as vanilla and under the setting, and
what is looked at is the difference of the two (`delta_acc`), a rate, or a robustness score, which
is no mean. Each run is looked at from the twentieth item on, after every one and a little less
often as it grows, as Inspect runs are, and stops where its rule says. "Fixed" is the 95 % interval
for a number of items given in advance, looked at and stopped in the same way; "sequence" is what
`until` uses and reports. Columns under `covered` are shares of runs whose interval, as reported
when they stop, holds the truth.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from bias_tasks.statistics.effective_size import Floats
from bias_tasks.statistics.intervals import tango, wilson
from bias_tasks.statistics.level import Z
from bias_tasks.statistics.sequences import (
    ALPHA,
    BURN_IN,
    asymptotic_half_width,
    least_error,
    looks,
    mean_limits,
)

FULL = 2000
"""Items of a whole run."""
FIRST = 20
"""Items before which nothing is looked at, in favour of the fixed intervals."""
STEP = 0.02
SEED = 20261122
Limits = Callable[[Floats, int], tuple[Floats, Floats]]
"""The limits of runs (rows of counts of what was seen) after so many items."""


def times(full: int, step: float = STEP) -> list[int]:
    """After how many items a run is looked at."""
    found = []
    for number in looks(step):
        if number >= full:
            break
        found.append(number)
    return [each for each in [*found, full] if each >= FIRST]


def counts(draws: Floats, kinds: int, at: list[int]) -> Floats:
    """Runs by looks by kinds: how often each kind was seen by then."""
    hot = np.stack([(draws == kind).cumsum(axis=1)[:, np.array(at) - 1] for kind in range(kinds)])
    return np.moveaxis(hot, 0, -1).astype(float)


def sequence_of(values: Floats, low: float, high: float) -> Limits:
    """The betting sequence of a mean of these values, one for each kind."""
    scaled = (values - low) / (high - low)

    def limits(seen: Floats, n: int) -> tuple[Floats, Floats]:
        sums = np.broadcast_to(scaled, seen.shape)
        least, most = mean_limits(sums, np.ones_like(sums), 1.0, seen)
        return low + (high - low) * least, low + (high - low) * most

    return limits


def fixed_difference(seen: Floats, n: int) -> tuple[Floats, Floats]:
    """Tango's interval, of kinds lost, equal and gained."""
    low, high = np.array([tango(each[2] / n, each[0] / n, n) for each in seen]).T
    return low, high


def fixed_rate(seen: Floats, n: int) -> tuple[Floats, Floats]:
    """Wilson's interval, of kinds wrong and right."""
    low, high = np.array([wilson(each[1] / n, n) for each in seen]).T
    return low, high


def at_once(limits: Limits, seen: Floats, n: int) -> tuple[Floats, Floats]:
    """Limits of many runs, once for those that have seen the same."""
    different, which = np.unique(seen, axis=0, return_inverse=True)
    low, high = limits(different, n)
    return low[which.ravel()], high[which.ravel()]


def stopped(
    seen: Floats, at: list[int], limits: Limits, stop: Callable[[Floats, Floats], Floats]
) -> tuple[Floats, Floats, Floats]:
    """When each run stops, and the limits it then has."""
    runs = seen.shape[0]
    when, low, high = np.full(runs, float(at[-1])), np.zeros(runs), np.zeros(runs)
    going = np.arange(runs)
    for place, n in enumerate(at):
        least, most = at_once(limits, seen[going, place], n)
        done = stop(least, most) | (n == at[-1])
        low[going[done]], high[going[done]], when[going[done]] = least[done], most[done], n
        going = going[~done]
        if not going.size:
            break
    return when, low, high


def drawn(rng: np.random.Generator, shares: Iterable[float], runs: int, full: int) -> Floats:
    """Which kind each item of each run is."""
    return np.searchsorted(np.cumsum(list(shares))[:-1], rng.random((runs, full)), side="right")


def row(*cells: object) -> str:
    return "| " + " | ".join(str(each) for each in cells) + " |"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def widths(runs: int, rng: np.random.Generator) -> Iterator[str]:
    """Fixed half-widths, of differences and of rates."""
    yield row("figure", "truth", "until", "covered: sequence", "covered: fixed", "items: sequence")
    yield row(*["---"] * 6)
    at = times(FULL)
    flips = {-0.2: (0.25, 0.7, 0.05), 0.0: (0.1, 0.8, 0.1), 0.05: (0.025, 0.9, 0.075)}
    for truth, shares in flips.items():
        seen = counts(drawn(rng, shares, runs, FULL), 3, at)
        exact = sequence_of(np.array([-1.0, 0.0, 1.0]), -1.0, 1.0)
        for width in (0.1, 0.05):
            yield _width_row("delta_acc", truth, width, seen, at, exact, fixed_difference)
    for truth in (0.5, 0.9, 0.98):
        seen = counts(drawn(rng, (1 - truth, truth), runs, FULL), 2, at)
        for width in (0.1, 0.05):
            exact = sequence_of(np.array([0.0, 1.0]), 0.0, 1.0)
            yield _width_row("a rate", truth, width, seen, at, exact, fixed_rate)


def _width_row(
    name: str, truth: float, width: float, seen: Floats, at: list[int], exact: Limits, fixed: Limits
) -> str:
    def known(low: Floats, high: Floats) -> Floats:
        return (high - low) / 2 <= width

    found = [stopped(seen, at, each, known) for each in (exact, fixed)]
    covered = [float(((low <= truth) & (truth <= high)).mean()) for _, low, high in found]
    when = found[0][0]
    items = f"{when.mean():,.0f} of {FULL:,}"
    return row(name, f"{truth:g}", width, *map(percent, covered), items)


def verdicts(runs: int, rng: np.random.Generator) -> Iterator[str]:
    """Runs that stop at a verdict against a baseline, with and without a margin."""
    head = ("true difference", "margin", "covered: sequence", "covered: fixed")
    yield row(*head, "wrong: sequence", "wrong: fixed", "decided", "items asked", "calls saved")
    yield row(*["---"] * 9)
    at = times(FULL)
    exact = sequence_of(np.array([-1.0, 0.0, 1.0]), -1.0, 1.0)
    for truth in (0.0, 0.02, 0.05, 0.1, 0.2, 0.3):
        shares = (0.1, 0.8 - truth, 0.1 + truth)
        seen = counts(drawn(rng, shares, runs, FULL), 3, at)
        for margin in (None, 0.1):
            yield _verdict_row(truth, margin, seen, at, exact)


def _verdict_row(
    truth: float, margin: float | None, seen: Floats, at: list[int], exact: Limits
) -> str:
    def decided(low: Floats, high: Floats) -> Floats:
        apart = (low > 0) | (high < 0)
        return apart if margin is None else apart | ((low > -margin) & (high < margin))

    found = [stopped(seen, at, each, decided) for each in (exact, fixed_difference)]
    covered = [float(((low <= truth) & (truth <= high)).mean()) for _, low, high in found]
    wrong = [_wrong(truth, margin, low, high) for _, low, high in found]
    when, low, high = found[0]
    share = float(decided(low, high).mean())
    saved = 1 - when.mean() / FULL
    named = "-" if margin is None else f"{margin:g}"
    return row(
        f"{truth:g}",
        named,
        *map(percent, (*covered, *wrong, share)),
        f"{when.mean():,.0f}",
        percent(saved),
    )


def _wrong(truth: float, margin: float | None, low: Floats, high: Floats) -> float:
    """Share of runs that say what is not so: equivalent comes first, as in `compare`."""
    same = np.zeros(low.size, bool) if margin is None else (low > -margin) & (high < margin)
    wrong = same & (abs(truth) >= (margin or 0)) if margin is not None else same
    wrong |= ~same & (((low > 0) & (truth <= 0)) | ((high < 0) & (truth >= 0)))
    return float(wrong.mean())


def smooth(runs: int, rng: np.random.Generator) -> Iterator[str]:
    """A robustness score, 2ab / (a + b) of two labels' rates, by the asymptotic sequence."""
    yield row("sr, gr", "truth", "until", "covered: sequence", "covered: fixed", "items: sequence")
    yield row(*["---"] * 6)
    at = [n for n in times(FULL, 0.1) if n >= BURN_IN]
    for a, b in ((0.8, 0.3), (0.9, 0.8), (0.6, 0.05)):
        truth = 2 * a * b / (a + b)
        shares = (0.5 * (1 - a), 0.5 * a, 0.5 * (1 - b), 0.5 * b)
        seen = counts(drawn(rng, shares, runs, FULL), 4, at)
        for width in (0.1, 0.05):

            def known(low: Floats, high: Floats, width: float = width) -> Floats:
                return (high - low) / 2 <= width

            found = [stopped(seen, at, each, known) for each in (_smooth, _smooth_fixed)]
            covered = [float(((low <= truth) & (truth <= high)).mean()) for _, low, high in found]
            items = f"{found[0][0].mean():,.0f} of {FULL:,}"
            yield row(f"{a:g}, {b:g}", f"{truth:.3f}", width, *map(percent, covered), items)


def _harmonic(seen: Floats) -> tuple[Floats, Floats]:
    """The score of each run and its standard error by the delta method."""
    size = np.stack([seen[:, :2].sum(axis=1), seen[:, 2:].sum(axis=1)])
    rate = np.stack([seen[:, 1], seen[:, 3]]) / size
    total = rate.sum(axis=0)
    slope = 2 * rate[::-1] ** 2 / total**2
    error = np.sqrt((slope**2 * rate * (1 - rate) / size).sum(axis=0))
    value: Floats = 2 * rate.prod(axis=0) / total
    return value, error


def _smooth(seen: Floats, n: int) -> tuple[Floats, Floats]:
    value, error = _harmonic(seen)
    arm = np.maximum(error, least_error(n, 1.0)) * asymptotic_half_width(1.0, n, FULL)
    return value - arm, value + arm


def _smooth_fixed(seen: Floats, n: int) -> tuple[Floats, Floats]:
    value, error = _harmonic(seen)
    return value - Z * error, value + Z * error


def always(runs: int, rng: np.random.Generator) -> Iterator[str]:
    """Whether the truth is within the interval at every look: what a sequence promises."""
    yield row("figure", "held at every look: sequence", "held at every look: fixed")
    yield row("---", "---", "---")
    at = times(FULL)
    for truth in (0.5, 0.9, 0.98):
        seen = counts(drawn(rng, (1 - truth, truth), runs, FULL), 2, at)
        yield _always_row(f"a rate of {truth:g}", truth, seen, at)
    # A run of 1,000 items of each of two labels has just so many: the last ones are no free draw.
    labels = np.argsort(rng.random((runs, FULL)), axis=1) % 2
    right = rng.random((runs, FULL)) < np.where(labels == 1, 0.9, 0.3)
    seen = counts(right.astype(float), 2, at)
    name = "a rate of 0.6, of two labels with 0.9 and 0.3 and 1,000 items each"
    yield _always_row(name, 0.6, seen, at)


def _always_row(name: str, truth: float, seen: Floats, at: list[int]) -> str:
    held = [np.ones(seen.shape[0], bool) for _ in range(2)]
    for place, n in enumerate(at):
        exact = sequence_of(np.array([0.0, 1.0]), 0.0, 1.0)
        for found, limits in zip(held, (exact, fixed_rate), strict=True):
            low, high = at_once(limits, seen[:, place], n)
            found &= (low <= truth) & (truth <= high)
    return row(name, *(percent(float(each.mean())) for each in held))


TABLES = {
    "Until a half-width is reached": widths,
    "Until a verdict": verdicts,
    "A robustness score, until a half-width is reached": smooth,
    "At every look": always,
}


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--runs", type=int, default=2000, help="simulated runs a row")
    runs = options.parse_args().runs
    print(f"{runs:,} runs a row, intervals of {100 * (1 - ALPHA):.0f} %, runs of {FULL:,} items")
    for number, (title, table) in enumerate(TABLES.items()):
        print(f"\n{title}\n")
        for line in table(runs, np.random.default_rng([SEED, number])):
            print(line, flush=True)


if __name__ == "__main__":
    main()
