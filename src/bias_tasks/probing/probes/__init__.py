"""The probes: one way of asking otherwise each."""
