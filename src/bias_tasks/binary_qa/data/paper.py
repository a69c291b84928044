"""Questions of the paper's five domains, and of further data sets that a user can name."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from bias_tasks.binary_qa.data.converters import CONVERTERS, Candidate
from bias_tasks.binary_qa.items import BINARY_LABELS, PAPER_DOMAINS, BinaryItem
from bias_tasks.data.errors import DataError, check_names
from bias_tasks.data.fetch import load_sources
from bias_tasks.data.loading import ItemsAndOrigins
from bias_tasks.data.sources import Origin, Source, select_sources, source_table
from bias_tasks.protocols import DesignSource, PaperProtocol, check_paper_only

_FOR_NUMBERS = (
    "the questions of {0} ask for numbers, and a model has to turn them into yes/no questions: "
    "`inspect eval bias_tasks/make_reformulations -T sources={0} --model MODEL`, then `bias-tasks "
    "collect LOG --to FILE` and data=FILE"
)
MAX_PER_ANSWER = 100
"""The paper's number of questions for each answer of a domain (section 2.1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BinarySource(Source):
    """A data set whose records become yes/no questions."""

    domain: str
    source: DesignSource
    """Whether the paper uses it. A domain is the paper's if one of its data sets is."""
    quotas: Mapping[str, int] | None = None
    """Questions of each answer, by stratum (level, style, or "" for the only one), for sources of
    the paper's recipe. None: all, up to `MAX_PER_ANSWER`."""
    for_numbers: bool = False
    """Whether a model must turn its questions for numbers into yes/no questions."""


BINARY_SOURCES = source_table(__package__, BinarySource)


def load_paper(
    domains: Sequence[str] | None,
    sources: Sequence[str] | None,
    protocol: PaperProtocol = "corrected",
    *,
    with_pending: bool = False,
) -> ItemsAndOrigins[BinaryItem]:
    """Load the questions of the paper's recipe (section 2.1), which are the same for every seed.

    Args:
        domains: As for `select_paper_sources`.
        sources: As for `select_paper_sources`.
        protocol: Under `published`, data sets that the paper does not use are refused.
        with_pending: Whether questions for numbers are included, as `PendingNumberQuestion`.

    Returns:
        The questions, source by source. The origin of each source has `source`, `domain`,
        `repository`, `revision`, `files` with their hashes, and `n`; or the reason why it is
        `excluded`.

    Raises:
        DataError: A name is unknown, or a source is unreachable or unreadable, or has too few
            questions for a quota.
    """
    selected = select_paper_sources(domains, sources)
    check_paper_only(protocol, [source.name for source in selected if source.source == "ours"])
    used = [source for source in selected if with_pending or not source.for_numbers]
    excluded: list[Origin] = [
        {"source": s.name, "domain": s.domain, "excluded": _FOR_NUMBERS.format(s.name)}
        for s in selected
        if s not in used
    ]
    if not used:
        raise DataError(excluded[0]["excluded"])
    items: list[BinaryItem] = []
    origins: list[Origin] = []
    loaded = load_sources(
        used,
        lambda source, paths: CONVERTERS[source.name](paths),
        alternative="frozen questions with data=core",
    )
    for source, candidates, origin in loaded:
        questions = select_questions(source, candidates)
        items += questions
        description = {"source": source.name, "domain": source.domain}
        origins.append({**description, **origin, "n": len(questions)})
    return items, [*origins, *excluded]


def select_paper_sources(
    domains: Sequence[str] | None, sources: Sequence[str] | None
) -> list[BinarySource]:
    """Return the data sets of these names, or those of the recipe.

    Args:
        domains: Domains to keep; None for the paper's five, or for all named sources.
        sources: Names of data sets; None for those of the recipe.

    Raises:
        DataError: A name is unknown, or no named source belongs to the domains.
    """
    valid_names = dict.fromkeys((*PAPER_DOMAINS, *(s.domain for s in BINARY_SOURCES.values())))
    if domains is not None:
        check_names("domain", domains, valid_names, owner=" of the paper and of other data sets")
    if sources is None:
        return [s for domain in domains or PAPER_DOMAINS for s in sources_of_domain(domain)]
    named = select_sources(sources, BINARY_SOURCES)
    selected = [source for source in named if not domains or source.domain in domains]
    if not selected:
        names = ", ".join(f"{source.name} ({source.domain})" for source in named)
        raise DataError(
            f"no source is of the domain {', '.join(domains or ())}: {names}; omit domains="
        )
    return selected


def sources_of_domain(domain: str) -> list[BinarySource]:
    """Return the default data sets of a domain; for a paper's domain only those of its recipe."""
    sources = [source for source in BINARY_SOURCES.values() if source.domain == domain]
    return [s for s in sources if s.source == "paper" or domain not in PAPER_DOMAINS]


def select_questions(source: BinarySource, candidates: Iterable[Candidate]) -> list[BinaryItem]:
    """Return the questions of a source: in each cell (answer and stratum) those with the first ids.

    Ids are hashes, so this is a random selection that never changes. A question that occurs with
    different answers has no correct one and is excluded.

    Raises:
        DataError: There are too few questions for a quota.
    """
    by_question: dict[object, dict[str, Candidate]] = defaultdict(dict)
    for candidate in candidates:
        item = candidate.item
        by_question[item.context, item.question].setdefault(item.id, candidate)
    unambiguous = [next(iter(same.values())) for same in by_question.values() if len(same) == 1]
    cells: dict[tuple[str, str], list[BinaryItem]] = defaultdict(list)
    for candidate in sorted(unambiguous, key=lambda candidate: candidate.item.id):
        cells[candidate.item.answer, candidate.stratum].append(candidate.item)
    quotas = source.quotas
    if quotas is None:
        available = min(len(cells[label, ""]) for label in BINARY_LABELS)
        quotas = {"": min(max(available, 1), MAX_PER_ANSWER)}
    selected: list[BinaryItem] = []
    for (stratum, quota), label in product(quotas.items(), BINARY_LABELS):
        questions = cells[label, stratum]
        if len(questions) < quota:
            name = f"{stratum} questions" if stratum else "questions"
            raise DataError(
                f"{source.name}: {quota} {name} with the answer {label} are needed, "
                f"but only {len(questions)} are available"
            )
        selected += questions[:quota]
    return selected
