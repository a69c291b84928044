"""An Inspect log written while its samples are read, so that few of them are held at a time.

`write_eval_log` wants all samples at once, and looks through those it holds for each one that it
adds: twice as many take four times as long.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample
    from inspect_ai.log._recorders.eval import (
        EvalRecorder,  # inspect-evals-lint: ignore[IECQ001] -- for types alone
    )


def write_log(log: EvalLog, path: Path, samples: Iterable[EvalSample], at_once: int) -> None:
    """Write a log; the file is there when all of it is.

    Args:
        log: all but its samples; its results are worked out already.
        path: where to.
        samples: those of the log, in any order.
        at_once: how many of them are held, at least 1. The recorder goes through all that are
            written each time it takes these in, and through these for each one: about the root
            of their number is the quickest.

    Raises:
        OSError: it can't be written.
    """
    from inspect_ai.log import condense_sample  # as the public function writes them
    from inspect_ai.log._recorders.eval import (
        EvalRecorder,  # inspect-evals-lint: ignore[IECQ001] -- the public one takes all at once
    )

    recorder = EvalRecorder(str(path.parent))
    with asyncio.Runner() as loop:
        loop.run(recorder.log_init(log.eval, str(path), clean=True))
        loop.run(recorder.log_start(log.eval, log.plan))
        [written] = recorder.data.values()
        for number, sample in enumerate(samples, start=1):
            loop.run(recorder.log_sample(log.eval, condense_sample(sample)))
            if number % at_once == 0:
                loop.run(written.write_buffered_samples())
        loop.run(_finish(recorder, log))


async def _finish(recorder: EvalRecorder, log: EvalLog) -> None:
    """Write what follows the samples, and put the file in its place."""
    await recorder.log_finish(
        log.eval,
        log.status,
        log.stats,
        log.results,
        log.reductions,
        log.error,
        header_only=True,  # what is handed back
        invalidated=log.invalidated,
        log_updates=log.log_updates,
        config_updates=log.config_updates,
    )
