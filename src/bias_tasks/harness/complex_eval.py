"""The task classes behind the YAML of judging under auxiliary information."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lm_eval.api.instance import Instance

from bias_tasks.design.attention_limit import AttentionQuestion
from bias_tasks.design.complex_eval import JudgePlan, plan_advanced, plan_basic
from bias_tasks.design.judge_question import JudgeQuestion
from bias_tasks.design.known import make_known
from bias_tasks.harness.afresh import asked_afresh
from bias_tasks.harness.figures import OutcomeScore, OutcomeT
from bias_tasks.harness.parameters import COUNT, NAMES, NUMBER, TEXT, Kind, read_parameters
from bias_tasks.harness.task import Documents, FamilyTask
from bias_tasks.items.complex_eval import Family
from bias_tasks.metrics.complex_eval import Judgement
from bias_tasks.metrics.complex_eval.outcome import SCALES
from bias_tasks.metrics.estimate import Estimate
from bias_tasks.scoring.complex_eval import judgements, read_judgement

RUN: Mapping[str, Kind] = {"protocol": TEXT, "seed": COUNT, "n": COUNT}
"""Parameters of every task."""
_ITEMS: Mapping[str, Kind] = {"data": TEXT, "domains": NAMES, "sources": NAMES, **RUN}
BASIC_PARAMETERS: Mapping[str, Kind] = {**_ITEMS, "aux": NAMES, "attack": NAMES, "theta": NUMBER}
"""What `plan_basic` takes, and `basic_scorecard`'s theta."""
ADVANCED_PARAMETERS: Mapping[str, Kind] = {
    **_ITEMS,
    "bias": NAMES,
    "responses": TEXT,
    "beta": NUMBER,
}
"""What `plan_advanced` takes, and `advanced_scorecard`'s beta."""

_HIGHER_IS_BETTER = frozenset({"acc", "acc_half_ties", "rr", "gain", "recall", "precision"})
_LOWER_IS_BETTER = frozenset({"attack_cost", "asr", "asr_excess", "floor", "unread"})
_BOUNDS = ("_ci_low", "_ci_high", "_n", "_p")

Judgements = Sequence[Judgement]
"""All that one answer stands for."""


class JudgeTask(FamilyTask[OutcomeT]):
    """Responses to be judged, each in a prompt of its own.

    A document is `{id, prompt, gold, facts}`: gold is what is known of the right answer, and
    `facts` is what reading and scoring take beside the answer.

    The harness can force no form of the answer, so that the strict reader reads what the judge
    writes, and it does not say whether an answer was cut at its token limit: `max_gen_toks` must
    leave room for a whole one.
    """

    def construct_requests(self, doc: Mapping[str, Any], ctx: str, **options: Any) -> Instance:
        """The request of a document; a second judgement has a key of its own in the cache."""
        request = super().construct_requests(doc, ctx, **options)
        name = doc["id"].rpartition("/")[2]
        return asked_afresh(request, name) if doc["facts"]["afresh"] else request

    def more_is_better(self, name: str) -> bool | None:
        """Whether a higher figure is a better one; None where that can't be said."""
        if name.endswith(_BOUNDS):
            return None
        # A domain may stand before the kind of figure, and a condition behind it.
        kinds = {part.partition("@")[0] for part in name.split("/")[-2:]}
        if kinds & _LOWER_IS_BETTER:
            return False
        return True if kinds & _HIGHER_IS_BETTER else None


class _ScoredTask(JudgeTask[Judgements]):
    """A judge's scores, or positions of wrong steps; an answer without one is unread (nan)."""

    def score(self, doc: Mapping[str, Any], results: Sequence[str]) -> OutcomeScore[Judgements]:
        """What the one answer among `results` says."""
        facts = doc["facts"]
        value = read_judgement(facts["form"], results[0]).value
        return OutcomeScore(math.nan if value is None else value, judgements(facts, value))

    def outcome_with_all_figures(self, doc: Mapping[str, Any]) -> Judgements:
        """A judgement that was read, and is right: attacks are compared where one could win."""
        facts = doc["facts"]
        family = facts["form"]["family"]
        score = facts["judgements"][0]["gold"] if family == "math" else SCALES[family][0]
        return judgements(facts, score)

    def _planned(self, planned: JudgePlan, said: Mapping[str, Any]) -> Documents:
        make_known(planned)
        return question_documents(planned.questions, said, planned.provenance)


