"""The word lists of `lexicon.yaml`, and what can be told of a word by its form."""

from __future__ import annotations

from functools import cache

from bias_tasks.data.files import read_yaml

_NOUN_ENDINGS = ("tion", "sion", "ment", "ness", "ity", "ism", "ship", "ology", "hood", "dom")
_NOT_PLURAL = ("ss", "us", "is")

# Verbs that open yes/no questions.
BE = frozenset({"is", "are", "was", "were"})
DO = frozenset({"do", "does", "did"})
HAVE = frozenset({"has", "have", "had"})
SINGULAR = frozenset({"is", "was", "does", "has"})
PLURAL = frozenset({"are", "were", "do"})
FINITE = BE | {"am", "does", "did", "has"}
"""Forms that no other verb stands before (modals aside)."""


@cache
def word_list(name: str) -> frozenset[str]:
    """A list as a set of lower-case words; nationalities are capitalised.

    Words that are verbs and nouns alike are among the `verbs` and among the `nouns`; `only_verbs`
    are those that are no nouns.
    """
    lists = read_yaml(__package__, "lexicon")
    only, both = (frozenset(lists["verbs"][part].split()) for part in ("only", "both"))
    if name == "verbs":
        return only | both
    words = frozenset(lists["nouns" if name == "only_verbs" else name].split())
    if name == "only_verbs":
        return only - words
    return words | both if name == "nouns" else words


def is_adverb(word: str) -> bool:
    """Whether a lower-case word is an adverb, by the list or by its ending."""
    other = (
        word_list("nouns") | word_list("verbs") | word_list("adjectives") | word_list("other_in_ly")
    )
    return word in word_list("adverbs") or (
        len(word) > 4 and word.endswith("ly") and word not in other
    )


def is_participle(word: str) -> bool:
    """Whether a lower-case word is a past participle."""
    if word in word_list("irregular_participles"):
        return True
    regular = len(word) > 4 and word.endswith("ed") and not word.endswith("eed")
    return regular and word not in word_list("other_in_ed")


def is_gerund(word: str) -> bool:
    """Whether a lower-case word is the -ing form of a known verb, and no noun or adjective."""
    if not word.endswith("ing") or word in word_list("adjectives") | word_list("nouns"):
        return False
    stem = word[:-3]
    return bool({stem, stem + "e", stem[:-1]} & word_list("verbs"))


def is_plural(word: str) -> bool:
    """Whether a lower-case word has the form of a plural noun."""
    if word in word_list("irregular_plurals"):
        return True
    known = word in word_list("nouns") | word_list("verbs") | word_list("adjectives")
    return len(word) > 3 and word.endswith("s") and not word.endswith(_NOT_PLURAL) and not known


def is_noun(word: str) -> bool:
    """Whether a lower-case word is a noun for certain (it may be a verb, too)."""
    if word in word_list("nouns") or is_plural(word):
        return True
    unknown = word not in word_list("verbs") and word not in word_list("adjectives")
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
    irregular: dict[str, str] = read_yaml(__package__, "lexicon")["irregular_past"]
    if verb in irregular and verb not in word_list("two_pasts"):
        return irregular[verb]
    if verb not in word_list("verbs") or verb in word_list("two_pasts"):
        return None
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2:-1] not in "aeou":
        return verb[:-1] + "ied"
    return verb + (verb[-1] if verb in word_list("doubling") else "") + "ed"


@cache
def base_of_past() -> dict[str, str]:
    """Base forms by their past forms, for every verb whose past is known."""
    forms = ((past(verb), verb) for verb in sorted(word_list("verbs")))
    return {form: verb for form, verb in forms if form is not None}


def is_auxiliary(word: str) -> bool:
    """Whether a lower-case word can open a yes/no question."""
    return word in BE | DO | HAVE or word in word_list("modals")
