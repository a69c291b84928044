"""Which planted flaws the quotes of reports show."""

from bias_tasks.complex_eval.quote_matching import located, matched
from bias_tasks.parsing.flaws import MAX_FLAWS
from bias_tasks.parsing.parsed_answer import ReportedFlaw
from tests.bias_tasks.effort import cpu_limit

TURNS = [
    "Mara: (weeps) The ship is gone. I am happy to help.",
    "Otis: (nods) Who would trade a ship for so little? I am happy to help.",
    "Mara: (nods) We never had a lantern.",
    "Otis: (smiles) They ask for bread. We never had a lantern.",
    "Mara: (nods) The well is dry, the well is dry.",
]
PLANTED = [
    {"dimension": "Story", "turn": 0, "words": "(weeps)"},
    {"dimension": "Voice", "turn": 0, "words": "I am happy to help."},
    {"dimension": "Voice", "turn": 1, "words": "I am happy to help."},
    {"dimension": "Plot", "turn": 3, "words": "We never had a lantern."},
]


def found(*reports):
    return located([ReportedFlaw(name, 1, quote) for name, quote in reports], PLANTED, TURNS)


def test_a_quote_of_the_flaw_locates_it():
    quotes = [
        ("Voice", "(weeps) The ship is gone. I am happy to help."),  # its whole turn
        ("Voice", "Mara: (weeps) The ship is gone. I am happy to help."),
        ("Voice", "i AM  happy\nto help"),
        ("Voice", "“I am happy to help”"),
        ("Voice", "*I am happy* to help..."),
        ("Voice", "happy to help"),
        ("Voice", "The ship ... I am happy to help"),
        ("Voice", "Who would trade a ship … happy to help."),
        ("Story", "(weeps)"),  # one word, which is the whole flaw
        ("Story", "*weeps* The ship is gone."),
        ("Plot", "We never had a lantern."),  # the flaw is that the turn repeats the one before
        ("Plot", "They ask for bread. We never had a lantern."),
    ]
    assert [quote for quote in quotes if found(quote) != 1] == []


def test_other_quotes_locate_nothing():
    quotes = {
        "part of a word": ("Voice", "ppy"),
        "one word of several": ("Voice", "happy"),
        "too short": ("Voice", "to help"),
        "nothing": ("Voice", ""),
        "marks": ("Voice", "..."),
        "of the turn, but not of the flaw": ("Voice", "The ship is gone."),
        "hardly of the flaw": ("Voice", "The ship is gone. I"),
        "not in this order": ("Voice", "I am happy to help ... The ship is gone"),
        "another flaw's words": ("Voice", "We never had a lantern"),
        "another dimension's words": ("Story", "I am happy to help."),
        "only in the turn that is repeated": ("Plot", "Mara: (nods) We never had a lantern."),
        "the whole dialogue": ("Voice", "\n".join(TURNS)),
        "a dimension without a flaw": ("Style", "I am happy to help."),
    }
    assert [why for why, quote in quotes.items() if found(quote)] == []


def test_a_quote_that_stands_in_turns_without_the_flaw_pins_nothing():
    planted = [{"dimension": "Story", "turn": 4, "words": "the well is dry, the well is dry"}]
    assert located([ReportedFlaw("Story", 1, "The well is dry")], planted, TURNS) == 1
    said_before = [*TURNS[:3], "Otis: The well is dry.", TURNS[4]]
    assert located([ReportedFlaw("Story", 1, "The well is dry")], planted, said_before) == 0


def test_no_two_reports_stand_for_the_same_flaw_and_as_many_are_located_as_there_can_be():
    same = ("Voice", "I am happy to help.")
    assert found(same, same, same) == 2
    turn = ("Voice", "(weeps) The ship is gone. I am happy to help.")
    assert found(turn, turn, turn) == 1
    # Greedy by fewest choices would take 0 for the first and leave the third nothing.
    assert matched([[0, 1], [1, 2], [0, 2], [0]]) == 3
    assert matched([[], [3], [3]]) == 1


def test_the_longest_list_of_hostile_quotes_takes_bounded_time():
    for quote in ("the " * 500, "a ... " * 60, "i am happy to help", "…" * 5_000):
        with cpu_limit(20, quote[:12]):
            assert 0 <= found(*[("Voice", quote)] * MAX_FLAWS) <= 2
