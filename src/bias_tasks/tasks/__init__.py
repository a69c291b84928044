"""The tasks that Inspect finds: one module a paper."""
