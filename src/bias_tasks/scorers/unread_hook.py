"""Says at the end of a task that many of its answers could not be read."""

from __future__ import annotations

import logging
from collections import defaultdict

from inspect_ai.hooks import Hooks, SampleEnd, TaskEnd, hooks

from bias_tasks.families import load_family
from bias_tasks.record import Scored, scored_in, unread_notice

logger = logging.getLogger(__name__)


@hooks(name="bias_tasks_unread", description="Says at the end which answers could not be read.")
class UnreadNotice(Hooks):
    """Gathers the outcomes of each task's samples; nothing is said of other tasks.

    A task registers it by being built, so that runs without our tasks have no hook of ours.
    """

    def __init__(self) -> None:
        self._scored: dict[str, list[Scored]] = defaultdict(list)

    async def on_sample_end(self, data: SampleEnd) -> None:
        """Keep what the sample's answer came to."""
        for score in (data.sample.scores or {}).values():
            found = scored_in(score.metadata)
            if found is not None:
                self._scored[data.eval_id].append(found)

    async def on_task_end(self, data: TaskEnd) -> None:
        """Say what there is to say, and forget the task."""
        found = self._scored.pop(data.eval_id, [])
        if not found:
            return
        family = load_family(found[0].family)
        notice = unread_notice([each.outcome for each in found], in_form=family.measures_form)
        if notice is not None:
            logger.warning("%s: %s", data.log.eval.task, notice)
