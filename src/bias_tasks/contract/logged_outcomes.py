"""Questions and outcomes in the samples of an Inspect log and the documents of lm-eval."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.outcomes import Extra, Outcome
from bias_tasks.contract.parameters import ParameterValues
from bias_tasks.data.files import RawRecord

PROBED = "bias_tasks_probe"
"""Where a sample of a probed task has its scoring data, apart from the task's own metadata."""
SCORING_DATA = "scoring_data"
"""Where a document of lm-eval, or a row of `export hf`, has its scoring data, as one JSON text."""
_OUTCOME = "outcome"
_SHARED = ("item", "cluster", "variant")
"""Fields of an outcome that the sample's metadata have, too."""


def scoring_data_of(family: AnyFamily, metadata: RawRecord) -> Any:
    """Return the scoring data of a sample's question.

    Args:
        family: The family that scores the sample.
        metadata: The sample's metadata.

    Raises:
        ValueError: A field is missing or of another type.
    """
    if SCORING_DATA in metadata and PROBED not in metadata:
        return read_scoring_data(family, metadata)
    return family.scoring_data_type.from_dict(metadata.get(PROBED, metadata))


def read_scoring_data(family: AnyFamily, document: RawRecord) -> Any:
    """Return the scoring data of a document of lm-eval; see `scoring_data_of`."""
    return family.scoring_data_type.from_dict(json.loads(document[SCORING_DATA]))


def read_outcome(family: AnyFamily, values: RawRecord) -> Outcome[Extra]:
    """Return an outcome that a document of lm-eval holds.

    Args:
        family: The family that scored the answer.
        values: The outcome's fields.

    Raises:
        KeyError: The outcome lacks a field.
        ValueError: A field of its `extra` is missing or of another type.
    """
    return Outcome.from_dict(values, family.extra_type)


@dataclass(frozen=True, slots=True)
class LoggedOutcome:
    """The outcome of an answer, and the run to which it belongs."""

    family: str
    """Name of the family that scored the answer."""
    outcome: Outcome[Extra]
    run_digest: str | None = None
    """Digest of the run (`run_record`); None if its task is another package's."""
    options: ParameterValues = field(default_factory=dict)
    """Values of the task's parameters on which metrics depend, for metrics without arguments."""

    def to_metadata(self, known: RawRecord | None = None) -> JsonObject:
        """Return the metadata of the answer's score.

        It is one object: Inspect wraps texts at the top of the metadata for each of its summaries.

        Args:
            known: Values that score and sample already hold (`outcome_defaults`), which the object
                leaves out.
        """
        known = known or {}
        values = {
            name: value
            for name, value in self.outcome.to_dict().items()
            if name not in known or known[name] != value
        }
        if self.options:
            values["options"] = dict(self.options)
        return {_OUTCOME: {"family": self.family, "run_digest": self.run_digest, **values}}


def outcome_defaults(score: Any, metadata: RawRecord | None) -> JsonObject:
    """Return the fields of an outcome that its score and its sample's metadata hold.

    Args:
        score: A `Score` of Inspect.
        metadata: The sample's metadata.
    """
    known = metadata or {}
    return {
        **{name: known[name] for name in _SHARED if name in known},
        "gold": known.get("gold"),
        "score": score.value if isinstance(score.value, float) else None,
        "answer": score.answer,
        "explanation": score.explanation or "",
        "reason": score.reason,
        "span": None,
        "epoch": 1,
        "extra": {},
        "level": None,
        "unparsed_reason": None,
    }


def find_logged_outcome(
    score: Any, metadata: RawRecord | None, load_family: Callable[[str], AnyFamily]
) -> LoggedOutcome | None:
    """Return the outcome that a score of Inspect holds; None for a score of another package.

    Args:
        score: A `Score` of Inspect.
        metadata: The sample's metadata.
        load_family: Returns a family by its name.

    Raises:
        KeyError: The outcome lacks a field.
        ValueError: A field of its `extra` is missing or of another type.
    """
    logged = (score.metadata or {}).get(_OUTCOME)
    if not isinstance(logged, Mapping) or "family" not in logged:
        return None
    family = load_family(logged["family"])
    outcome = read_outcome(family, {**outcome_defaults(score, metadata), **logged})
    return LoggedOutcome(family.name, outcome, logged.get("run_digest"), logged.get("options", {}))
