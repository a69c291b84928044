"""Plans and small runs of judges, one letter or number a response."""

from bias_tasks.complex_eval.family import FAMILY
from bias_tasks.complex_eval.outcomes import Judgement


def planned(task, data="synthetic", **given):
    """The plan of a task, as a host makes it; named by its last part, or by what it has judged."""
    spec = FAMILY.tasks[f"complexeval_{task.removeprefix('creative_')}"]
    given = given if task == "attention_limit" else {"data": data, **given}
    return FAMILY.plan(spec.name, spec.values(given))


def judgement(item, aux, response, score, family="basic", **facts):
    facts = {"cluster": item, "domain": "d", **facts}
    return Judgement(item=item, family=family, aux=aux, response=response, score=score, **facts)


def pairs(chosen, rejected, aux="none", name="rejected", **facts):
    """One pair for each two scores; None stands for unread."""
    return [
        judgement(f"q{i}", aux, response, score, **facts)
        for i, both in enumerate(zip(chosen, rejected, strict=True))
        for response, score in zip(("chosen", name), both, strict=True)
    ]


def judged(family, gold=None, **scores):
    """One item for each place; scores by response, `...` where it was not judged."""
    return [
        judgement(f"q{i}", "full", response, score, family, gold=gold and gold[i])
        for response, row in scores.items()
        for i, score in enumerate(row)
        if score is not ...
    ]
