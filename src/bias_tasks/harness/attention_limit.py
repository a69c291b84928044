"""The task class behind the YAML of the attention limit: flaws found against flaws planted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from bias_tasks.design.attention_limit import plan_attention
from bias_tasks.design.known import make_known
from bias_tasks.harness.complex_eval import (
    OF_ATTACKS,
    OF_PAIRS,
    OF_SCORES,
    RUN,
    JudgeTask,
    question_documents,
)
from bias_tasks.harness.figures import OutcomeScore
from bias_tasks.harness.parameters import NAMES, Kind, read_parameters
from bias_tasks.harness.task import Documents
from bias_tasks.metrics.estimate import Estimate
from bias_tasks.scoring.attention_limit import FlawAnswer, issue_counts, located
from bias_tasks.scoring.complex_eval import read_reported

PARAMETERS: Mapping[str, Kind] = {
    **RUN,
    "mode": NAMES,
    "k": Kind("whole numbers", lambda value: isinstance(value, int | str | list)),
}
"""What `plan_attention` takes."""


class AttentionTask(JudgeTask[FlawAnswer]):
    """Generated dialogues with planted flaws: how many does the judge report?"""

    def documents(self) -> Documents:
        """The questions of the run."""
        metadata = self.config.metadata
        # Other tasks in the same run may want `data` as "synthetic".
        elsewhere = {} if metadata.get("data") == "synthetic" else {"data": _GENERATED}
        given = read_parameters(metadata, PARAMETERS, OF_PAIRS | OF_ATTACKS | OF_SCORES | elsewhere)
        planning = {"protocol": "corrected", **given}
        planned = plan_attention(**planning)
        make_known(planned)
        return question_documents(
            planned.questions, {"data": "flaw_bank", **planning}, planned.provenance
        )

    def score(self, doc: Mapping[str, Any], results: Sequence[str]) -> OutcomeScore[FlawAnswer]:
        """How many flaws the one answer among `results` reports; nan where it is unread."""
        facts = doc["facts"]
        flaws = read_reported(facts["form"], results[0]).value
        if flaws is None:
            return OutcomeScore(math.nan, FlawAnswer(facts, None, None))
        found = FlawAnswer(facts, len(flaws), located(flaws, facts["flaws"]))
        return OutcomeScore(len(flaws), found)

    def outcome_with_all_figures(self, doc: Mapping[str, Any]) -> FlawAnswer:
        """An answer that was read: a number of flaws has a figure where some answer was."""
        return FlawAnswer(doc["facts"], 0, 0)

    def scorecard(self, outcomes: Sequence[FlawAnswer]) -> Mapping[str, Estimate]:
        """Every figure of the outcomes."""
        # Imported here: it loads numpy and scipy, which listing the tasks doesn't need.
        from bias_tasks.metrics.complex_eval import attention_scorecard

        return attention_scorecard(issue_counts(outcomes))


_GENERATED = "the dialogues are generated, from `seed`: leave `data` out"
