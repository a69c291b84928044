"""How many shards: time and calls that are lost, where workers die and nodes are lost for good.

An event simulation. Workers take shards one after the other. A shard starts, makes its calls and is
done, or its worker dies: at random, with a given mean number of hours of work between deaths. A
given share of the deaths also removes the node. The shard is queued again once it is missed, and
resumes from what was written (`resumed`) or starts again (`restarted`). As Inspect does, a
worker writes whenever STALE seconds are over, a twentieth of its shard is answered, or ten calls of
one that has less than 1,000. A shard's size is drawn as the hash draws it. Printed are the
hours until the last shard is done, relative to those of the calls alone, and the share of calls
made in vain. docs/scaling.md shows its output.

    python -m benchmarks.speed.lost_shards [--calls 1e8] [--workers 200] [--rate 56] [--start 65]
"""

from __future__ import annotations

import argparse
import heapq
import statistics

import numpy as np

HOUR = 3600.0
STALE = 60.0


def run(chosen: argparse.Namespace, shards: int, resumed: bool, seed: int) -> tuple[float, float]:
    """Hours until all is done, and the share of calls made in vain."""
    rng = np.random.default_rng(seed)
    items = max(1, int(chosen.calls / chosen.per_item))
    sizes = rng.multinomial(items, np.full(shards, 1 / shards)) * chosen.per_item
    waiting = [(0.0, int(size)) for size in sizes]  # when it can begin, calls still to ask
    heapq.heapify(waiting)
    workers = [0.0] * chosen.workers  # when each is free
    vain, done = 0.0, 0.0
    while waiting:
        if not workers:
            raise SystemExit("all nodes are lost before the run is done: take more --workers")
        ready, left = heapq.heappop(waiting)
        begins = max(ready, heapq.heappop(workers))
        ends = begins + chosen.start + left / chosen.rate
        dies = begins + rng.exponential(chosen.between * HOUR)
        if dies >= ends:
            done = max(done, ends)
            heapq.heappush(workers, ends)
            continue
        asked = max(0.0, (dies - begins - chosen.start) * chosen.rate)
        kept = max(0.0, asked - unwritten(left, chosen)) if resumed else 0.0
        vain += asked - kept
        heapq.heappush(waiting, (dies + chosen.missed, int(left - kept)))
        if rng.random() >= chosen.lost:
            heapq.heappush(workers, dies + chosen.missed)
    return done / HOUR, vain / chosen.calls


def unwritten(shard: int, chosen: argparse.Namespace) -> float:
    """Calls that a death loses on average: those on their way, and half of those between writes."""
    answered = 10 if shard < 1000 else shard / 20
    return float(chosen.connections + min(answered, chosen.stale * chosen.rate) / 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--calls", type=float, default=1e8)
    parser.add_argument("--workers", type=int, default=200)
    parser.add_argument("--rate", type=float, default=56, help="calls per second of a worker")
    parser.add_argument("--start", type=float, default=65, help="seconds until a worker asks")
    parser.add_argument("--between", type=float, default=24, help="hours of work between deaths")
    parser.add_argument("--lost", type=float, default=0.1, help="share that also remove the node")
    parser.add_argument("--missed", type=float, default=300, help="seconds until it is queued")
    parser.add_argument("--connections", type=int, default=100, help="concurrent calls")
    parser.add_argument("--stale", type=float, default=STALE, help="seconds between writes")
    parser.add_argument(
        "--per-item", type=int, default=8, help="calls per item, always in one shard"
    )
    parser.add_argument("--repeats", type=int, default=20)
    chosen = parser.parse_args()
    ideal = chosen.calls / chosen.workers / chosen.rate / HOUR
    print(f"{chosen.calls:,.0f} calls of {chosen.workers} workers at {chosen.rate:g} per second:")
    print(f"{ideal:.2f} hours if nothing ever happened\n")
    print(f"{'shards':>8} {'per worker':>10} {'calls each':>11} {'resumed':>16} {'restarted':>16}")
    for each in (1, 2, 4, 8, 16, 32, 64, 128):
        shards = each * chosen.workers
        told = []
        for resumed in (True, False):
            found = [run(chosen, shards, resumed, seed) for seed in range(chosen.repeats)]
            hours, vain = (statistics.fmean(values) for values in zip(*found, strict=True))
            told.append(f"x{hours / ideal:.2f} {100 * vain:7.3f} %")
        print(f"{shards:8,} {each:10} {chosen.calls / shards:11,.0f} {told[0]:>16} {told[1]:>16}")


if __name__ == "__main__":
    main()
