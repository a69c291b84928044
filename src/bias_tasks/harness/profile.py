"""The tasks of the group `bias_profile`: those of the bias profile that need one run of lm-eval."""

from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.parameters import ParameterValues
from bias_tasks.data.files import read_yaml
from bias_tasks.harness.task import FamilyTask

_WITHOUT_PUSHBACK = (
    "bias_profile lacks the profile's task `pushback`, which replies to the model's answers: "
    "`bias-tasks profile` runs it, lm-eval needs one run per round"
)


class ProfileTask(FamilyTask):
    """A task of the bias profile, whose YAML file fixes the parameters as `profile.yaml` does.

    `n` in the metadata is the maximum number of items of every task of the profile.
    """

    def _read_values(self, task: str, fixed: ParameterValues) -> JsonObject:
        """Return the value of every parameter, and report what is not as in the profile."""
        profile = self.spec(task).values(fixed)
        values = super()._read_values(task, {k: v for k, v in fixed.items() if k != "n"})
        # Without `n` in the metadata, the value is the task's default.
        if self._metadata.get("n") in (None, "all") or values["n"] > profile["n"]:
            values["n"] = profile["n"]
        changed = [
            f"{name}={self._metadata[name]}"
            for name, value in values.items()
            if name != "base_model" and name in profile and value != profile[name]
        ]
        self._run_notices = (_WITHOUT_PUSHBACK,)
        if changed:
            name = read_yaml("bias_tasks.commands", "profile")["name"]
            notice = f"bias_profile with {', '.join(changed)} is not comparable with {name}"
            self._run_notices = (*self._run_notices, notice)
        return values
