"""What a finished prompt must display, so that a probe can be put into it."""

from bias_tasks.probing.displayed_options import OptionStyle
from bias_tasks.probing.items import Perturbation, ProbedItem
from bias_tasks.probing.placement import (
    ALREADY_SO,
    NO_OPTIONS,
    NO_QUESTION,
    OTHER_LABELS,
    OTHER_ORDER,
    ProbePlacementError,
    check_prompt,
    finish_prompt,
)

PETS = ProbedItem("p", "Which barks?", ("the cat", "the dog"), (1,), target="B")
LETTERED, NUMBERED = "Which?\nA) the cat\nB) the dog", "Which?\n1. the cat\n2. the dog"
REVERSED, UNLABELLED = "Which?\n(A) the dog\n(B) the cat", "Which?\n- the cat\n- the dog"
WRAPPED = "Which?\nA) the\ncat\nB) the\ndog\nReply."
REWORDED, MOVED = Perturbation(text="Which woofs?"), Perturbation(order=(1, 0))
NUMBERS = Perturbation(option_style=OptionStyle(labels=("1", "2")))
SUGGESTED, BY_LABEL = Perturbation(suffix="It is A."), Perturbation(format="character")
CASES = [
    ("typo", REWORDED, "Which \nwoofs?\nA) the cat", None),
    ("typo", REWORDED, LETTERED, NO_QUESTION),
    ("labels", NUMBERS, LETTERED, None),
    *(("labels", NUMBERS, prompt, NO_OPTIONS) for prompt in (UNLABELLED, REVERSED, WRAPPED)),
    ("labels", NUMBERS, NUMBERED, ALREADY_SO),
    *(("format", BY_LABEL, prompt, None) for prompt in (LETTERED, NUMBERED, WRAPPED)),
    ("format", BY_LABEL, UNLABELLED, NO_OPTIONS),
    *(("order", MOVED, prompt, None) for prompt in (REVERSED, "Which?\nthe dog\nthe cat")),
    *(("order", MOVED, prompt, OTHER_ORDER) for prompt in (LETTERED, UNLABELLED)),
    *(("suggest", SUGGESTED, prompt, None) for prompt in (LETTERED, WRAPPED)),
    *(("suggest", SUGGESTED, prompt, OTHER_ORDER) for prompt in (UNLABELLED, REVERSED)),
    ("suggest", SUGGESTED, NUMBERED, OTHER_LABELS),
]


def place(data, prompt):
    """Return the prompt with the probe, or why it cannot be put there."""
    try:
        check_prompt(data, prompt, prompt)
        return finish_prompt(data.perturbation, prompt, len(data.choices)), None
    except ProbePlacementError as error:
        return prompt, str(error)


def test_a_probe_is_put_into_a_prompt_that_has_what_it_changes():
    for variant, perturbation, prompt, reason in CASES:
        finished, found = place(PETS.to_data(variant, perturbation), prompt)
        assert found == reason, (variant, prompt)
        changes_here = perturbation.suffix or perturbation.option_style
        assert (finished != prompt) == bool(changes_here and reason is None), (variant, prompt)
