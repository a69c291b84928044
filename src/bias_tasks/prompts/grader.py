"""The request to a grader, a second model, about an answer that the rules cannot parse."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bias_tasks.prompts.templates import fill, grader_template

UNREADABLE = "unreadable"
"""The reply of a grader that cannot parse the answer either."""
_QUOTE_TAG = re.compile(r"(?i)<(/?\s*(?:answer|question)\s*)>")
MAX_ANSWER_LENGTH = 20_000
"""Characters. A grader gets the end of a longer answer, which has the final answer."""


@dataclass(frozen=True, slots=True)
class VerdictRequest:
    """A request to a grader."""

    prompt: str
    values: tuple[str, ...] = ()
    """The possible verdicts; empty if they cannot be listed."""

    @property
    def schema(self) -> Mapping[str, object]:
        """JSON schema of the verdict, for frameworks that can enforce it."""
        verdict: dict[str, object] = {"type": "string"}
        if self.values:
            verdict["enum"] = list(self.values)
        return {
            "type": "object",
            "properties": {"verdict": verdict},
            "required": ["verdict"],
            "additionalProperties": False,
        }


def values_request(question: str, answer: str, values: Iterable[str]) -> VerdictRequest:
    """Return the request for the value that an answer states.

    Args:
        question: The prompt that was answered.
        answer: The answer, without reasoning.
        values: The possible verdicts, or descriptions of them, one per line of the request.
    """
    listed = "\n".join(f"- {value}" for value in values)
    # Tags in an answer must not end the part of the request that quotes it.
    end = _QUOTE_TAG.sub(r"[\1]", answer[-MAX_ANSWER_LENGTH:])
    return VerdictRequest(fill(grader_template(), question=question, answer=end, values=listed))
