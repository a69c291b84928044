"""The data sets of ComplexEval (sections 4.2.1 and 4.2.2, appendix A.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bias_tasks.data.pinned import PinnedFile, Source
from bias_tasks.items.complex_eval import Family


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSource(Source):
    """A data set whose responses are judged."""

    judged: Family
    domain: str
    items: int | None = None
    """Items that are made of the records."""


_RMB = "Zhou-Zoey/RMB-Reward-Model-Benchmark"
_RMB_COMMIT = "2be3180857f2190b7ffa929d43190835627f1f4d"
_RMB_FOLDER = "RMB_dataset/Pairwise_set/Helpfulness"
_COSER = "Neph0s/CoSER"
_COSER_COMMIT = "624efc50db7be3a4e37cec6a1c58ed434dc9f2ce"


def _rmb(
    domain: str, task: str, sha256: str, git_blob: str, records: int, items: int | None = None
) -> JudgedSource:
    left_out = () if items is None else (f"{records - items} pairs are repeats or have no loser",)
    return JudgedSource(
        name=f"rmb_{domain.lower().replace(' ', '_')}",
        judged="basic",
        domain=domain,
        description=f"RMB helpfulness, {domain}: pairs of the task {task}",
        repository=_RMB,
        revision=_RMB_COMMIT,
        licence="none stated",
        files=(PinnedFile(f"{_RMB_FOLDER}/{domain}/{task}.json", sha256, git_blob),),
        records=records,
        items=items or records,
        issues=(
            "the paper's 1,056 pairs are not public: all of one task of the domain are used, in "
            "hash order where n cuts them",
            "the paper's references and rubrics are not public: the reference is another preferred "
            "answer to the same conversation, the rubric the domain's own",
            *left_out,
        ),
    )


_ALL = (
    _rmb(
        "Brainstorming",
        "Problem Solving",
        "e6416e15e6c978d54510333ce681ec36f33777b4d79877c5b9e81ff49ade560c",
        "78e0c8fb59b08cbbbaa1a264ce10e441f5866d68",
        records=100,
    ),
    _rmb(
        "Chat",
        "Casual Conversation",
        "8845fa20aaf93f786d591873a47b9e8b9972147f65a829e7c30298e0ae0c871a",
        "705eecf8b0c4fd67d37af2632955f115c45f26c7",
        records=306,
    ),
    _rmb(
        "Classification",
        "Content Categorization",
        "fbb360d6fcdc93511ef34042e586e7caee16530f11f055214e24d55e8daf2d0d",
        "2bdc534d71b8b0408ff2b11a92cef12bed559629",
        records=107,
    ),
    _rmb(
        "Closed QA",
        "OptionBased",
        "93d9bf400440b78416d283de0e7c833b2f4a320e7ff496b41836c4c72412eb37",
        "17d86f514b2eae0006c242e2af2bcfdbe8c83ba6",
        records=473,
        items=468,
    ),
    _rmb(
        "Code",
        "Documentation",
        "817bcd0d478c9ff714c0011b92ab0a28f2c729d31aaad1d7c5e676ece656eb78",
        "f253f3d6e673724b8893ac5b3a1d3fcf8981ed4e",
        records=65,
    ),
    _rmb(
        "Generation",
        "Professional Content Generation",
        "2fac46e67ef8a2bb4b9798482e38d65d63f939a266d5344aac250ee1a043dd8a",
        "80b7ba7874039cbb47536ff326694f925367a062",
        records=347,
    ),
    _rmb(
        "Open QA",
        "Interpretative Analysis",
        "0d2cf293676e0e510332caebaf5b4139e6b52081e919605c549436020bbe08ee",
        "26f4ad7328f6f37ed8f89434a817fbd1b0589ed1",
        records=107,
    ),
    _rmb(
        "Reasoning",
        "Logical Deduction",
        "62eedf90b698609ad9466fb93269d42cb4c5f2bf816da349afa66ffce89a8d78",
        "def161c1efb34cea7af661020c06046b6a5c5acc",
        records=222,
        items=221,
    ),
    _rmb(
        "Rewrite",
        "Paraphrasing",
        "7de5954fc3c227c488321252c5ca4c9b19200a6d4cb697f7e342475dd4db07fa",
        "4dc8018600a83b3fe041af545a4f7c973e8f5bea",
        records=83,
    ),
    _rmb(
        "Role Playing",
        "General Character",
        "1be349e066b6442302080d5fea5a179bb11fb703c3dea0a1ebd5c682533e2e10",
        "9fc2236825de963b10fe11287aae923ec0e230df",
        records=163,
        items=162,
    ),
    _rmb(
        "Summarization",
        "Specialized Summaries",
        "9810fe2de4ba88bac2f82bc8b62b2dff6e8f0f8079aae075ab0d050e8d34656b",
        "e542cbeb74349aa245bd4c96cf22c812c40e3766",
        records=189,
    ),
    _rmb(
        "Translation",
        "Literary and Cultural Translation",
        "e5cff28b5d0745d0fdc328eedf21581b799881cd127fd338c3eb60dde9a9d7ff",
        "7286a52540bc77db8c1fb56419c503174b5b5b97",
        records=176,
    ),
    JudgedSource(
        name="coser",
        judged="role_playing",
        domain="role_playing",
        description="CoSER's test set: scenes of books with their dialogues, without simulations",
        repository=_COSER,
        revision=_COSER_COMMIT,
        licence="none stated",
        files=(
            PinnedFile(
                "data/test/test_set.json",
                "eb175779d1d5adf99c893ff1f82de9b18ada912d3f385b3f5419195afdfb374a",
                "edabd9251e2a86ab0e2a1860a0429479e4bfc5f7",
            ),
        ),
        records=200,
        items=200,
        issues=("a scene is judged when responses= gives a dialogue for it, and not otherwise",),
    ),
    JudgedSource(
        name="coser_simulations",
        judged="role_playing",
        domain="role_playing",
        description="CoSER's example scenes with simulations by GPT-4o",
        repository=_COSER,
        revision=_COSER_COMMIT,
        licence="none stated",
        files=(
            PinnedFile(
                "exp/simulation/test_set_gpt-4o.json",
                "094e64b5985c2653caacf1cf14e25e1c9ab1f56e30c39afb21fa56ed5c5bbc61",
                "dd722f080f845a8a9f3763b8a5cf4a91d3e37559",
            ),
        ),
        records=3,
        items=3,
        issues=("who speaks next and inner thoughts are left out, as CoSER's own judge sees them",),
    ),
    JudgedSource(
        name="writingbench",
        judged="creative_writing",
        domain="all of its six",
        description="WritingBench: requests that ask for a length, each with five criteria",
        repository="X-PLUG/WritingBench",
        revision="ae2d5176449b7b769815482641d35926f26793eb",
        licence="Apache-2.0",
        files=(
            PinnedFile(
                "benchmark_query/requirement/length/length_subset.jsonl",
                "5f12e5c85f8298f53045bfe2a37a3a37d5c04e3d6ef33b68b023478444ac85ab",
                "2bfe99bac25624abe2e2f790118fc49e8e16b94f",
            ),
        ),
        records=222,
        items=222,
        issues=("it has no responses and no references: give both with responses=",),
    ),
    JudgedSource(
        name="processbench",
        judged="math",
        domain="olympiadbench",
        description="ProcessBench, split olympiadbench: steps of solutions, first error marked",
        repository="Qwen/ProcessBench",
        revision=None,
        split="olympiadbench",
        licence="see the data set's page",
        issues=(
            "no revision is pinned: the first load resolves one and keeps it in the cache",
            "it has no reference solutions, and the paper's are not public: a file of your own in "
            "its layout may give them as reference_solution",
        ),
    ),
)

JUDGED_SOURCES: Mapping[str, JudgedSource] = {source.name: source for source in _ALL}


def family_sources(family: Family) -> dict[str, JudgedSource]:
    """The family's data sets, by name."""
    return {name: source for name, source in JUDGED_SOURCES.items() if source.judged == family}
