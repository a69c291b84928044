"""The task classes behind the YAML of binary question answering."""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, ClassVar

from lm_eval.api.instance import Instance

from bias_tasks.design.binary_qa import (
    REPEATS,
    BinaryParams,
    BinaryQuestion,
    plan_binary,
)
from bias_tasks.design.known import make_known
from bias_tasks.harness.afresh import asked_afresh
from bias_tasks.harness.figures import OutcomeScore
from bias_tasks.harness.parameters import ANY, COUNT, NAMES, TEXT, Kind, read_parameters
from bias_tasks.harness.task import Documents, FamilyTask
from bias_tasks.items.binary_qa import VARIANTS
from bias_tasks.metrics.binary_qa import DEFAULT_WEIGHTS, BinaryOutcome
from bias_tasks.metrics.estimate import Estimate
from bias_tasks.scoring.binary_qa import binary_outcome, read_binary

_ASKING: Mapping[str, Kind] = {"order": TEXT, "protocol": TEXT, "weights": ANY}
"""What `BinaryParams` takes and checks."""
PARAMETERS: Mapping[str, Kind] = {
    **_ASKING,
    "data": TEXT,
    "domains": NAMES,
    "sources": NAMES,
    "reformulate": TEXT,
    "seed": COUNT,
    "n": COUNT,
}
"""The rest is what `plan_binary` takes."""
_ONE_DOMAIN = {
    "domains": "the task's name says the domain: leave `domains` out, or run the task without it"
}

_HIGHER_IS_BETTER = frozenset({"f1", "prc", "nrc", "arc", "sc", "mbs"})

# Below the harness's own logger, so that it prints what is said here.
logger = logging.getLogger("lm_eval.bias_tasks")


class BinaryTask(FamilyTask[BinaryOutcome]):
    """Yes/no questions under the variants that a task needs, each asked once.

    A document is `{id, prompt, gold, facts}`: id is `<item>/<variant>`, gold is the right answer
    under the variant, and `facts` is what its outcome takes beside the answer.
    """

    WITHOUT: ClassVar[frozenset[str]] = frozenset()
    """Variants that make no sense here."""
    CUE: ClassVar[bool] = False
    """Whether prompts end where the answer is to follow."""

    def documents(self, asks: str, domain: str | None = None) -> Documents:
        """The questions of the run.

        Args:
            asks: the task whose variants are asked, a key of `design.binary_qa.ASKED`.
            domain: the one domain to ask, where the YAML names it.
        """
        given = read_parameters(self.config.metadata, PARAMETERS, _ONE_DOMAIN if domain else {})
        self._params = BinaryParams(**{name: given.pop(name) for name in _ASKING if name in given})
        planning = {"data": "paper", **given}
        if domain is not None:
            planning["domains"] = domain
        planned = plan_binary(asks, self._params, without=self.WITHOUT, **planning)
        make_known(planned)
        if planned.domains_note is not None:
            logger.warning("%s: %s", self.config.task, planned.domains_note)
        return Documents(
            [self.doc(question) for question in planned.questions],
            {
                **asdict(self._params),
                **planning,
                "domains": list(planned.domains),
                "domains_note": planned.domains_note,
                "provenance": list(planned.provenance),
            },
        )

    def doc(self, question: BinaryQuestion) -> dict[str, Any]:
        """The document that asks `question`."""
        return {
            "id": question.id,
            "prompt": question.prompt(cue=self.CUE),
            "gold": question.gold,
            "facts": question.facts(),
        }

    @abstractmethod
    def answer(self, results: Sequence[Any]) -> str | None:
        """`Yes`, `No`, or None where neither is the answer."""

    def score(self, doc: Mapping[str, Any], results: Sequence[Any]) -> OutcomeScore[BinaryOutcome]:
        """What became of the question."""
        outcome = binary_outcome(doc["facts"], self.answer(results))
        return OutcomeScore(float(outcome.right), outcome)

    def scorecard(self, outcomes: Sequence[BinaryOutcome]) -> Mapping[str, Estimate]:
        """Every figure of the outcomes."""
        # Imported here: it loads numpy and scipy, which listing the tasks doesn't need.
        from bias_tasks.metrics.binary_qa import binary_scorecard

        return binary_scorecard(
            outcomes, protocol=self._params.protocol, weights=self._params.weights
        )

    def more_is_better(self, name: str) -> bool | None:
        """Whether a higher figure is a better one; None where that can't be said.

        The differences between the classes and the Yes-rate are best in their middle.
        """
        group, _, kind = name.rpartition("/")
        if group == "std":
            return False if kind in DEFAULT_WEIGHTS else None
        if group.rpartition("/")[2] == "acc":
            return True if kind in VARIANTS else None
        if kind == "unread":
            return False
        return True if kind in _HIGHER_IS_BETTER else None


class GeneratedAnswers(BinaryTask):
    """The model writes its answer.

    The harness does not say whether an answer was cut at its token limit, so `max_gen_toks` must
    leave room for a whole one. Its network models send the same seed with each request: whoever
    samples answers (`--gen_kwargs`) sends none with `seed=None`, or the repeats may be alike.
    """

    def answer(self, results: Sequence[str]) -> str | None:
        """What the text says; None where that is neither, or both."""
        return read_binary(results[0]).label

    def construct_requests(self, doc: Mapping[str, Any], ctx: str, **options: Any) -> Instance:
        """The request of a document; a repeat's has a key of its own in the harness's cache."""
        request = super().construct_requests(doc, ctx, **options)
        variant = doc["facts"]["variant"]
        return asked_afresh(request, variant) if variant in REPEATS else request


class LikelierAnswer(BinaryTask):
    """The answer is whichever of Yes and No is likelier after the prompt; a tie is neither.

    Nothing is sampled, so that a repeat would tell nothing.
    """

    WITHOUT = REPEATS
    CUE = True
    NO_ANSWER = ((0.0, False), (0.0, False))

    def answer(self, results: Sequence[tuple[float, bool]]) -> str | None:
        """The likelier answer, from the log-likelihoods of Yes and No in this order."""
        (yes, _), (no, _) = results
        if yes > no:
            return "Yes"
        return "No" if no > yes else None
