"""Plans and small runs of judges, with one letter or number per response."""

from bias_tasks.complex_eval.family import FAMILY
from bias_tasks.complex_eval.outcomes import Judgement
from bias_tasks.complex_eval.scoring_data import JudgedResponse


def build_plan(task, data="synthetic", **params):
    """Return the plan of a task, named by its last part or by the kind of its items."""
    spec = FAMILY.tasks[f"complexeval_{task.removeprefix('creative_')}"]
    return FAMILY.plan(spec.name, spec.values({"data": data, **params}))


def build_judgement(item, aux, response, score, family="basic", epoch=1, **fields):
    """Return a judgement; the item is its own cluster by default."""
    fields = {"cluster": item, "domain": "d", "family": family, **fields}
    judged = JudgedResponse(item=item, aux=aux, response=response, **fields)
    return Judgement(judged, score, epoch)


def build_pairs(chosen, rejected, aux="none", name="rejected", **fields):
    """Return the judgements of one pair per pair of scores; None is an unparsed answer."""
    return [
        build_judgement(f"q{i}", aux, response, score, **fields)
        for i, scores in enumerate(zip(chosen, rejected, strict=True))
        for response, score in zip(("chosen", name), scores, strict=True)
    ]


def build_single(family, first_error=None, **scores):
    """Return judgements of one item per position; scores by response, `...` if not judged."""
    return [
        build_judgement(
            f"q{i}", "full", response, score, family, first_error=first_error and first_error[i]
        )
        for response, row in scores.items()
        for i, score in enumerate(row)
        if score is not ...
    ]


DIALOGUE = [["Mira", "(angry) Where is my key?"], ["Jon", "I saw no key."], ["Mira", "Who did?"]]
SCENE = {
    "id": "core-s",
    "query": "By the well.",
    "background": "Book: The Well",
    "profiles": {"Mira": "A weaver.", "Jon": "A shepherd."},
    "dialogue": DIALOGUE,
    "reference": [["Jon", "(kind) Let us look."]],
}
ROWS = {
    "pairs": {
        "id": "core-p",
        "domain": "Open QA",
        "query": "Why?",
        "chosen": "So.",
        "rejected": "No.",
        "reference": "Since.",
        "rubric": "Be right.",
        "background": "Known.",
        "attack_reference": "No, since.",
        "attack_rubric": "No. Rightly so.",
    },
    "math": {
        "id": "core-m",
        "problem": "1 + 1 + 1?",
        "steps": ["1 + 1 = 2", "2 + 1 = 4"],
        "label": 1,
        "reference_solution": "3",
        "attack_format": ["Thus 2", "Thus 4"],
        "attack_solution_fixation": ["By addition 2", "By addition 4"],
    },
    "role_playing": {**SCENE, "attacks": {"format": {"1": "(bows) I saw no key."}}},
    "writing": {
        "id": "core-w",
        "query": "A story!",
        "criteria": [{"name": "Plot", "description": "Has it one?"}],
        "response": "Once.",
        "reference": "Twice.",
        "attacks": {"format": "Once, twice."},
        "attacked_criterion": None,
    },
    "attention": {
        **SCENE,
        "flaws": [
            {"turn": 2, "content": "Who did? I am glad to help.", "dimension": "Anthropomorphism"},
            {"turn": 0, "content": "(calm) Where is my key?", "dimension": "Storyline Consistency"},
        ],
    },
}
"""A short row of each part of the core."""
