"""A simulated model answers another package's task as its name says, under every probe."""

import re

import pytest

from bias_tasks import probe
from bias_tasks.contract.logged_outcomes import find_logged_outcome, scoring_data_of
from bias_tasks.families import load_family
from bias_tasks.probing.probes import PROBES
from tests.bias_tasks.inspect_runs import evaluate
from tests.bias_tasks.probing.probed import own

FAMILY = load_family("probing")
NEEDS_FILE = {"paraphrase", "language"}


@pytest.mark.parametrize("task", ["lettered_choices", "printed_choices"])
@pytest.mark.parametrize(
    ("persona", "place"),
    [
        ("first_option", 0),
        ("last_option", -1),
        ("always_yes", 0),
        ("always_no", -1),
        ("guess", None),
        ("parrot", 0),
    ],
)
def test_constant_answers_have_the_place_of_their_name(task, persona, place, tmp_path):
    polisher = {"polisher": "simulated/polisher"}
    probed = probe(task=own(task), n=2, repeats=1)
    log = evaluate(probed, tmp_path, f"simulated/{persona}", model_roles=polisher)
    variants = set()
    for sample in log.samples:
        [score] = sample.scores.values()
        outcome = find_logged_outcome(score, sample.metadata, load_family).outcome
        variants.add(outcome.variant)
        data = scoring_data_of(FAMILY, sample.metadata)
        assert outcome.answer is not None, (outcome.variant, sample.output.completion)
        label = FAMILY.displayed_label(data, outcome.answer)
        style = data.perturbation.option_style
        labels = (style and style.labels) or "ABCD"
        expected = labels[: len(data.choices)]
        if persona == "parrot" and outcome.variant == "suggest":
            prompt = sample.messages[-2].text
            [expected] = re.findall(r"The answer to this problem is (\w)\.", prompt)
        elif place is not None:
            expected = [expected[place]]
        assert label in expected, (outcome.variant, sample.output.completion)
    assert variants >= {"baseline", "repeat1", *PROBES} - NEEDS_FILE
