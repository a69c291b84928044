"""Which planted flaws the quotes of reports locate."""

from bias_tasks.complex_eval.quote_matching import count_located, count_matched
from bias_tasks.complex_eval.scoring_data import PlantedFlaw
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
    PlantedFlaw(dimension="Story", turn=0, words="(weeps)"),
    PlantedFlaw(dimension="Voice", turn=0, words="I am happy to help."),
    PlantedFlaw(dimension="Voice", turn=1, words="I am happy to help."),
    PlantedFlaw(dimension="Plot", turn=3, words="We never had a lantern."),
]


def locate(*reports):
    """Return the number of planted flaws that reports of (dimension, quote) locate."""
    return count_located([ReportedFlaw(name, 1, quote) for name, quote in reports], PLANTED, TURNS)


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
    assert [quote for quote in quotes if locate(quote) != 1] == []


def test_other_quotes_locate_no_flaw():
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
    assert [reason for reason, quote in quotes.items() if locate(quote)] == []


def test_a_quote_that_occurs_in_turns_without_the_flaw_locates_nothing():
    planted = [PlantedFlaw(dimension="Story", turn=4, words="the well is dry, the well is dry")]
    assert count_located([ReportedFlaw("Story", 1, "The well is dry")], planted, TURNS) == 1
    repeated = [*TURNS[:3], "Otis: The well is dry.", TURNS[4]]
    assert count_located([ReportedFlaw("Story", 1, "The well is dry")], planted, repeated) == 0


def test_each_report_locates_another_flaw_and_the_number_is_the_maximum():
    same = ("Voice", "I am happy to help.")
    assert locate(same, same, same) == 2
    turn = ("Voice", "(weeps) The ship is gone. I am happy to help.")
    assert locate(turn, turn, turn) == 1
    # A greedy choice of 0 for the first report would leave none for the third.
    assert count_matched([[0, 1], [1, 2], [0, 2], [0]]) == 3
    assert count_matched([[], [3], [3]]) == 1


def test_hostile_quotes_take_bounded_time():
    for quote in ("the " * 500, "a ... " * 60, "i am happy to help", "…" * 5_000):
        with cpu_limit(20, quote[:12]):
            assert 0 <= locate(*[("Voice", quote)] * MAX_FLAWS) <= 2
