"""Tells a run that stops when its headline is known of samples that failed for good."""

from inspect_ai.hooks import Hooks, SampleEnd, hooks

from bias_tasks.tasks._until import sample_failed


@hooks(name="bias_tasks_until", description="Notes which samples failed, where a run stops early.")
class UntilNotice(Hooks):
    """The host tells early stopping of samples that were answered alone.

    A task registers it by stopping early, so that other runs have no hook of it.
    """

    async def on_sample_end(self, data: SampleEnd) -> None:
        """Pass on that the sample failed."""
        if data.sample.error is not None:
            sample_failed(data.eval_id, str(data.sample.id), data.sample.epoch)
