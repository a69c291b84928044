"""A task that tests graders: models in the role `grader`, which parse what the rules cannot."""

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.solver import chain

from bias_tasks.instruction_boundary.grader_cases import load_grader_cases
from bias_tasks.instruction_boundary.parameters import Form
from bias_tasks.scorers.grader_agreement import SECOND_GRADER, grader_agreement
from bias_tasks.scorers.outcome import GRADER
from bias_tasks.tasks._build import checked, warn_of_misspelt_roles


@checked
@task
def grader_cases(form: Form = "all") -> Task:
    """The answers with which Instruction Boundary tests its grader, and what they state.

    The model in the role `grader`, or else the evaluated model, is asked about each. A model in the
    role `second_grader` is asked the same.
    """
    warn_of_misspelt_roles([GRADER, SECOND_GRADER])
    samples = [
        Sample(case.prompt, target=str(case.data.gold), id=case.data.item)
        for case in load_grader_cases(form)
    ]
    return Task(
        dataset=MemoryDataset(samples, name="grader_cases"),
        solver=chain(),
        scorer=grader_agreement(),
        config=GenerateConfig(temperature=0.0),
        version="1-A",
    )
