"""The figures of probes on outputs that others published."""

from dataclasses import dataclass

import pytest

from bias_tasks.output_format.metrics_table import FormatOutcome
from tests.bias_tasks.studies import load_study


@pytest.fixture(scope="module")
def study():
    return load_study("prompt_variance")


@dataclass
class Answered:
    item: str
    format: str
    score: float

    def outcome(self, protocol):
        follows = 1.0 if protocol == "corrected" else float(self.score > 0)
        return FormatOutcome(self.item, self.item, self.format, follows, self.score)


def test_formats_are_ways_of_asking_and_nothing_is_taken_for_noise(study):
    scores = {"a": (1, 1, 0, 1), "b": (1, 0, 0, 1), "c": (0, 0, 0, 1)}
    answers = [
        Answered(str(item), name, score)
        for name, column in scores.items()
        for item, score in enumerate(column)
    ]
    card = study.sensitivity(answers, "corrected")
    assert card["spread"].value == pytest.approx(3 / 4 - 1 / 4)
    assert card["bias_f"].value == pytest.approx(1e4 * (2 / 3) * 0.25**2)
    total = 12 * 0.25  # about the mean 1/2
    items = 3 * sum((mean - 0.5) ** 2 for mean in (2 / 3, 1 / 3, 0, 1)) / 3
    formats = 4 * 2 * 0.25**2 / 2
    rest = (total - 3 * items - 2 * formats) / 6
    parts = {"item": (items - rest) / 3, "probe": (formats - rest) / 4, "interaction": rest}
    shares = {name: max(part, 0) for name, part in parts.items()}
    for name, share in shares.items():
        assert card[f"variance/{name}"].value == pytest.approx(share / sum(shares.values()))
    assert card["variance/noise"].value == 0


def test_the_page_is_what_the_script_writes(study, shared_data):
    written = study.OUT.read_text(encoding="utf-8")
    assert written == study.page(shared_data), "run python benchmarks/prompt_variance.py"
