"""Runs the commands of `bias-tasks` as `python -m bias_tasks`."""

from bias_tasks.cli import main

if __name__ == "__main__":
    main(prog_name="bias-tasks")
