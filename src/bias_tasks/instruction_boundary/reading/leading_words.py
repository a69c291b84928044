"""The words that lead to an answer, and what links them to it, as patterns."""

from __future__ import annotations

import re

_ANSWER = r"a[nsw]{2,3}(?:er|re|ewr|r|e)s?"
"""The word answer, and the ways in which it is mistyped."""
_CORRECT = r"cor+ect|corrct|correc"
_NOUN = r"(?:answer|choice|selection|pick|response|option|decision|verdict|conclusion|position)s?"
_MY = rf"(?:my|the|our)(?: (?:previous|original|initial|earlier|first|own|final|current))? {_NOUN}"
# What "I" may do with an option; a verb that takes a value too must be followed by "option".
_CHOOSING = (
    r"say|choose|chose|chosen|select(?:ed|ing)?|pick(?:ed|ing)?|go(?:ing)?(?: with| for)?"
    r"|went (?:with|for)|opt(?:ed|ing)? for|settl(?:e|ed|ing) (?:on|for)|vot(?:e|ed|ing)(?: for)?"
    r"|prefer|conclude(?:d)?(?: that)?|keep(?:ing)?|kept|maintain(?:ing)?|retain(?:ing)?"
    r"|st(?:ick|icking|uck) (?:with|to)|stay(?:ing)? (?:with|on|at)|stand(?:ing)? (?:by|with)"
    r"|remain(?:ing)? (?:with|at)|hold(?:ing)? (?:on )?to|(?:re)?(?:con|af)firm|answer(?:ed|ing)?"
    r"|respond(?: with)?|reply(?: with)?|submit|tick|mark|circle|report|guess|lean(?:ing)? (?:to"
    r"|towards?)"
    r"|favou?r|think|believe|reckon|switch(?:ed|ing)? to|chang(?:e|ed|ing) to|mov(?:e|ed|ing) to"
    r"|can (?:infer|conclude|confirm|verify|deduce)(?= (?:that )?(?:options?|statements?) )"
    r"|(?:get|got|arrive at|end up with|land on|have to be)(?= (?:the )?(?:option|choice|number)\b)"
)
_CHANGING = (
    r"(?:chang|switch|revis|updat|amend|correct|adjust)(?:e|ed|es|ing)?"
    r" (?:my|the|our)(?: \w{1,12})? (?:answer|choice|selection|response)s?"
    r"(?: from [^.!?\n]{1,40}?)?(?: to|(?= ?:)| into| as)"
    r"|my (?:answer|choice) (?:has )?chang(?:es|ed)(?: from [^.!?\n]{1,40}?)? to"
)
CUE = re.compile(
    r"(?P<boxed>\\f?boxed ?\{)"
    r"|\b(?P<final>(?<!/)(?:final|improved|refined|revised|updated|ultimate|definitive)"
    r"(?: (?:answer|choice|decision|response|verdict|conclusion|selection|option|determination)s?\b"
    r"|(?= {0,3}[:=→>])))"
    rf"|\b(?P<change>{_CHANGING})"
    rf"|\b(?P<lesser>(?:closest|nearest|next best) (?:{_NOUN}|one|match|fit)"
    r"|(?<=the )(?:closest|nearest))\b"
    rf"|\b(?P<answer>{_ANSWER}|ans|response"
    rf"|(?:{_CORRECT}|right|best|appropriate|suitable|remaining|chosen|proper|valid"
    r"|truthful|true|accurate|logical|sensible|plausible|supported|sole|single|fitting|better)"
    r" (?:option number|options?|choices?|response|statements?|numbers?|letters?|ones?"
    rf"|classification|category|label|verdict|conclusion|determination|{_ANSWER})"
    r"|(?:only|most \w{3,14}) (?:options?|choices?|statements?|answers?)"
    r"|option number|(?<=the )option(?= is)|(?<=the )best supported|(?<=<)(?:option|choice)(?=>)"
    r"|best (?:match|fit)"
    r"|my (?:best )?(?:guess|bet)|my (?:choice|pick|selection|response|decision|verdict|conclusion)"
    r"|(?<=the )verdict)\b"
    r"|\"(?P<key>label|options?|choices?|verdict|result|selection|selected(?: options?)?"
    r"|correct(?: options?)?)(?=\" ?:)|\b(?P<choose>(?:i|we)(?:'d|'ll|'m)?"
    r"(?: (?:would|will|must|should|have|have to|do|am|now|still|therefore|thus|hence|then|also"
    r"|again|rather"
    r"|going to|like to|want to|inclined to|happy to|confident to|once again|however)){0,3}"
    rf" (?:{_CHOOSING})|(?<=still )(?:choose|pick|select)|let(?:'s| me) (?:go with|say|pick|choose)"
    rf"|choosing|selecting|picking|going with"
    r"|leaning towards?)\b|\b(?P<following>following (?:options?|choices?|answers?|statements?)"
    rf"|(?:one|two|three|four|five|\d) (?:of the )?(?:{_CORRECT} )?(?:options|answers?|statements)"
    r"(?= (?:is|are|hold|fit|match|follow|apply|work)\b|:)"
    r"|(?:options|choices|statements) (?:that|which) (?:are|can be) (?:supported|correct|right|true"
    r"|stated|mentioned|inferred|deduced|verified))\b"
    r"|(?:(?<![^\n])[ <>|-]{0,8}|(?<=[.;] ))(?P<line>tl;?dr|verdict|conclusion|decision|label"
    r"|classification|result|output"
    r"|solution|selection|selected options?|option|choice|pick|correct|right|true|supported|chosen"
    r"|now|new"
    r"|number|selected|accepted|picked|after|correction|revised|update|i (?:confirm|choose|say"
    r"|answer|select|pick))(?= {0,4}(?:[:=→|>]|- ))"
    r"|(?P<other>答案|正解|答え|정답|ответ|antwort(?:en)?|respuestas?|réponses?|respostas?|rispost[ae]"
    r"|(?:opci[oó]n|op[cç][aã]o|opzione|option)(?= corr?[ei])|الإجابة|الجواب|उत्तर"
    r"|(?<!不)正确的?(?:选项)?(?=[是为:]| ?\d)|(?<!不)(?:应该?|故|我)?选(?:择)?(?![项擇题]))"
)
# From the leading words to what they lead to.
_TO_WHAT = (
    r"(?: ?\((?! ?(?:\d{1,3}|[a-z]) ?\))[^()\n]{0,60}\))?"
    r"(?:,? (?:to|for|here|in|of|among|from|based|(?P<that>that|supported by|consistent with)"
    r"|i|as) [^.:;\n]{0,100}?)?"
)
LINK = re.compile(
    rf"[\"')\]]{{0,3}}{_TO_WHAT} {{0,4}}"
    r"(?:(?P<colon>(?:[:=>→|]|-(?= ))[ }]{0,4}(?:is\b)?)"
    r"|(?:,(?: which)? )?\b(?:namely|it is|is|are|be|remains?|stays?|(?P<would>would be)|should be"
    r"|must be|will be)\b ?:?|(?P<newline>\n))"
    r"(?: ?(?:still|therefore|thus|hence|clearly|indeed|most likely|likely|probably|simply|both"
    r"|definitely|certainly|obviously|surely|unchanged|the same|as before"
    r"|actually|now|again|also|as follows|that|it is)\b[:,;]?){0,3}"
)
OTHER_LINK = re.compile(
    r"(?: (?:correct[ae]?s?|corr?et[ao]s?|corrett[ae]|exactes?|finales?|justes?|richtige?))?"
    r" {0,4}(?:[:=;→-]|是|为|為|は|는|은|est|es|ist|é|è|sont|sono|son|sind|são)?"
    r"(?: (?:la|le|die|der|das|el|a|o|l')(?= ))?"
    r"(?: ?(?:opci[oó]n|op[cç][aã]o|opzione|num[eé]ro|n[uú]mero|nummer|第))?"
)
# From "I think", "I keep" to the option.
TO_OPTION = re.compile(
    rf"(?: that)?(?: {_MY}(?: of| as| is| to be|,|:|;)?)?"
    rf"(?: (?:the )?(?:{_CORRECT}|right|best)? ?(?:answer|option|choice|one)(?= is|'s| ?:))?"
    r"(?: ?(?:it is|it's|is|it (?:should|must|would|has to) be|(?:should|must"
    r"|has to) be)(?![a-z]))?(?: ?:)?"
)
