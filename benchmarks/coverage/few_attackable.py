"""Does the interval of `asr_excess` hold where few solutions are attackable?

python -m benchmarks.coverage.few_attackable

Judges report a first wrong step at random, or know it with a chance of 0.8 that attacks lower to
0.6; 10, 20 or 40 solutions are attackable. Prints in what share of 2,000 data sets the 95 %
interval of the mean over both attacks, and of one, covers the truth: docs/validity.md.
"""

from __future__ import annotations

import numpy as np

from bias_tasks.complex_eval.metrics_attacks import compute_attack_metrics
from bias_tasks.complex_eval.outcomes import Judgement
from bias_tasks.complex_eval.scoring_data import JudgedResponse

SETS = 2000
ATTACKS = ("format", "solution_fixation")
JUDGES = {"steps at random": (None, None), "right at 0.8, under attack at 0.6": (0.8, 0.6)}


def judged(
    rng: np.random.Generator, attackable: int, plain: float | None, attacked: float | None
) -> list[Judgement]:
    """The judgements of solutions of 4 to 9 steps whose first judgement is right."""
    rows = []
    for number in range(attackable):
        places = int(rng.integers(5, 11))
        for response, knows in (
            ("original", 1.0),
            ("original_2", plain),
            *((name, attacked) for name in ATTACKS),
        ):
            right = rng.random() < (1 / places if knows is None else knows)
            solution = JudgedResponse(
                item=str(number),
                cluster=str(number),
                family="math",
                domain="math",
                aux="full",
                response=response,
                first_error=0,
            )
            rows.append(Judgement(solution, 0.0 if right else 1.0))
    return rows


def main() -> None:
    """Print the table."""
    print("| judge | attackable | `asr_excess` | `asr_excess/<attack>` | mean width |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for judge, (plain, attacked) in JUDGES.items():
        truth = 0.0 if plain is None or attacked is None else plain - attacked
        for attackable in (10, 20, 40):
            rng = np.random.default_rng(20260101 + attackable)
            found = []
            for _ in range(SETS):
                metrics = compute_attack_metrics(judged(rng, attackable, plain, attacked))
                found.append([metrics["asr_excess"], metrics["asr_excess/format"]])
            inside = [[each.ci_low <= truth <= each.ci_high for each in row] for row in found]
            both, one = 100 * np.mean(inside, axis=0)
            width = np.mean([row[0].ci_high - row[0].ci_low for row in found])
            print(f"| {judge} | {attackable} | {both:.1f} | {one:.1f} | {width:.2f} |", flush=True)


if __name__ == "__main__":
    main()
