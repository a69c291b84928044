"""How answers speak of all options at once, and call options right or wrong: parts of patterns."""

NOUN = (
    r"(?:a[nsw]{2,3}(?:er|re|ewr|r|e)s?|ans|options?|choices?|statements?|alternatives?"
    r"|possibilities|responses?)"
)
GOOD = (
    r"(?:cor+ect|corrct|right|valid|suitable|appropriate|accurate|true|supported|acceptable|proper"
    r"|matching|fitting|satisfactory)"
)
BAD = (
    r"(?:wrong|incorrect|false|invalid|untrue|unsupported|inaccurate|mistaken|contradicted"
    r"|not (?:correct|right|true|supported|valid|accurate|mentioned|stated|given)|ruled out"
    r"|eliminated|excluded|inappropriate|unsuitable)"
)
GIVEN = (
    r"(?:given|listed|provided|above|offered|available|presented|proposed|answer|suggested|stated"
    r"|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}|possible|remaining choices)"
)
_FACTS = r"(?:facts?|information|premises?|passages?|sentences?|texts?|paragraphs?|evidence|rules?)"
NO_NOUN = (
    r"(?=\s*(?:[^\w\s]|$)| (?:is|are|was|were|can|could|seems?|appears?|looks?|fits?"
    r"|match\w{0,2}"
    r"|appl\w{1,3}|works?|holds?|answers?|follows?|because|since|corresponds?|mentions?|contains?"
    r"|directly|fully|correctly|here|given|listed|provided|above|offered|in the list)\b)"
)
GROUP = (
    rf"(?:of )?(?:the |these |those |your |its )?(?:{GIVEN} ){{0,3}}"
    rf"(?:{NOUN}|above|them|(?:these|those){NO_NOUN})"
    rf"(?: (?:{GIVEN}|here|in the list|that (?:are|were) {GIVEN}))?"
)
"""All options, as a group: "of the four options", "the answer options given", "of them"."""
LISTED = (
    rf"(?:of )?(?:the |these |those )?(?:{GIVEN} ){{0,2}}(?:listed|offered|provided|given"
    rf"|available)"
    rf" (?!{_FACTS})\w{{1,20}}"
    rf"|(?:of )?(?:the |these |those )(?:{GIVEN} ){{0,2}}(?!{_FACTS})\w{{1,20}}"
    r" (?:listed|offered|provided|available)"
)
