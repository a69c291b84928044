"""Short ways to write plans and outcomes of probed tasks."""

from bias_tasks.contract.outcomes import Outcome
from bias_tasks.families import load_family
from bias_tasks.probing.family import ProbeExtra
from bias_tasks.probing.plan import plan_probes


def planned(items, probes=None, *, others=(), ids=(), **values):
    """Return the plan of a run with these values of `probe`."""
    given = load_family("probing").tasks["probe"].values({"probes": probes, **values})
    return plan_probes(given, items, others, ids=ids or [each.id for each in items])


def outcomes(rows, *, epoch=1, cluster=None):
    """Return the outcomes of `{item: {variant: score}}`; each answer is its score.

    Args:
        rows: a score may also be a pair of score and answer; None is unparsed.
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
    return Outcome(
        item, cluster, variant, "gold", answer, score, "", epoch=epoch, extra=ProbeExtra()
    )


def row(baseline, repeats=(), **probes):
    """Return the scores of an item: its baseline, its repeats and those under probes."""
    repeated = {f"repeat{index + 1}": score for index, score in enumerate(repeats)}
    return {"baseline": baseline, **repeated, **probes}


FOUR = {
    "1": row(1, (1, 1), a=1, b=0),
    "2": row(1, (1, 0), a=0, b=0),
    "3": row(0, (0, 1), a=1, b=0),
    "4": row(1, (1, 1), a=1),
}
"""Four items, of which probe b does not apply to one."""
