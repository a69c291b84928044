"""Parts, epochs and retried logs of a run made one run again."""
