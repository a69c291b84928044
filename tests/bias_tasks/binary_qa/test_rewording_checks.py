"""Surface checks of rewordings."""

from bias_tasks.binary_qa.items import PendingNumberQuestion
from bias_tasks.binary_qa.rewording_checks import (
    find_number_question_problem,
    find_rewording_problem,
)

TEA = "Is caffeine found in black tea?"
RAN = "How many men ran the 4 legs?"


def test_problems_of_rewordings():
    for kind, text, expected in (
        ("synonym", "Is caffeine present in black tea?", None),
        ("polite", 'Would you agree with "caffeine is found in tea?"', None),
        ("contradictory", "Is caffeine not found in black tea?", None),
        ("false", "Is it false that caffeine is found in black tea?", None),
        ("false", "Is caffeine not found in black tea?", 'it does not ask "Is it false that"'),
        ("synonym", "Caffeine is in tea.", "it does not end with a question mark"),
        ("synonym", "is caffeine FOUND in black tea ?", "it is the original"),
        ("polite", "Tea?", "it is much longer or shorter than the original"),
        ("polite", f"{'Very ' * 40}tea?", "it is much longer or shorter than the original"),
    ):
        assert find_rewording_problem(TEA, kind, text) == expected, text


def test_problems_of_yes_no_forms_of_questions_for_numbers():
    lost, wrong = "it lost 4", "its number doesn't make {} the right answer"
    for style, answer, text, expected in (
        ("exact", "Yes", "Did 1,007 men run the 4 legs?", None),
        ("exact", "No", "Did 1,009 men run the 4 legs?", None),
        ("threshold", "Yes", "Did over 900.5 men run the 4 legs?", None),
        ("exact", "Yes", "Did 1,009 men run the 4 legs?", wrong.format("Yes")),
        ("exact", "No", "Did 1007 men run the 4 legs?", wrong.format("No")),
        ("threshold", "Yes", "Did over 1007 men run the 4 legs?", wrong.format("Yes")),
        ("exact", "Yes", "Did 1007 men run?", lost),
        ("exact", "Yes", "Did many men run the 4 legs?", "it asks about 0 new numbers, not one"),
        ("exact", "Yes", "Did 7 or 8 men run the 4 legs?", "it asks about 2 new numbers, not one"),
        ("exact", "Yes", "1007 men ran the 4 legs.", "it does not end with a question mark"),
    ):
        item = PendingNumberQuestion(
            **{"id": "p", "domain": "d", "source": "s", "cluster": "c", "question": RAN},
            **{"value": 1007, "style": style, "answer": answer},
        )
        problem = find_number_question_problem(item, text)
        assert (problem or "").removesuffix(" (in digits)") == (expected or ""), text
