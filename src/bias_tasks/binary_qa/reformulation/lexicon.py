"""The word lists of `lexicon.yaml`, and what can be told of a word by its form."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from bias_tasks.data.yaml_files import read_yaml

_NOUN_ENDINGS = ("tion", "sion", "ment", "ness", "ity", "ism", "ship", "ology", "hood", "dom")
_NOT_PLURAL = ("ss", "us", "is")


@dataclass(frozen=True)
class Lexicon:
    """The lists, as sets of lower-case words; nationalities are capitalised."""

    determiners: frozenset[str]
    pronouns_singular: frozenset[str]
    pronouns_plural: frozenset[str]
    quantifiers: frozenset[str]
    prepositions: frozenset[str]
    name_links: frozenset[str]
    adverbs: frozenset[str]
    nationalities: frozenset[str]
    adjectives: frozenset[str]
    irregular_participles: frozenset[str]
    verbs: frozenset[str]
    only_verbs: frozenset[str]
    nouns: frozenset[str]
    modals: frozenset[str]
    negations: frozenset[str]
    clause_openers: frozenset[str]
    relatives: frozenset[str]
    time_spans: frozenset[str]
    one_form_nouns: frozenset[str]
    irregular_plurals: frozenset[str]
    other_in_ed: frozenset[str]
    other_in_ly: frozenset[str]
    never_in_noun_phrase: frozenset[str]
    number_words: frozenset[str]
    denied_adverbs: frozenset[str]
    outside_negation: frozenset[str]
    collective: frozenset[str]
    irregular_past: dict[str, str]
    two_pasts: frozenset[str]
    doubling: frozenset[str]


@cache
def lexicon() -> Lexicon:
    """The lists, read once."""
    loaded: dict[str, Any] = read_yaml(__package__, "lexicon")
    only, both = (frozenset(loaded["verbs"][part].split()) for part in ("only", "both"))
    names = [name for name in Lexicon.__dataclass_fields__ if isinstance(loaded.get(name), str)]
    words = {name: frozenset(loaded[name].split()) for name in names}
    return Lexicon(
        **{**words, "nouns": words["nouns"] | both},
        verbs=only | both,
        only_verbs=only - words["nouns"],
        irregular_past=loaded["irregular_past"],
    )


def is_adverb(word: str) -> bool:
    """Whether a lower-case word is an adverb, by the list or by its ending."""
    words = lexicon()
    other = words.nouns | words.verbs | words.adjectives | words.other_in_ly
    return word in words.adverbs or (len(word) > 4 and word.endswith("ly") and word not in other)


def is_participle(word: str) -> bool:
    """Whether a lower-case word is a past participle."""
    if word in lexicon().irregular_participles:
        return True
    regular = len(word) > 4 and word.endswith("ed") and not word.endswith("eed")
    return regular and word not in lexicon().other_in_ed


def is_gerund(word: str) -> bool:
    """Whether a lower-case word is the -ing form of a known verb, and no noun or adjective."""
    if not word.endswith("ing") or word in lexicon().adjectives | lexicon().nouns:
        return False
    stem = word[:-3]
    return bool({stem, stem + "e", stem[:-1]} & lexicon().verbs)


def is_plural(word: str) -> bool:
    """Whether a lower-case word has the form of a plural noun."""
    if word in lexicon().irregular_plurals:
        return True
    known = word in lexicon().nouns | lexicon().verbs | lexicon().adjectives
    return len(word) > 3 and word.endswith("s") and not word.endswith(_NOT_PLURAL) and not known


def is_noun(word: str) -> bool:
    """Whether a lower-case word is a noun for certain (it may be a verb, too)."""
    if word in lexicon().nouns or is_plural(word):
        return True
    unknown = word not in lexicon().verbs and word not in lexicon().adjectives
    return unknown and word.endswith(_NOUN_ENDINGS)


def third_person(verb: str) -> str:
    """The third person singular of a base form: "carry" gives "carries"."""
    special = {"have": "has", "do": "does", "go": "goes", "be": "is"}.get(verb)
    if special is not None:
        return special
    if verb.endswith(("s", "sh", "ch", "x", "z")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeou":
        return verb[:-1] + "ies"
    return verb + "s"


def past(verb: str) -> str | None:
    """The past of a known base form; None where it depends on the meaning or is not known."""
    words = lexicon()
    if verb in words.irregular_past and verb not in words.two_pasts:
        return words.irregular_past[verb]
    if verb not in words.verbs or verb in words.two_pasts:
        return None
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2:-1] not in "aeou":
        return verb[:-1] + "ied"
    return verb + (verb[-1] if verb in words.doubling else "") + "ed"


@cache
def base_of_past() -> dict[str, str]:
    """Base forms by their past forms, for every verb whose past is known."""
    forms = ((past(verb), verb) for verb in sorted(lexicon().verbs))
    return {form: verb for form, verb in forms if form is not None}


BE = frozenset({"is", "are", "was", "were"})
DO = frozenset({"do", "does", "did"})
HAVE = frozenset({"has", "have", "had"})
SINGULAR = frozenset({"is", "was", "does", "has"})
PLURAL = frozenset({"are", "were", "do"})
FINITE = BE | {"am", "does", "did", "has"}
"""Forms that no other verb stands before (modals aside)."""


def is_auxiliary(word: str) -> bool:
    """Whether a lower-case word can open a yes/no question."""
    return word in BE | DO | HAVE or word in lexicon().modals
