"""Runs as records of Every Eval Ever: one JSON file a run, and one line of JSON an answer.

Written for version 0.3.0 of its two schemas, `eval.schema.json` and
`instance_level_eval.schema.json`.
"""

SCHEMA_VERSION = "0.3.0"
