"""Questions of the paper's five domains, and of further data sets that a user can name."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from bias_tasks.binary_qa.data.converters import CONVERTERS, Candidate
from bias_tasks.binary_qa.items import BINARY_LABELS, PAPER_DOMAINS, BinaryItem
from bias_tasks.data.errors import DataError, check_names
from bias_tasks.data.fetch import fetch_missing, fetch_source
from bias_tasks.data.loading import ItemsAndOrigins, Origin
from bias_tasks.data.sources import Source, select_sources, source_table
from bias_tasks.protocols import DesignSource

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


def paper_items(sources: Sequence[BinarySource]) -> ItemsAndOrigins[BinaryItem]:
    """Load the questions of the paper's recipe (section 2.1), which are the same for every seed.

    Args:
        sources: Data sets; each question of one with `for_numbers` is a `PendingNumberQuestion`.

    Returns:
        The questions, source by source. The origin of each source has `source`, `domain`,
        `repository`, `revision`, `files` with their hashes, and `n`.

    Raises:
        DataError: A source is unreachable or unreadable, or has too few questions for a quota.
    """
    fetch_missing(sources, alternative="frozen questions with data=core")
    items: list[BinaryItem] = []
    origins: list[Origin] = []
    for source in sources:
        paths, origin = fetch_source(source)
        selected = select_questions(source, CONVERTERS[source.name](paths))
        items += selected
        description = {"source": source.name, "domain": source.domain}
        origins.append({**description, **origin, "n": len(selected)})
    return items, origins


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
