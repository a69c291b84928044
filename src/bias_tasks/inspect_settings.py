"""What Inspect's settings of generation mean for answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inspect_ai.model import GenerateConfig

TRANSPORT = frozenset(
    {
        "max_retries",
        "timeout",
        "attempt_timeout",
        "stream_idle_timeout",
        "max_connections",
        "adaptive_connections",
        "batch",
        "cache_prompt",
    }
)
"""Settings of generation that say how requests are sent, not what is answered."""


def answer_settings(*configs: GenerateConfig) -> dict[str, Any]:
    """What of settings of generation matters to an answer, as plain JSON values; of several that
    hold for it later ones come first."""
    dumped = (config.model_dump(mode="json", exclude_none=True) for config in configs)
    merged = {name: value for each in dumped for name, value in each.items()}
    return {name: value for name, value in merged.items() if name not in TRANSPORT}
