"""Plans of runs, by the name of the task."""

from bias_tasks.families import family_of_task


def plan(task, **parameters):
    """The questions of a run with these parameters, and what the run records."""
    family = family_of_task(task)
    return family.plan(task, family.tasks[task].values(parameters))


def questions(task, **parameters):
    """The questions of a run with these parameters."""
    return plan(task, **parameters).questions
