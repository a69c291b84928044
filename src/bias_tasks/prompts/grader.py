"""What a grader, another model, is asked of an answer that rules can't read."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bias_tasks.prompts.templates import fill, grader_template

UNREADABLE = "unreadable"
"""What a grader replies where it can't read an answer either."""
SHOWN = 20_000
"""A grader is shown the end of a longer answer, where the final answer stands."""


@dataclass(frozen=True, slots=True)
class VerdictRequest:
    """What a grader is asked."""

    prompt: str
    values: tuple[str, ...] = ()
    """The values that there are, where they are few and fixed."""

    @property
    def schema(self) -> Mapping[str, Any]:
        """JSON schema of its verdict, for hosts that can force a form."""
        verdict = {"type": "string"} | ({"enum": list(self.values)} if self.values else {})
        made = {"type": "object", "properties": {"verdict": verdict}, "required": ["verdict"]}
        return made | {"additionalProperties": False}


def values_request(question: str, answer: str, values: Iterable[str]) -> VerdictRequest:
    """Which of the values, as a grader is to write each, an answer to a question gives."""
    listed = "\n".join(f"- {value}" for value in values)
    shown = answer[-SHOWN:]
    return VerdictRequest(fill(grader_template(), question=question, answer=shown, values=listed))
