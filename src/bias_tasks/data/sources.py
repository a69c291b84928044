"""The data sets of every family: where each comes from, pinned, and what is known about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bias_tasks.data.binary_qa.sources import BINARY_SOURCES
from bias_tasks.data.complex_eval.sources import JUDGED_SOURCES
from bias_tasks.data.output_format.sources import FORMAT_SOURCES
from bias_tasks.data.pinned import PinnedFile, Source
from bias_tasks.items import Form

__all__ = ["DEFAULT_SOURCES", "INSTRUCTION_BOUNDARY", "SOURCES", "PinnedFile", "Source"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InstructionBoundarySource(Source):
    """A data set of judging or choice items."""

    form: Form
    items: Mapping[str, int] | None = None
    """Items under each protocol: keys `published` and `corrected`."""
    labels: Mapping[str, int] | None = None
    """Items of each gold label, corrected."""
    subset: Mapping[str, int] | None = None
    """How many of each label are taken, in hash order of the ids; None takes everything."""


_INSTRUCTION_BOUNDARY = "ZpLing/Instruction-Boundary"
_INSTRUCTION_BOUNDARY_COMMIT = "720bdfb7700d0728f4133a0eda29c37fa51c902e"
_NUMBERED = (
    "gold positions count from 0, MultiRC options are printed without numbers and the other "
    'options carry "0. " to "3. " prefixes; corrected numbers every option from 1'
)

_ALL = (
    InstructionBoundarySource(
        name="ib_choice",
        form="choice",
        description="the paper's choice items: MultiRC, CommonsenseQA, MMLU, ScienceQA, TruthfulQA",
        repository=_INSTRUCTION_BOUNDARY,
        revision=_INSTRUCTION_BOUNDARY_COMMIT,
        licence="none stated",
        files=(
            PinnedFile(
                "src/dataset/choice_tfu_format_dataset.json",
                sha256="fe2a0940ccabfa4276ffcc789a597cc5807c443e91851cc9dc5d0be791e8a591",
                git_blob="3f6127a8b36d0034779c34935ba6b7486c0d27ca",
            ),
        ),
        records=450,
        items={"published": 450, "corrected": 373},
        labels={"single": 73, "multiple": 150, "none": 150},
        issues=(
            "77 of the 450 rows repeat a question with its options (40 repeat an id too), all of "
            "them single-answer; corrected keeps each once",
            _NUMBERED,
        ),
    ),
    InstructionBoundarySource(
        name="ib_choice_2700",
        form="choice",
        description="the authors' later and larger choice items, of the same five data sets",
        repository=_INSTRUCTION_BOUNDARY,
        revision=_INSTRUCTION_BOUNDARY_COMMIT,
        licence="none stated",
        files=(
            PinnedFile(
                "MCQs_2700.json",
                sha256="2fc9d67149ae5eb66afecc68fa6f9467b0a9174b896f414444cb284094be12ee",
                git_blob="11eeb9ba239b370d7f0d603e1c01c7c018d12fc7",
            ),
        ),
        records=2700,
        items={"published": 2700, "corrected": 2697},
        labels={"single": 897, "multiple": 900, "none": 900},
        issues=(
            "3 of the 2,700 rows repeat a question with its options; corrected keeps each once",
            "one item prints the same option twice",
            _NUMBERED,
        ),
    ),
    InstructionBoundarySource(
        name="ib_judging",
        form="judging",
        description="the authors' judging questions",
        repository=_INSTRUCTION_BOUNDARY,
        revision=_INSTRUCTION_BOUNDARY_COMMIT,
        licence="none stated",
        files=(
            PinnedFile(
                "Judging Questions.json", git_blob="0ba6effdfde18a2a017c5659f6e4994f7a591426"
            ),
        ),
        issues=("known by its git blob id alone: its counts are not checked",),
    ),
    InstructionBoundarySource(
        name="folio",
        form="judging",
        description="FOLIO: statements about premises written by people, with first-order logic",
        repository="Yale-LILY/FOLIO",
        revision="5d7bb84c7edab3fb358e057d2807f19cf5cf5e2d",
        licence="CC BY-SA 4.0",
        files=(
            PinnedFile(
                "data/v0.0/folio-train.jsonl",
                sha256="008d34b750d31fa7f014e953228adf4db81ec34bbda9e7f67c96c60438d1e6b2",
                git_blob="6b199ee52af24a6e74fda22f87760a8647c9dbbd",
            ),
            PinnedFile(
                "data/v0.0/folio-validation.jsonl",
                sha256="6922c988ef10987bd6545568ee8e63e897af80994591fa20539767da58f8e3d1",
                git_blob="06244bd10b37eac73cba7aca6c336e96011ace58",
            ),
        ),
        records=1208,
        items={"published": 640, "corrected": 640},
        labels={"True": 160, "False": 160, "Unknown": 320},
        subset={"True": 160, "False": 160, "Unknown": 320},
        issues=(
            "the paper's own choice of 640 (half Unknown) is not public: it is taken here in hash "
            "order of the ids, the same for every seed",
            "one record is repeated; it counts once",
            'Unknown is spelt "Unknown" in train and "Uncertain" in validation',
        ),
    ),
    InstructionBoundarySource(
        name="fld",
        form="judging",
        description="FLD v2: synthetic multi-step deduction (config default, split test)",
        repository="hitachi-nlp/FLD.v2",
        revision=None,
        config="default",
        split="test",
        licence="see the data set's page",
        records=5000,
        items={"published": 600, "corrected": 600},
        labels={"True": 150, "False": 150, "Unknown": 300},
        subset={"True": 150, "False": 150, "Unknown": 300},
        issues=(
            "no revision is pinned: the first load resolves one and keeps it in the cache",
            "the paper's own choice of 600 (half Unknown) is not public: it is taken here in hash "
            "order of the ids, the same for every seed",
        ),
    ),
    InstructionBoundarySource(
        name="mmlu_pro",
        form="choice",
        description="MMLU-Pro's ten-option questions, for disturbing_miscellany",
        repository="TIGER-AI-Lab/MMLU-Pro",
        revision="f418b116db00b065c2aea046518d8fcf74d39872",
        licence="Apache-2.0",
        files=(
            PinnedFile(
                "eval_results/model_outputs_Meta-Llama-3_1-8B-Instruct_5shots.zip",
                sha256="d5e76b2564b5baad90892c3664287a51f562a3be792a130acaec458b8560a1cf",
                git_blob="487d6cf8bb205ab955258d9419d55550e6ce888e",
            ),
        ),
        records=12032,
        items={"published": 300, "corrected": 300},
        labels={"single": 300},
        subset={"single": 300},
        issues=(
            "9,982 of the 12,032 questions have ten options; 153 of those repeat another",
            "the paper's own choice of 300 is not public: it is taken here in hash order of the "
            "ids, the same for every seed",
        ),
    ),
)

INSTRUCTION_BOUNDARY: Mapping[str, InstructionBoundarySource] = {
    source.name: source for source in _ALL
}
SOURCES: Mapping[str, Source] = {
    **INSTRUCTION_BOUNDARY,
    **BINARY_SOURCES,
    **FORMAT_SOURCES,
    **JUDGED_SOURCES,
}

# Nothing unpinned runs unless asked for, so neither `fld` nor `ib_judging` (whose columns nobody
# has checked) is a default.
DEFAULT_SOURCES: Mapping[Form, tuple[str, ...]] = {"choice": ("ib_choice",), "judging": ("folio",)}
