"""What Inspect's settings of generation mean for answers."""

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
