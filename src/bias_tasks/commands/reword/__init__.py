"""`bias-tasks reword`: rewordings and translations of any task's items, for probes."""
