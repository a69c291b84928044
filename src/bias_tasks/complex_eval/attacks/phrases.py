"""Phrases that say nothing, and recognisable ones that a reference may use.

Those marked A.3.1 are the paper's examples of hedging, filler, transitions and fake depth.
"""

FILLER = (
    "This is complex.",  # A.3.1
    "Multiple factors exist.",  # A.3.1
)
FRAMING = "There are several key points to consider"
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
_TRAIT_WORDS = """
absent-minded adventurous aggressive aloof ambitious anxious arrogant awkward bitter bold brash
brave calculating calm careful cautious charming cheerful clever clumsy cold compassionate cruel
cunning curious cynical defiant desperate determined devoted devout dignified diligent disciplined
distrustful dutiful eccentric elegant empathetic fearless fierce flirtatious foolish formal fragile
frank friendly generous gentle gloomy gracious greedy gruff gullible haughty headstrong honest
honorable hostile humble idealistic impatient imperious imposing impulsive independent innocent
insecure insightful intelligent introspective ironic jealous jovial kind lazy lonely loyal
manipulative melancholic meticulous mischievous modest moody mysterious naive nervous noble
nurturing obedient obsessive optimistic passionate patient perceptive pessimistic playful pragmatic
protective proud prudent quiet rational rebellious reckless refined relentless reserved resilient
resolute resourceful restless romantic ruthless sarcastic sardonic scholarly selfish sensitive
sentimental serious sharp-witted shrewd shy sincere skeptical solitary stern stoic strict stubborn
submissive suspicious tactful tender timid tormented tragic unyielding vain vengeful vindictive
vulnerable warm weary wise witty worldly
"""
TRAITS = frozenset(_TRAIT_WORDS.split())
"""What profiles call characters, stereotypes among them."""
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