class BasicTask(_ScoredTask):
    """Preference pairs: each response is judged once under each auxiliary condition."""

    def documents(self, aux: str | None = None, attack: str | None = None) -> Documents:
        """The questions of the run.

        Args:
            aux: the auxiliary conditions, where the YAML names them.
            attack: the rejected responses, where the YAML names them.
        """
        fixed = {
            name: value for name, value in (("aux", aux), ("attack", attack)) if value is not None
        }
        elsewhere = OF_ATTACKS | dict.fromkeys(fixed, _NAMED)
        given = read_parameters(self.config.metadata, BASIC_PARAMETERS, elsewhere)
        self._theta = given.pop("theta", 0.5)
        planning = {**_DEFAULTS, **given, **fixed}
        return self._planned(plan_basic(**planning), {"theta": self._theta, **planning})

    def scorecard(self, outcomes: Sequence[Judgements]) -> Mapping[str, Estimate]:
        """Every figure of the outcomes.

        Raises:
            ValueError: theta is out of its range.
        """
        # Imported here: it loads numpy and scipy, which listing the tasks doesn't need.
        from bias_tasks.metrics.complex_eval import basic_scorecard

        return basic_scorecard(_joined(outcomes), theta=self._theta)


class AdvancedTask(_ScoredTask):
    """Single responses: the original is judged twice, every attacked one once."""

    def documents(self, family: Family) -> Documents:
        """The questions of the run.

        Args:
            family: math, role_playing or creative_writing.
        """
        elsewhere = OF_PAIRS | (OF_SCORES if family == "math" else {})
        given = read_parameters(self.config.metadata, ADVANCED_PARAMETERS, elsewhere)
        self._beta = given.pop("beta", None)
        planning = {**_DEFAULTS, **given}
        return self._planned(plan_advanced(family, **planning), {"beta": self._beta, **planning})

    def scorecard(self, outcomes: Sequence[Judgements]) -> Mapping[str, Estimate]:
        """Every figure of the outcomes.

        Raises:
            ValueError: beta is out of its range.
        """
        # Imported here: it loads numpy and scipy, which listing the tasks doesn't need.
        from bias_tasks.metrics.complex_eval import advanced_scorecard

        return advanced_scorecard(_joined(outcomes), beta=self._beta)


def question_documents(
    questions: Iterable[JudgeQuestion | AttentionQuestion],
    said: Mapping[str, Any],
    provenance: Sequence[Mapping[str, Any]],
) -> Documents:
    """What a run asks, and what its log says of it: `said`, and where the items come from."""
    rows = [
        {
            "id": question.id,
            "prompt": question.prompt(),
            "gold": _gold(question),
            "facts": question.facts(),
        }
        for question in questions
    ]
    return Documents(rows, {**said, "provenance": list(provenance)})


def _gold(question: JudgeQuestion | AttentionQuestion) -> str:
    """The number of flaws, the position of the first wrong step, or nothing."""
    if isinstance(question, AttentionQuestion):
        return str(len(question.facts()["flaws"]))
    position = question.item.first_error
    return "" if position is None else str(position)


def _joined(outcomes: Iterable[Judgements]) -> list[Judgement]:
    return [judgement for outcome in outcomes for judgement in outcome]


_DEFAULTS: Mapping[str, Any] = {"data": "paper", "protocol": "corrected"}
_NAMED = (
    "the task's name says what is judged: leave `aux` and `attack` out, or run complexeval_basic"
)
_FOREIGN = "`{}` belongs to {}: leave it out here, or run those tasks by themselves"
# Parameters of some of the tasks, and what the error says of them in the others.
OF_PAIRS = {
    name: _FOREIGN.format(name, "preference pairs (complexeval_basic)")
    for name in ("aux", "attack", "theta")
}
OF_ATTACKS = {
    name: _FOREIGN.format(name, "attacks on single responses (complexeval_math, ...)")
    for name in ("bias", "beta", "responses")
}
OF_SCORES = {"beta": _FOREIGN.format("beta", "scores (complexeval_role_playing, ..._writing)")}
