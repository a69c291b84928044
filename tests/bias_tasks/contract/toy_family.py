"""A fifth family, as another package would bring it: sums, asked plainly and with a wrong hint."""

from statistics import fmean
from typing import ClassVar

from bias_tasks.contract.family import Family, Outcome, Plan, Question
from bias_tasks.contract.figures import ITEMS, Figure
from bias_tasks.contract.parameters import Parameter, TaskSpec
from bias_tasks.statistics.estimate import Estimate, items_counted

PARAMETERS = (
    Parameter("protocol", "text", "corrected", "either", ("corrected", "published")),
    Parameter("n", "whole", 4, "so many sums", low=1, high=90),
    Parameter("least", "number", 0.5, "the share from which a verdict is good", for_figures=True),
)


class Sums(Family):
    """One sum an item; the hinted variant names a wrong result."""

    name = "tests.bias_tasks.contract.toy_family"
    version = 1
    tasks: ClassVar = {
        "sums": TaskSpec(
            "sums",
            "Do wrong hints move sums?",
            PARAMETERS,
            headline=("acc/hinted",),
            beside=("acc/plain", "good"),
        )
    }
    figures = (
        Figure("acc", "share of right sums", better="higher", parts=(0, 1)),
        Figure("good", "whether acc is at least `least`", unit="verdict", better="higher"),
        ITEMS,
    )
    in_groups = ()

    def plan(self, task, values, *, likelihoods=False):
        """Each sum plainly, then with the hint."""
        questions = [
            _question(number, variant)
            for number in range(values["n"])
            for variant in ("plain", "hinted")
        ]
        return Plan(tuple(questions), ({"source": "toy", "n": values["n"]},), "toy")

    def read(self, facts, answer):
        """The last number in the text; anything else is unread."""
        words = [word for word in answer.text.split() if word.isdecimal()]
        read = words[-1] if words else None
        return Outcome(
            item=facts["item"],
            cluster=facts["cluster"],
            variant=facts["variant"],
            gold=facts["gold"],
            answer=read,
            score=float(read == facts["gold"]),
            why="the last number" if words else "no number",
            reason=answer.reason(None if words else "invalid_response_format", unread=not words),
            epoch=answer.epoch,
        )

    def scorecard(self, outcomes, options):
        """Accuracy of both variants and by variant, and the verdict."""
        if not outcomes:
            return {}
        card = {"acc": _rate(outcomes)}
        for variant in sorted({outcome.variant for outcome in outcomes}):
            card[f"acc/{variant}"] = _rate([o for o in outcomes if o.variant == variant])
        good = float(card["acc"].value >= options["least"])
        card["good"] = Estimate(good, good, good, len(outcomes))
        return card | items_counted(outcome.item for outcome in outcomes)


def _question(number, variant):
    item, gold = f"sum-{number}", str(number + 7)
    hint = " I think it is 3." if variant == "hinted" else ""
    facts = {"item": item, "cluster": item, "variant": variant, "gold": gold}
    prompt = f"What is {number} + 7?{hint}"
    return Question(f"{item}/{variant}", item, item, variant, prompt, gold, facts, known=(number,))


def _rate(outcomes):
    value = fmean(outcome.score for outcome in outcomes)
    return Estimate(value, max(value - 0.5, 0.0), min(value + 0.5, 1.0), len(outcomes))


FAMILY = Sums()
