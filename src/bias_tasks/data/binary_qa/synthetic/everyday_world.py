"""Everyday facts about the world, from closed lists whose truth is certain."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from bias_tasks.data.binary_qa.synthetic.contrasts import Contrast, ordered
from bias_tasks.data.binary_qa.synthetic.forms import Claim, Family, Predicate

_IS_A = Predicate(
    "Are {0} {1}?",
    "Do {0} count as {1}?",
    "{0} are {1}",
    "Are {0} something other than {1}?",
)
_BOTH = Predicate(
    "Are {0} and {1} both {2}?",
    "Do {0} and {1} both count as {2}?",
    "{0} and {1} are both {2}",
    "Are {0} and {1} not both {2}?",
)
_CAPITAL = Predicate(
    "Is {0} the capital of {1}?",
    "Does {1} have {0} as its capital?",
    "{0} is the capital of {1}",
    "Is the capital of {1} a city other than {0}?",
)
_CONTINENT = Predicate(
    "Are {0} and {1} on the same continent?",
    "Do {0} and {1} lie on the same continent?",
    "{0} and {1} are on the same continent",
    "Are {0} and {1} on different continents?",
)
_LEGS = Contrast(
    Predicate(
        "Does {0} have more legs than {1}?",
        "Is the number of legs of {0} larger than that of {1}?",
        "{0} has more legs than {1}",
        "Does {0} have at most as many legs as {1}?",
    ),
    Predicate(
        "Does {0} have fewer legs than {1}?",
        "Is the number of legs of {0} smaller than that of {1}?",
        "{0} has fewer legs than {1}",
        "Does {0} have at least as many legs as {1}?",
    ),
)
_SIDES = Contrast(
    Predicate(
        "Does {0} have more sides than {1}?",
        "Is the number of sides of {0} larger than that of {1}?",
        "{0} has more sides than {1}",
        "Does {0} have at most as many sides as {1}?",
    ),
    Predicate(
        "Does {0} have fewer sides than {1}?",
        "Is the number of sides of {0} smaller than that of {1}?",
        "{0} has fewer sides than {1}",
        "Does {0} have at least as many sides as {1}?",
    ),
)

# Nothing of one kind is of the next, where wrong ones come from; all kinds have as many members.
_KINDS: Mapping[str, tuple[str, ...]] = {
    "mammals": (
        "horses", "elephants", "whales", "dolphins", "bats", "rabbits", "squirrels", "cows",
        "wolves", "foxes",
    ),
    "fish": (
        "trout", "salmon", "herrings", "sardines", "cod", "tuna", "carp", "eels", "haddock",
        "sharks",
    ),
    "birds": (
        "sparrows", "eagles", "owls", "pigeons", "penguins", "swans", "parrots", "robins",
        "herons", "ostriches",
    ),
    "insects": (
        "ants", "bees", "beetles", "butterflies", "mosquitoes", "wasps", "grasshoppers", "moths",
        "dragonflies", "termites",
    ),
    "trees": (
        "oaks", "birches", "pines", "willows", "maples", "beeches", "poplars", "cedars",
        "spruces", "elms",
    ),
    "musical instruments": (
        "violins", "trumpets", "flutes", "pianos", "cellos", "guitars", "clarinets", "trombones",
        "harps", "oboes",
    ),
    "items of clothing": (
        "shirts", "coats", "gloves", "socks", "trousers", "skirts", "jackets", "jumpers",
        "dresses", "cardigans",
    ),
    "pieces of furniture": (
        "tables", "chairs", "wardrobes", "sofas", "desks", "bookcases", "armchairs", "stools",
        "cupboards", "beds",
    ),
    "vehicles": (
        "lorries", "buses", "bicycles", "tractors", "motorcycles", "cars", "vans", "trams",
        "ambulances", "taxis",
    ),
}  # fmt: skip
_KIND_NAMES = list(_KINDS)

# Each country's capital is its only one; wrong ones come from the next row.
_CAPITALS = (
    ("Paris", "France"),
    ("Vienna", "Austria"),
    ("Rome", "Italy"),
    ("Athens", "Greece"),
    ("Madrid", "Spain"),
    ("Lisbon", "Portugal"),
    ("Dublin", "Ireland"),
    ("Oslo", "Norway"),
    ("Stockholm", "Sweden"),
    ("Copenhagen", "Denmark"),
    ("Helsinki", "Finland"),
    ("Warsaw", "Poland"),
    ("Prague", "Czechia"),
    ("Budapest", "Hungary"),
    ("Bucharest", "Romania"),
    ("Sofia", "Bulgaria"),
    ("Tokyo", "Japan"),
    ("Beijing", "China"),
    ("Bangkok", "Thailand"),
    ("Hanoi", "Vietnam"),
    ("Kathmandu", "Nepal"),
    ("Tunis", "Tunisia"),
    ("Nairobi", "Kenya"),
    ("Accra", "Ghana"),
    ("Rabat", "Morocco"),
    ("Lima", "Peru"),
    ("Quito", "Ecuador"),
    ("Caracas", "Venezuela"),
    ("Montevideo", "Uruguay"),
    ("Ottawa", "Canada"),
    ("Canberra", "Australia"),
    ("Wellington", "New Zealand"),
)

# In an order that never asks whether Europe and Asia are one continent.
_CONTINENTS = (
    ("Kenya", "Ghana", "Nigeria", "Angola", "Zambia", "Senegal", "Tunisia", "Mali"),
    ("Switzerland", "Poland", "Sweden", "Finland", "Austria", "Belgium", "Croatia", "Latvia"),
    ("Peru", "Brazil", "Bolivia", "Venezuela", "Ecuador", "Uruguay", "Paraguay", "Argentina"),
    ("India", "Vietnam", "Mongolia", "Thailand", "Nepal", "Laos", "Bhutan", "Cambodia"),
)

_ANIMAL_LEGS = {
    "a spider": 8,
    "a tick": 8,
    "an ant": 6,
    "a bee": 6,
    "a beetle": 6,
    "a wasp": 6,
    "a butterfly": 6,
    "a grasshopper": 6,
    "a horse": 4,
    "a dog": 4,
    "a cat": 4,
    "a sheep": 4,
    "a lion": 4,
    "a mouse": 4,
    "a chicken": 2,
    "a duck": 2,
    "an ostrich": 2,
    "a sparrow": 2,
    "a penguin": 2,
    "a pigeon": 2,
}
_SHAPE_SIDES = {
    "a triangle": 3,
    "a square": 4,
    "a pentagon": 5,
    "a hexagon": 6,
    "a heptagon": 7,
    "an octagon": 8,
    "a nonagon": 9,
    "a decagon": 10,
}


def kinds(rng: random.Random, truth: bool) -> Claim:
    """Whether things are of a kind; wrong kinds are the next in the list."""
    kind = rng.randrange(len(_KINDS))
    member = rng.choice(_KINDS[_KIND_NAMES[kind]])
    asked = _KIND_NAMES[(kind + (not truth)) % len(_KINDS)]
    return Claim(_IS_A, (member, asked), truth)


def both_kinds(rng: random.Random, truth: bool) -> Claim:
    """Whether two sorts of things are both of a kind; at least one of them is."""
    kind = rng.randrange(len(_KINDS))
    pair = _two(rng, kind, truth, list(_KINDS.values()))
    return Claim(_BOTH, (*pair, _KIND_NAMES[kind]), truth)


def capitals(rng: random.Random, truth: bool) -> Claim:
    """Whether a city is the capital of a country."""
    row = rng.randrange(len(_CAPITALS))
    beside = row if truth else (row + 1) % len(_CAPITALS)
    return Claim(_CAPITAL, (_CAPITALS[row][0], _CAPITALS[beside][1]), truth)


def continents(rng: random.Random, truth: bool) -> Claim:
    """Whether two countries are on the same continent; wrong ones are on the next in the list."""
    pair = _two(rng, rng.randrange(len(_CONTINENTS)), truth, _CONTINENTS)
    return Claim(_CONTINENT, pair, truth)


def legs(rng: random.Random, truth: bool) -> Claim:
    """Which of two animals has more legs."""
    return _counted(rng, truth, _LEGS, _ANIMAL_LEGS)


def sides(rng: random.Random, truth: bool) -> Claim:
    """Which of two shapes has more sides."""
    return _counted(rng, truth, _SIDES, _SHAPE_SIDES)


WORLD: tuple[Family, ...] = (kinds, both_kinds, capitals, continents, legs, sides)


def _two(
    rng: random.Random, row: int, truth: bool, rows: Sequence[Sequence[str]]
) -> tuple[str, ...]:
    """Two of a row, or one of the row and one of the next, in alphabetical order.

    Each word has as many partners in its own row as it has in the two rows beside it.
    """
    place, other = sorted(rng.sample(range(len(rows[row])), 2))
    beside = rows[row if truth else (row + 1) % len(rows)]
    return tuple(sorted((rows[row][place], beside[other])))


def _counted(
    rng: random.Random, truth: bool, contrast: Contrast, counts: Mapping[str, int]
) -> Claim:
    one = rng.choice(list(counts))
    other = rng.choice([name for name, count in counts.items() if count != counts[one]])
    return ordered(rng, truth, contrast, *sorted((one, other), key=counts.__getitem__))
