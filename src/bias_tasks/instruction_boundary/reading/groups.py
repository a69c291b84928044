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
HOLDS = (
    r"(?:remains?|follows?|holds?|fits?|works?|match(?:es)?|stands?|survives?|appl(?:y|ies)|suits?"
    r"|qualif(?:y|ies)|agrees?|satisf(?:y|ies))"
)
"""What an option does that is right."""
ASIDE = (
    r"(?:imh?o|tbh|ngl|lol|for (?:sure|certain)|obviously(?: lol)?|definitely|clearly|probably"
    r"|i(?:'m| am)(?: \w{1,12})? (?:sure|certain|confident)|hands down|from me|of course|only|again"
    r"|(?:there's |there is )?no doubt(?: about it)?|without (?:a )?doubt|it is|then"
    r"|i (?:think|guess|believe|suppose|reckon|would say))"
)
"""What is said behind an answer and changes nothing."""
NO_NOUN = (
    r"(?=\s*(?:[^\w\s]|$)| (?:is|are|was|were|can|could|seems?|appears?|looks?|fits?|match\w{0,2}"
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
    rf"|available) (?!{_FACTS})\w{{1,20}}"
    rf"|(?:of )?(?:the |these |those )(?:{GIVEN} ){{0,2}}(?!{_FACTS})\w{{1,20}}"
    r" (?:listed|offered|provided|available)"
)
