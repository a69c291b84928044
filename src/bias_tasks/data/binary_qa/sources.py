"""The data sets of binary question answering: the paper's five domains, and others to name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bias_tasks.data.pinned import PinnedFile, Source
from bias_tasks.items.binary_qa import PAPER_DOMAINS


@dataclass(frozen=True, slots=True, kw_only=True)
class BinarySource(Source):
    """A data set whose records become yes/no questions."""

    domain: str
    questions: int
    """How many are asked, unless some have to be passed over and nothing takes their place."""
    quotas: Mapping[str, int] | None = None
    """Questions of *each* answer, by stratum (level, style, or "" for the only one).

    None takes as many Yes as No questions as there are, at most `MOST_PER_ANSWER` of each.
    """


MOST_PER_ANSWER = 100
"""The paper's number of questions for each answer of a domain (section 2.1)."""

_MQM = "google/wmt-mqm-human-evaluation"
_MQM_COMMIT = "7fadea281aff8db61cc72fc3d469a4dca78b82a6"
_BBH = "suzgunmirac/BIG-Bench-Hard"
_BBH_COMMIT = "9ee07bd481feebf959a6b59d61ea57bdcf30964d"
_ETHICS = "EleutherAI/hendrycks_ethics"

_NOT_PUBLIC = (
    "the paper's own choice of questions is not public: they are taken in hash order of the ids, "
    "the same for every seed"
)
_CHECKED_BY_HASH = "the first load records the hash of what it found, and every later one checks it"
_ONE_REVISION = (
    "no revision is pinned: the first load resolves one and keeps it in the cache, with its hash"
)
_MARKS = (
    "a rating is an error if it marks a minor or major one and clean if it says so; marks of an "
    "error in the source, of a creative reinterpretation and neutral ones (opinions) tell neither, "
    "and leave the segment out",
    "human translations are left out: they are rarely marked, so that who translated would tell "
    "the answer, and the domain is machine translation",
    "equal translations of a sentence are one question, and all their ratings have to agree",
)

_PAPER = (
    BinarySource(
        name="boolq",
        domain="reading",
        questions=200,
        description="BoolQ: questions people asked a search engine, with the passage that answers",
        repository="google/boolq",
        revision="35b264d03638db9f4ce671b711558bf7ff0f80d5",
        licence="CC BY-SA 3.0",
        split="validation",
        quotas={"": 100},
        issues=(
            "from the validation split, which models are not trained on by intent; the paper does "
            "not say which it sampled",
            "the questions are printed in lower case without a question mark: they get a capital "
            "letter and the mark",
            _NOT_PUBLIC,
            _CHECKED_BY_HASH,
        ),
    ),
    BinarySource(
        name="hotpotqa",
        domain="multi_hop",
        questions=200,
        description="HotpotQA: comparison questions about two of ten paragraphs (distractor)",
        repository="hotpotqa/hotpot_qa",
        revision="1908d6afbbead072334abe2965f91bd2709910ab",
        licence="CC BY-SA 4.0",
        config="distractor",
        split="train",
        keep={"type": ("comparison",), "answer": ("yes", "no")},
        quotas={"easy": 20, "medium": 30, "hard": 50},
        issues=(
            "all from the train split: the validation split is hard throughout, and levels from "
            "two splits would differ in more than the level; models may have been trained on it",
            "questions with fewer than ten paragraphs are left out",
            _NOT_PUBLIC,
            _CHECKED_BY_HASH,
        ),
    ),
    BinarySource(
        name="drop",
        domain="numerical",
        questions=200,
        description="DROP: 'How many' questions turned into threshold and exact-number questions",
        repository="EleutherAI/drop",
        revision="619386fc7ffe6dace3cc6d3483c69b164ebf6bf3",
        licence="CC BY-SA 4.0",
        split="validation",
        quotas={"threshold": 50, "exact": 50},
        issues=(
            "the paper turned the questions by hand: here a grammar does, and questions that it "
            "does not know need a model or are passed over",
            "from the validation split, whose answers several people gave: only numbers on which "
            "all of them agree are used",
            _NOT_PUBLIC,
            _CHECKED_BY_HASH,
        ),
    ),
    BinarySource(
        name="wmt2020_ende",
        domain="translation",
        questions=200,
        description="WMT 2020 English to German: machine translations rated by three translators",
        repository=_MQM,
        revision=_MQM_COMMIT,
        licence="Apache-2.0",
        files=(PinnedFile("newstest2020/ende/mqm_newstest2020_ende.tsv"),),
        quotas={"": 100},
        issues=(
            "known by its commit alone: the first load records the file's hash, and every later "
            "one checks it; its counts are not checked",
            *_MARKS,
            "segments with a single rating are left out: nobody agrees with anybody there",
            _NOT_PUBLIC,
        ),
    ),
    BinarySource(
        name="ethics_commonsense",
        domain="ethics",
        questions=100,
        description="ETHICS commonsense: is what somebody did acceptable?",
        repository=_ETHICS,
        revision=None,
        licence="MIT",
        config="commonsense",
        split="test",
        quotas={"": 50},
        issues=(
            "only the short scenarios: the long ones are posts that ask a forum for its verdict, "
            "several hundred words each, and not the everyday judgments that the paper describes",
            "label 1 means clearly wrong, so the answer is No",
            _ONE_REVISION,
            _NOT_PUBLIC,
        ),
    ),
    BinarySource(
        name="ethics_justice",
        domain="ethics",
        questions=100,
        description="ETHICS justice: is the reason that somebody gives fair?",
        repository=_ETHICS,
        revision=None,
        licence="MIT",
        config="justice",
        split="test",
        quotas={"": 50},
        issues=(
            "label 1 means reasonable, so the answer is Yes",
            _ONE_REVISION,
            _NOT_PUBLIC,
        ),
    ),
)

