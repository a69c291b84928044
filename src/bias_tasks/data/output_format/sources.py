"""The data sets of output format bias (FormatEval, section 4 and appendix D.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bias_tasks.data.pinned import PinnedFile, Source
from bias_tasks.items.output_format import AnswerType

PREFIX = "format_"
"""Sets the names apart from other families' data sets: HotpotQA is one of binary_qa too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSource(Source):
    """A data set whose questions are asked in several formats."""

    answer_type: AnswerType
    items: Mapping[str, int] | None = None
    """Items under each protocol: keys `published` and `corrected`."""

    @property
    def dataset(self) -> str:
        """What `dataset=` calls it."""
        return self.name.removeprefix(PREFIX)


_REPOSITORY = "WING-NUS/FormatEval"
_COMMIT = "6d5e65edb44bf91cd6e92b3692b7765f3f89727a"


def _formateval(
    dataset: str,
    answer_type: AnswerType,
    description: str,
    file: PinnedFile,
    *,
    records: int,
    corrected: int | None = None,
    issues: tuple[str, ...] = (),
) -> FormatSource:
    return FormatSource(
        name=PREFIX + dataset,
        answer_type=answer_type,
        description=description,
        repository=_REPOSITORY,
        revision=_COMMIT,
        licence="none stated",
        files=(file,),
        records=records,
        items={"published": records, "corrected": corrected or records},
        issues=issues,
    )


def _scirex(level: str, sha256: str, git_blob: str, keys: str, *issues: str) -> FormatSource:
    return _formateval(
        f"scirex_{level}",
        "mapping",
        f"SciREX, {level}: the entities of the types {keys}",
        PinnedFile(f"EvalData/dict_SciREX_{level}.csv", sha256, git_blob),
        records=66,
        issues=(
            *issues,
            "a type of which a document has nothing is asked for all the same, and an empty list "
            "is its right answer",
            "50 of the 66 documents begin with the data set's own mark 'document : '",
        ),
    )


_DOUBLED = (
    "3 marks of one document are doubly encoded ('â\\x80\\x9c' for a quotation mark); no answer is "
    "touched, and the document stays as it is"
)

