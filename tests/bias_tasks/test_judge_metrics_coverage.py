"""A smaller version of the coverage study of judges under auxiliary information."""

import importlib.util
import sys
from pathlib import Path

import pytest
from scipy.stats import binom

SETS = 40
STUDY = Path(__file__).parents[2] / "benchmarks" / "coverage_judges.py"
# A coverage of 93 % gives at least this share in all but one case in ten thousand.
LOWEST = binom.ppf(1e-4, SETS, 0.93) / SETS


@pytest.fixture(scope="module")
def study():
    spec = importlib.util.spec_from_file_location("coverage_judges_study", STUDY)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where its dataclasses look for their annotations
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("group", "name"),
    [
        ("PAIRS", "any, fours"),
        ("PAIRS", "unbiased"),
        ("ATTACKS", "any, fours"),
        ("ATTACKS", "unbiased"),
        ("ATTACKS", "math"),
        ("FLAWS", "ceiling, fours"),
    ],
)
def test_intervals_cover_the_truth(study, group, name):
    [design] = [d for d in getattr(study, group) if d.name == name]
    covered = study.coverage(design, 150, SETS)
    assert len(covered) >= 9
    assert not {figure: share for figure, share in covered.items() if share < LOWEST}


def test_intervals_are_not_merely_wide(study):
    rng = study.np.random.default_rng(0)
    widest = {"acc/none": 0.12, "gain/reference": 0.12, "asr_excess/format": 0.12}
    widest |= {"delta/format": 3, "breakpoint": 1, "ceiling": 1, "floor": 0.5}
    for design in (study.PAIRS[1], study.ATTACKS[1], study.FLAWS[2]):
        figures, truths = study.data_set(design, 600, rng)
        for name in widest.keys() & truths.keys():
            assert figures[name].ci_high - figures[name].ci_low < widest[name], name


def test_the_section_is_put_in_its_place(study):
    section = "## ComplexEval\n\nnew"
    page = "# Page\n\n## ComplexEval\n\nold\n\n## Others\n\ntext\n"
    assert study._with_section(page, section) == "# Page\n\n" + section + "\n\n## Others\n\ntext\n"
    assert study._with_section("# Page\n", section) == "# Page\n\n" + section + "\n"
