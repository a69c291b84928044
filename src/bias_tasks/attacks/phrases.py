"""Phrases that say nothing, and recognisable ones that a reference may use.

Those marked A.3.1 are the paper's examples of hedging, filler, transitions and fake depth.
"""

FILLER = (
    "This is complex.",  # A.3.1
    "Multiple factors exist.",  # A.3.1
)
HEDGES = (
    "Research suggests that",  # A.3.1
    "Some experts argue that",  # A.3.1
    "Generally speaking,",
)
TRANSITIONS = (
    "Furthermore,",  # A.3.1
    "Consequently,",  # A.3.1
    "Moreover,",
    "In addition,",
    "However,",
    "Overall,",
    "Specifically,",
    "For example,",
    "In summary,",
    "As a result,",
    "On the other hand,",
)
DEPTH = (
    "This remains debated.",  # A.3.1
    "One could imagine further cases.",  # A.3.1
)
FORMULAIC = (
    "Therefore,",  # section 5.3.1
    "Thus,",
    "Hence,",
    "Since this holds,",
    "Note that",
    "Clearly,",
    "It follows that",
    "Consequently,",
    "We have that",
    "Observe that",
)
SPOKEN_HEDGES = (
    "Some would say so.",
    "One could imagine it.",
    "It is not that simple.",
    "Who can say?",
)


def used_in(text: str, phrases: tuple[str, ...]) -> list[str]:
    """The phrases that the text uses, whatever the case; all of them if it uses none."""
    folded = text.casefold()
    return [p for p in phrases if p.casefold().rstrip(",") in folded] or list(phrases)