_OTHERS = (
    BinarySource(
        name="hotpotqa_formateval",
        domain="multi_hop",
        questions=12,
        description="the yes/no questions among FormatEval's 200 of HotpotQA",
        repository="WING-NUS/FormatEval",
        revision="6d5e65edb44bf91cd6e92b3692b7765f3f89727a",
        licence="none stated",
        files=(
            PinnedFile(
                "EvalData/generation_hotpotqa_validation_200.csv",
                sha256="eec92beaf8f4ceb696ae52cd0bb2141999bde849317d2a8639fdb20eaedb20d4",
                git_blob="fb4f73c55cdb3492ee28ff77e919bd980e2583d5",
            ),
        ),
        records=200,
        issues=(
            "14 of the 200 are yes/no questions, 8 Yes and 6 No; 6 of each are asked, all hard",
        ),
    ),
    BinarySource(
        name="wmt_ted_ende",
        domain="translation",
        questions=200,
        description="WMT 2021's TED talks, English to German: machine translations rated once",
        repository=_MQM,
        revision=_MQM_COMMIT,
        licence="Apache-2.0",
        files=(
            PinnedFile(
                "ted/ende/mqm_ted_ende.tsv",
                sha256="3952dc904997dda31c03421243862cb8a093f9a712fd90dc97b9709b4bb387b3",
                git_blob="da953ea2df4777685c0608a5e253ab66a8b370f3",
            ),
        ),
        records=8435,
        issues=(
            "each system's segment was rated once: of 4,035 different translations, 2,926 have a "
            "single rating, and 482 made by several systems are left out because ratings differ",
            *_MARKS,
        ),
    ),
    BinarySource(
        name="bbh_sports",
        domain="plausibility",
        questions=200,
        description="BIG-Bench Hard: is a sentence about sports plausible?",
        repository=_BBH,
        revision=_BBH_COMMIT,
        licence="MIT",
        files=(
            PinnedFile(
                "bbh/sports_understanding.json",
                sha256="63ca262858f6176864515cd8cf53cdaa40839ebecc155b726d77930855d167bf",
                git_blob="fee025dac109be8810b918b0e027ff3cee277a9f",
            ),
        ),
        records=250,
        issues=("two of the 250 sentences are repeated; each counts once",),
    ),
    BinarySource(
        name="bbh_boolean",
        domain="boolean_logic",
        questions=200,
        description="BIG-Bench Hard: is a boolean expression true?",
        repository=_BBH,
        revision=_BBH_COMMIT,
        licence="MIT",
        files=(
            PinnedFile(
                "bbh/boolean_expressions.json",
                sha256="ea6c754ec005e2d3f2d085d349a740f593b5764f32ea4638ffed4cfc0061b12a",
                git_blob="dd7b27ce8a8d36933abe1fd21a2cae6d94945e65",
            ),
        ),
        records=250,
    ),
    BinarySource(
        name="folio_binary",
        domain="deduction",
        questions=200,
        description="FOLIO's statements that are proved or disproved by their premises",
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
        issues=("statements about which the premises say nothing have no yes/no answer: left out",),
    ),
)

BINARY_SOURCES: Mapping[str, BinarySource] = {source.name: source for source in _PAPER + _OTHERS}

DOMAIN_SOURCES: Mapping[str, tuple[str, ...]] = {
    domain: tuple(source.name for source in sources if source.domain == domain)
    for domains, sources in (
        (PAPER_DOMAINS, _PAPER),
        (("plausibility", "boolean_logic", "deduction"), _OTHERS),
    )
    for domain in domains
}
"""What a domain is asked from unless sources are named."""
