"""Plans and outcomes of probed tasks, written as short as they can be."""

from bias_tasks.contract.family import Outcome
from bias_tasks.families import load_family
from bias_tasks.probing.plan import plan_probes


def planned(items, probes=None, *, others=(), ids=(), **values):
    """What a run with these values of `probe` asks of the items."""
    given = load_family("probing").tasks["probe"].values({"probes": probes, **values})
    return plan_probes(given, items, others, ids=ids or [each.id for each in items])


def outcomes(rows, *, epoch=1, cluster=None):
    """The outcomes of `{item: {variant: score}}`; an answer is its score, unread where it is None.

    Args:
        rows: a score may also be a pair of score and answer.
        epoch: of all of them.
        cluster: of an item by its name; none by default.
    """
    return [
        _outcome(item, variant, told, epoch, (cluster or {}).get(item, ""))
        for item, row in rows.items()
        for variant, told in row.items()
    ]


def _outcome(item, variant, told, epoch, cluster):
    score, answer = told if isinstance(told, tuple) else (told, None if told is None else str(told))
    return Outcome(item, cluster, variant, "gold", answer, score, "", epoch=epoch)


def row(plain, repeats=(), **probes):
    """What became of an item: its plain score, those of its repeats, and those under probes."""
    again = {f"repeat{place + 1}": score for place, score in enumerate(repeats)}
    return {"plain": plain, **again, **probes}


FOUR = {
    "1": row(1, (1, 1), a=1, b=0),
    "2": row(1, (1, 0), a=0, b=0),
    "3": row(0, (0, 1), a=1, b=0),
    "4": row(1, (1, 1), a=1),
}
"""Four items, of which probe b does not apply to one."""
