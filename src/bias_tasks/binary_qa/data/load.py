"""Load the yes/no questions of a run from any source."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from math import ceil
from typing import Literal

from bias_tasks.binary_qa.data.files import read_binary_file
from bias_tasks.binary_qa.data.paper import load_paper
from bias_tasks.binary_qa.items import (
    BINARY_LABELS,
    PAPER_DOMAINS,
    REFORMULATIONS,
    BinaryItem,
    Reformulation,
)
from bias_tasks.data import loading
from bias_tasks.data.core import core_origin, core_rows, repeat_items
from bias_tasks.data.errors import DataError, check_names
from bias_tasks.data.loading import ItemsAndOrigins, Loaded
from bias_tasks.generated.source import HARD, generated_origin, is_hard, select_levels
from bias_tasks.protocols import CORE, PAPER, SYNTHETIC, PaperProtocol
from bias_tasks.user_names import Names, parse_names

ReformulateMode = Literal["existing", "skip", "live"]


def load_binary(
    data: str,
    *,
    variants: Collection[str],
    domains: Names = None,
    sources: Names = None,
    reformulate: ReformulateMode | None = None,
    protocol: PaperProtocol = "corrected",
    seed: int = 0,
    n: int | None = None,
    level: int | None = None,
) -> Loaded[BinaryItem]:
    """Load the questions of a run. Domains and labels alternate.

    Args:
        data: `core`, `paper`, `synthetic`, `generated`, `hard`, or the path of a user's file.
        variants: Variants of the task; only the rewordings among them are needed.
        domains: Domains to keep; None for all.
        sources: Data sets of the paper to use; None for those of its recipe.
        reformulate: What happens to questions that lack a rewording (`parameters.py`); None if the
            task uses no rewording.
        protocol: As for `load_records`.
        seed: Seed of the order of questions.
        n: Maximum number of questions; None for all.
        level: Level of generated questions; None for the default.

    Returns:
        The questions and their provenance. The provenance has one record per source: `source`, `n`
        (its questions in the run), and the core's name and digest, or repository, revision and
        files with their hashes, or path and sha256, or the reason why it is `excluded`. Its last
        record is about all sources: `questions`, `domains` (questions per domain), `paper_domains`
        (how many of the paper's five), `rewordings` (how many of each maker, or missing), and
        `skipped` (questions that lack a rewording).

    Raises:
        DataError: Questions are not available, a domain is unknown, or the variants compare only
            rewordings and no question has one.
    """
    loading.check_sources(data, sources)
    kinds = select_reformulations(variants)
    if levels := select_levels(data, level):
        n = n or loading.SYNTHETIC_ITEMS
        available, origins = _generate(data, domains, n, levels, seed)
    else:
        available, origins = load_records(data, domains, sources, protocol=protocol)
    if data == SYNTHETIC:  # the core's questions in seeded order, repeated up to the given number
        size = n or loading.SYNTHETIC_ITEMS * len({item.domain for item in available})
        available = repeat_items(order_questions(available, seed), size)
    skip = reformulate == "skip"
    kept = [item for item in available if not (skip and find_missing_reformulations(item, kinds))]
    bare = all(len(find_missing_reformulations(item, kinds)) == len(kinds) for item in kept)
    compares_rewordings_only = set(variants) <= {"original", *REFORMULATIONS}
    if not kept or (kinds and bare and compares_rewordings_only and reformulate != "live"):
        missing = "all its rewordings" if skip else "a rewording"
        raise DataError(f"none of {len(available)} questions has {missing}: {rewording_hint(data)}")
    items = tuple(order_questions(kept, seed)[:n])
    counts = Counter(item.domain for item in items)
    overall = {
        "questions": len(items),
        "domains": dict(sorted(counts.items())),
        "paper_domains": len({*counts} & {*PAPER_DOMAINS}),
        "rewordings": count_makers(items, kinds),
        "skipped": len(available) - len(kept),
    }
    return Loaded(items, (*loading.add_counts(origins, [item.source for item in items]), overall))


def load_records(
    data: str,
    domains: Names = None,
    sources: Names = None,
    *,
    with_pending: bool = False,
    protocol: PaperProtocol = "corrected",
) -> ItemsAndOrigins[BinaryItem]:
    """Load all questions that `load_binary` selects from, and their origins.

    Args:
        data: As for `load_binary`.
        domains: As for `load_binary`.
        sources: As for `load_binary`.
        with_pending: Whether questions for numbers of the paper's data sets are included.
        protocol: Under `published`, data sets that the paper does not use are refused.

    Raises:
        DataError: Questions are not available, or a domain is unknown.
    """
    selected, names = (None if raw is None else parse_names(raw) for raw in (domains, sources))
    if data == PAPER:
        return load_paper(selected, names, protocol, with_pending=with_pending)
    if data in (CORE, SYNTHETIC):
        items, origins = _load_core(data), [core_origin(data)]
    else:
        items, origins = loading.load_file(read_binary_file, data)
    return _select_domains(items, selected, data), origins


def _generate(
    data: str, domains: Names, n: int, levels: tuple[int, ...], seed: int
) -> ItemsAndOrigins[BinaryItem]:
    """Generate questions until there are `n` of the selected subjects, which take turns.

    For `hard`, generate half of them, besides questions of the core.
    """
    from bias_tasks.binary_qa.data.generated import generate_binary_items
    from bias_tasks.generated.sentences import load_sentences

    core = _load_core(CORE) if data == HARD else []
    hard = (item for item in core if is_hard(item.columns))
    items = order_questions(hard, seed)[: n // 2]
    selected = None if domains is None else parse_names(domains)
    subjects = [*load_sentences().subjects]
    share = len(subjects) / len(selected) if selected else 1
    n_generated = ceil(max(0, n - len(items)) * share) + 2 * len(subjects)
    for level in levels:
        items += generate_binary_items(ceil(n_generated / len(levels)), level=level, seed=seed)
    origins = [core_origin()] if data == HARD else []
    return _select_domains(items, selected, data), [*origins, generated_origin(levels, seed)]


def _select_domains(
    items: list[BinaryItem], selected: Sequence[str] | None, data: str
) -> list[BinaryItem]:
    if selected is None:
        return items
    valid_names = sorted({item.domain for item in items})
    check_names("domain", selected, valid_names, owner=f" of {data}")
    return [item for item in items if item.domain in selected]


def order_questions(items: Iterable[BinaryItem], seed: int) -> list[BinaryItem]:
    """Return the questions in seeded random order, such that a run that stops early is balanced.

    For any k, the first k questions are balanced over domains, over Yes and No, and over both in
    each domain: counts differ by at most one, except for groups that have no more questions.
    """
    by_id = {item.id: item for item in items}
    domains = sorted({item.domain for item in by_id.values()})
    # A round has each domain twice. Labels alternate from domain to domain, and in the second half
    # of the round each domain has the label that it did not have in the first.
    turns = [
        (domain, BINARY_LABELS[(position + half) % 2])
        for half in range(2)
        for position, domain in enumerate(domains)
    ]
    return loading.interleave(by_id.values(), seed, lambda item: (item.domain, item.answer), turns)


def select_reformulations(variants: Collection[str]) -> tuple[Reformulation, ...]:
    """Return the rewordings among the variants."""
    return tuple(kind for kind in REFORMULATIONS if kind in variants)


def find_missing_reformulations(
    item: BinaryItem, kinds: Iterable[Reformulation]
) -> list[Reformulation]:
    """Return the rewordings of these kinds that the question lacks."""
    return [kind for kind in kinds if not item.has_wording(kind)]


def count_makers(items: Iterable[BinaryItem], kinds: Sequence[Reformulation]) -> dict[str, int]:
    """Return the number of rewordings of each maker, and of missing ones."""
    return dict(Counter(item.maker(kind) or "missing" for item in items for kind in kinds))


def rewording_hint(data: str) -> str:
    """Return the part of a message that says how to get rewordings."""
    return (
        f"a model writes them: `inspect eval bias_tasks/make_reformulations -T data={data} --model "
        "MODEL`, then `bias-tasks collect LOG --to FILE` and data=FILE; or during the run in "
        "Inspect, `-T reformulate=live --model-role reformulator=MODEL`"
    )


def _load_core(source: str) -> list[BinaryItem]:
    """Load the core's questions; `source` is the name that the run uses for them."""
    items = []
    for row in core_rows("binary"):
        rewordings = {str(kind): row[kind] for kind in REFORMULATIONS}
        values = {name: value for name, value in row.items() if name not in rewordings}
        values |= {"source": source, "cluster": row["id"], "reformulations": rewordings}
        items.append(BinaryItem(**values))
    return items