_ALL = (
    FormatSource(
        name=PREFIX + "mmlu",
        answer_type="option_letter",
        description="MMLU: questions with four options, of 27 of its 57 subjects",
        repository="cais/mmlu",
        revision="c30699e8356da336a370243923dbaf21066bb9fe",
        licence="MIT",
        config="all",
        split="test",
        issues=(
            "the paper's own 27 subjects are not public: they are taken here in hash order of "
            "their names, the same for every seed",
            "some questions occur twice, in one subject or in two; corrected keeps each once",
            "the first load records the hash of what it found, and every later one checks it; its "
            "counts are not checked",
        ),
    ),
    _formateval(
        "bbh",
        "option_letter",
        "BIG-Bench Hard, sports understanding: is a sentence plausible?",
        PinnedFile(
            "EvalData/mcq_bbh_test_1.csv",
            sha256="03afd55fd4c94a729ef1c3c85d7feb094652fd9f2bb958b947c2ad28e9ae9568",
            git_blob="a5c30a3454080a8867c416fc91ae99b6be2b7a11",
        ),
        records=250,
        corrected=248,
        issues=(
            "2 of the 250 rows repeat another; corrected keeps each once",
            "A is always yes and B always no: 115 answers are A and 135 are B",
        ),
    ),
    _formateval(
        "gsm8k",
        "number",
        "GSM8K: math word problems for grade school",
        PinnedFile(
            "EvalData/generation_gsm8k_test_200.csv",
            sha256="7922b4ed4242586e456d950289347e7711d27bbc34dd3d6e373a0812a90fd0f3",
            git_blob="a541be80411d9f3f7eee02c1ef2a6936317ced85",
        ),
        records=200,
        issues=("3 of the 200 answers are written with a comma, such as 1,875",),
    ),
    _formateval(
        "hotpotqa",
        "text",
        "HotpotQA: questions about two of ten paragraphs",
        PinnedFile(
            "EvalData/generation_hotpotqa_validation_200.csv",
            sha256="eec92beaf8f4ceb696ae52cd0bb2141999bde849317d2a8639fdb20eaedb20d4",
            git_blob="fb4f73c55cdb3492ee28ff77e919bd980e2583d5",
        ),
        records=200,
        issues=(
            "3 of the 200 have fewer than ten paragraphs (8, 4 and none at all): asked as they are",
            "14 of the answers are yes or no",
        ),
    ),
    _formateval(
        "fairytaleqa",
        "text",
        "FairytaleQA: questions about a section of a fairy tale",
        PinnedFile(
            "EvalData/generation_fairytaleqa_200.csv",
            sha256="d636befb658ba100a5d1dac5f1217fa921b04c6e784d1337e921a1e81624c318",
            git_blob="d0738f683d3201362b5b0d4276b99ed071d0fb61",
        ),
        records=200,
        issues=("the 200 questions are about 147 sections of 23 tales; a tale is a cluster",),
    ),
    _formateval(
        "scidocs",
        "binary_list",
        "SciDocsRR: which of 27 to 30 papers bear on a topic?",
        PinnedFile(
            "EvalData/list_scidocs_reranking_200.csv",
            sha256="5de05147ebc266cb9af92930a9341eb4127e2630ea04534414fc980243c28773",
            git_blob="ce7a07a755353e3ee3dfe8042497cd3944903ea6",
        ),
        records=200,
        issues=(
            "published lists the relevant papers first, so that the order tells the answer; "
            "corrected shuffles them by seed and topic",
            "3 topics occur twice, with other papers; a topic is a cluster",
            "193 of the 200 have five relevant papers, the others two to four",
        ),
    ),
    _formateval(
        "semeval2017",
        "string_list",
        "SemEval 2017 task 10: keyphrases of a scientific paragraph",
        PinnedFile(
            "EvalData/list_keyphrases_SemEval2017_200.csv",
            sha256="4354c787920beff4f6f159e3a91644992ac17b6f512fbc663ceae9b18b0bbdde",
            git_blob="dd3f72644b91be7faed1008b78d64e773c51b8cf",
        ),
        records=200,
        issues=(
            "3 keyphrases end in a no-break space; corrected strips it",
            "18 of the 200 lists hold a keyphrase in two spellings that differ in capitals alone",
        ),
    ),
    _scirex(
        "easy",
        "86a487af4235157d63770f75ec4195a8344ddb360da39cd3b4763d19468e9185",
        "5a9edaa3c01b498928b1819e354011f6c0ce5f4d",
        "Task",
        "23 of the 66 documents have no entity, so that an empty list is the whole answer",
    ),
    _scirex(
        "medium",
        "1b05923389d4b85dea6ea69ca945a821bdae84f992816e2cc01ec72a9b50e9eb",
        "b104e2774f0bfe8b6dca36c8422cc43b0bc3c602",
        "Task and Method",
        "no Task in 11 of the 66 documents, no Method in 2",
        _DOUBLED,
    ),
    _scirex(
        "hard",
        "d141932ce057616d84f190e6249705782514466754cddc33835cfc9fcdf1a699",
        "1a43c1c13d0dbb01e01a8dab6a1085e6a3c748f9",
        "Task, Method, Material and Metric",
        "no Task in 5 of the 66 documents, no Method in 1, no Material in 53, no Metric in 48",
        _DOUBLED,
    ),
)

FORMAT_SOURCES: Mapping[str, FormatSource] = {source.name: source for source in _ALL}
FORMAT_DATASETS: Mapping[str, FormatSource] = {source.dataset: source for source in _ALL}
"""By what `dataset=` calls them."""
