"""Runs of the tasks that write texts, with models that answer as a test defines."""

from inspect_ai import eval as inspect_eval

from tests.bias_tasks.command_line import typed
from tests.bias_tasks.commands.rows import read
from tests.bias_tasks.mocks import mock


class Writing:
    """A run: its `log`, and the `requests` as (role, prompt)."""

    def __init__(self, task, answer, *roles, **options):
        self.requests = []
        [self.log] = inspect_eval(
            task,
            model=self._mock(answer, "model"),
            model_roles={role: self._mock(answer, role) for role in roles},
            display="none",
            **options,
        )

    def _mock(self, answer, role):
        def reply(prompt):
            self.requests.append((role, prompt))
            return answer(prompt)

        return mock(reply, role)

    @property
    def prompts(self):
        return [prompt for _, prompt in self.requests]


def collect(*logs, to):
    """Collect the texts of logs, and return the output of the command and the rows."""
    done = typed("collect", *(log.location for log in logs), "--to", to, columns=200)
    return done, read(to) if to.exists() else []
