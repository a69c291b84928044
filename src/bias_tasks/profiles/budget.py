"""How many calls of a profile a budget pays for."""

from __future__ import annotations

from collections.abc import Sequence

from bias_tasks.planning.plan import Asking, plan_task
from bias_tasks.planning.price import Price
from bias_tasks.profiles.chosen import Data, chosen_tasks, profile_declared


def calls_for(budget: float, prices: Sequence[tuple[str, Price]], data: Data) -> int:
    """The calls that cost about as much as the budget, over all models together.

    Args:
        budget: dollars.
        prices: of each model.
        data: what is asked.

    Raises:
        ValueError: a profile of one of the models costs nothing.
        DataError: the items can't be had.
    """
    calls = profile_declared().calls
    spent = 0.0
    for model, price in prices:
        asking = Asking(model=model, price=price, effect=False)
        for chosen in chosen_tasks(calls, data):
            spent += plan_task(chosen.task, chosen.parameters, asking).dollars or 0.0
    if spent <= 0:
        raise ValueError("--budget: these models cost nothing; give --calls instead")
    return int(calls * budget / spent)
