"""What importing bias_tasks adds to importing inspect_ai: at most 0.3 s of CPU time.

Run: python -m benchmarks.speed.import_time
"""

from __future__ import annotations

import subprocess
import sys

LIMIT = 0.3
REPEATS = 7
FRAMEWORK = (
    "import inspect_ai, inspect_ai.dataset, inspect_ai.model, inspect_ai.scorer, inspect_ai.solver"
)
CODE = f"import time; {FRAMEWORK}; t = time.process_time(); {{}}; print(time.process_time() - t)"


def added(statement: str) -> float:
    """Least CPU seconds that `statement` takes after the framework was imported."""
    times = []
    for _ in range(REPEATS):
        done = subprocess.run(
            [sys.executable, "-c", CODE.format(statement)],
            capture_output=True,
            text=True,
            check=True,
        )
        times.append(float(done.stdout))
    return min(times)


def main() -> None:
    """Print what the package alone and its entry point add."""
    worst = 0.0
    for statement in ("import bias_tasks", "import bias_tasks._registry"):
        seconds = added(statement)
        worst = max(worst, seconds)
        print(f"{statement:32} {seconds:6.3f} s")
    print(f"worst {worst:.3f} s, allowed {LIMIT:.1f} s")
    sys.exit(worst > LIMIT)


if __name__ == "__main__":
    main()
