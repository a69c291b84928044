"""How long do the metrics of a probed task take?

python -m benchmarks.speed.metrics_probe                  # 1,000 items in 14 ways of asking
"""

from __future__ import annotations

import argparse
import random
import time

from bias_tasks.contract.outcomes import Outcome
from bias_tasks.probing.items import BASELINE, REPEAT
from bias_tasks.probing.metrics import probe_metrics

VARIANTS = (BASELINE, f"{REPEAT}1", f"{REPEAT}2", *(f"probe{number}" for number in range(1, 12)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=1000)
    args = parser.parse_args()
    rng = random.Random(0)
    outcomes = [
        Outcome(str(item), "", variant, "#0", f"#{wrong}", float(not wrong), "")
        for item in range(args.items)
        for variant in VARIANTS
        for wrong in [int(rng.random() < 0.3)]
    ]
    probe_metrics(outcomes[: 10 * len(VARIANTS)])  # imports
    started = time.process_time()
    metrics = probe_metrics(outcomes)
    took = time.process_time() - started
    print(f"{len(outcomes)} outcomes, {len(metrics)} metrics: {took:.2f} s")


if __name__ == "__main__":
    main()
