"""A fifth family, as another package would bring it: sums, asked plainly and with a wrong hint."""

from statistics import fmean
from typing import ClassVar

from bias_tasks.contract.family import Family
from bias_tasks.contract.metrics import ITEMS, MetricSpec
from bias_tasks.contract.outcomes import Extra, Outcome
from bias_tasks.contract.parameters import Parameter, TaskSpec
from bias_tasks.contract.questions import Plan, Question, ScoringData
from bias_tasks.statistics.estimate import Estimate, count_items

PARAMETERS = (
    Parameter("protocol", "text", "corrected", "either", ("corrected", "published")),
    Parameter("n", "whole", 4, "so many sums", low=1, high=90),
    Parameter(
        "least", "number", 0.5, "the share from which a verdict is good", affects_metrics=True
    ),
)


class Sums(Family):
    """One sum an item; the hinted variant names a wrong result."""

    name = "tests.bias_tasks.contract.toy_family"
    version = 1
    scoring_data_type = ScoringData
    extra_type = Extra
    tasks: ClassVar = {
        "sums": TaskSpec(
            "sums",
            "Do wrong hints move sums?",
            PARAMETERS,
            headline=("acc/hinted",),
            reported=("acc/plain", "good"),
        )
    }
    metrics = (
        MetricSpec("acc", "share of right sums", better="higher", parts=(0, 1)),
        MetricSpec("good", "whether acc is at least `least`", unit="verdict", better="higher"),
        ITEMS,
    )

    def plan(self, task, values, *, likelihoods=False):
        """Each sum plainly, then with the hint."""
        questions = [
            _question(number, variant)
            for number in range(values["n"])
            for variant in ("plain", "hinted")
        ]
        return Plan(tuple(questions), ({"source": "toy", "n": values["n"]},), "toy")

    def score_visible_text(self, data, answer):
        """The last number in the text; anything else is unread."""
        words = [word for word in answer.text.split() if word.isdecimal()]
        read = words[-1] if words else None
        return Outcome(
            item=data.item,
            cluster=data.cluster,
            variant=data.variant,
            gold=data.gold,
            answer=read,
            score=float(read == data.gold),
            explanation="the last number" if words else "no number",
            reason=answer.abnormal_reason(
                None if words else "invalid_response_format", unparsed=not words
            ),
            epoch=answer.epoch,
            extra=Extra(),
        )

    def compute_metrics(self, outcomes, options, *, intervals=True):
        """Accuracy of both variants and by variant, and the verdict."""
        if not outcomes:
            return {}
        card = {"acc": _rate(outcomes)}
        for variant in sorted({outcome.variant for outcome in outcomes}):
            card[f"acc/{variant}"] = _rate([o for o in outcomes if o.variant == variant])
        good = float(card["acc"].value >= options["least"])
        card["good"] = Estimate(good, good, good, len(outcomes))
        return card | count_items(outcome.item for outcome in outcomes)


def _question(number, variant):
    item, gold = f"sum-{number}", str(number + 7)
    hint = " I think it is 3." if variant == "hinted" else ""
    data = ScoringData(item=item, cluster=item, variant=variant, gold=gold)
    prompt = f"What is {number} + 7?{hint}"
    return Question.from_scoring_data(data, prompt)


def _rate(outcomes):
    value = fmean(outcome.score for outcome in outcomes)
    return Estimate(value, max(value - 0.5, 0.0), min(value + 0.5, 1.0), len(outcomes))


FAMILY = Sums()
