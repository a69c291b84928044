"""Everyday facts about letters, words and the calendar."""

from __future__ import annotations

import random
import string

from bias_tasks.data.binary_qa.synthetic.contrasts import Contrast, ordered
from bias_tasks.data.binary_qa.synthetic.forms import Claim, Family, Predicate

_ALPHABET = Contrast(
    Predicate(
        "Does the letter {0} come after the letter {1} in the alphabet?",
        "Does the letter {0} follow the letter {1} in the alphabet?",
        "the letter {0} comes after the letter {1} in the alphabet",
        "Does the letter {0} not come after the letter {1} in the alphabet?",
    ),
    Predicate(
        "Does the letter {0} come before the letter {1} in the alphabet?",
        "Does the letter {0} precede the letter {1} in the alphabet?",
        "the letter {0} comes before the letter {1} in the alphabet",
        "Does the letter {0} not come before the letter {1} in the alphabet?",
    ),
)
_DICTIONARY = Contrast(
    Predicate(
        "Does the word '{0}' come after the word '{1}' in a dictionary?",
        "Is the word '{0}' listed later in a dictionary than the word '{1}'?",
        "the word '{0}' comes after the word '{1}' in a dictionary",
        "Does the word '{0}' not come after the word '{1}' in a dictionary?",
    ),
    Predicate(
        "Does the word '{0}' come before the word '{1}' in a dictionary?",
        "Is the word '{0}' listed earlier in a dictionary than the word '{1}'?",
        "the word '{0}' comes before the word '{1}' in a dictionary",
        "Does the word '{0}' not come before the word '{1}' in a dictionary?",
    ),
)
_LENGTH = Contrast(
    Predicate(
        "Does the word '{0}' have more letters than the word '{1}'?",
        "Is the word '{0}' spelled with more letters than the word '{1}'?",
        "the word '{0}' has more letters than the word '{1}'",
        "Does the word '{0}' have at most as many letters as the word '{1}'?",
    ),
    Predicate(
        "Does the word '{0}' have fewer letters than the word '{1}'?",
        "Is the word '{0}' spelled with fewer letters than the word '{1}'?",
        "the word '{0}' has fewer letters than the word '{1}'",
        "Does the word '{0}' have at least as many letters as the word '{1}'?",
    ),
)
_CALENDAR = Contrast(
    Predicate(
        "Does {0} come after {1} in the calendar year?",
        "Does {0} follow {1} in the course of a calendar year?",
        "{0} comes after {1} in the calendar year",
        "Does {0} not come after {1} in the calendar year?",
    ),
    Predicate(
        "Does {0} come before {1} in the calendar year?",
        "Does {0} precede {1} in the course of a calendar year?",
        "{0} comes before {1} in the calendar year",
        "Does {0} not come before {1} in the calendar year?",
    ),
)
_DAYS = Predicate(
    "Does {0} have exactly {1} days?",
    "Are there exactly {1} days in {0}?",
    "{0} has exactly {1} days",
    "Does {0} have a number of days other than {1}?",
)
_OPPOSITE = Predicate(
    "Is '{0}' the opposite of '{1}'?",
    "Does '{0}' mean the reverse of '{1}'?",
    "'{0}' is the opposite of '{1}'",
    "Is '{0}' not the opposite of '{1}'?",
)

_WORDS = (
    "apple", "arm", "basket", "bell", "blanket", "bread", "bridge", "butter", "candle", "carpet",
    "chimney", "cloud", "corner", "cup", "curtain", "doctor", "dream", "elephant", "engine",
    "feather", "finger", "flower", "forest", "garden", "glove", "hammer", "ice", "island",
    "jacket", "kettle", "key", "ladder", "lemon", "letter", "machine", "market", "mirror",
    "mountain", "needle", "oven", "painting", "pencil", "pocket", "queen", "rain", "river",
    "saddle", "school", "shadow", "silver", "spoon", "telephone", "thunder", "tree", "umbrella",
    "valley", "village", "window", "winter", "yard",
)  # fmt: skip

_MONTH_LENGTHS = {
    "January": 31,
    "February": None,  # it depends on the year
    "March": 31,
    "April": 30,
    "May": 31,
    "June": 30,
    "July": 31,
    "August": 31,
    "September": 30,
    "October": 31,
    "November": 30,
    "December": 31,
}
_MONTHS = list(_MONTH_LENGTHS)

# Ordered so that no word is the opposite of one in the next row, where wrong ones come from.
_OPPOSITES = (
    ("hot", "cold"),
    ("full", "empty"),
    ("early", "late"),
    ("rich", "poor"),
    ("loud", "quiet"),
    ("wet", "dry"),
    ("strong", "weak"),
    ("open", "closed"),
    ("young", "old"),
    ("wide", "narrow"),
    ("true", "false"),
    ("happy", "sad"),
    ("clean", "dirty"),
    ("heavy", "light"),
    ("near", "far"),
    ("brave", "cowardly"),
    ("deep", "shallow"),
    ("polite", "rude"),
    ("fast", "slow"),
    ("guilty", "innocent"),
    ("thick", "thin"),
    ("awake", "asleep"),
    ("cheap", "expensive"),
    ("sharp", "blunt"),
    ("public", "private"),
    ("rough", "smooth"),
    ("alive", "dead"),
    ("visible", "invisible"),
    ("generous", "stingy"),
    ("ancient", "modern"),
)


def letters(rng: random.Random, truth: bool) -> Claim:
    """The order of two letters."""
    return ordered(rng, truth, _ALPHABET, *sorted(rng.sample(string.ascii_uppercase, 2)))


def dictionary(rng: random.Random, truth: bool) -> Claim:
    """The order of two words in a dictionary."""
    return ordered(rng, truth, _DICTIONARY, *sorted(rng.sample(_WORDS, 2)))


def lengths(rng: random.Random, truth: bool) -> Claim:
    """Which of two words has more letters."""
    word = rng.choice(_WORDS)
    other = rng.choice([other for other in _WORDS if len(other) != len(word)])
    return ordered(rng, truth, _LENGTH, *sorted((word, other), key=len))


def months(rng: random.Random, truth: bool) -> Claim:
    """The order of two months."""
    early, late = sorted(rng.sample(range(12), 2))
    return ordered(rng, truth, _CALENDAR, _MONTHS[early], _MONTHS[late])


def month_lengths(rng: random.Random, truth: bool) -> Claim:
    """Whether a month has 30 or 31 days."""
    month, days = rng.choice([(m, days) for m, days in _MONTH_LENGTHS.items() if days])
    return Claim(_DAYS, (month, days if truth else 61 - days), truth)


def opposites(rng: random.Random, truth: bool) -> Claim:
    """Whether two words are opposites; wrong pairs come from neighbouring rows."""
    row, side = rng.randrange(len(_OPPOSITES)), rng.randrange(2)
    beside = row if truth else row + 1
    word, other = _OPPOSITES[row][side], _OPPOSITES[beside % len(_OPPOSITES)][1 - side]
    return Claim(_OPPOSITE, (word, other), truth)


WORDS: tuple[Family, ...] = (letters, dictionary, lengths, months, month_lengths, opposites)
