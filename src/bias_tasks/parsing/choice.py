"""How an answer names options: by label, by text, by both, all of them or none."""

import re
from typing import Any

from bias_tasks.parsing.answer import AnswerForm
from bias_tasks.parsing.plain_text import plain
from bias_tasks.parsing.values import CLOSE, NONE, OPEN, UNCLEAR, Form, text_key

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
THING = r"(?:answers?|options?|choices?|statements?|ones?|alternatives?)"
RIGHT = r"(?:correct|right|true|accurate|valid|suitable|supported|best|proper)"
_NTH = rf"(?:{'|'.join(ORDINALS)})"
_LABEL_NOUN = (
    r"(?:(?:options?|choices?|answers?|statements?|numbers?|letters?|items?|选项|選項)"
    r"\s*(?:number\s)?)?"
)
_OPTION_NUMBER = (
    r"(?<![\w$])\d{1,3}(?![A-Za-zÀ-ÿ\d_%°]|[./:^]\d|,\d{3}|\s*(?:options?\b|of the|[+*/=<>^×]))"
)
_ALL_OPTIONS = (
    r"(?:all(?=,?\s(?:except|but)\b)|(?:all|every)\s(?:of\s)?(?:(?:the|these)\s(?:above|following)"
    rf"|the|these|them|above|three|four|five|{THING})\b"
    rf"(?:\s(?:above|of them|given|listed|three|four|five|{THING}))*)"
)
_NONE = (
    r"none\b(?:\s(?:of\s(?:the|these|those|them)\b|apply)[^.,;:\n]{0,40})?"
    rf"|(?:there\s(?:is|are)\s)?no\s(?:correct|right|valid|suitable|matching)\s{THING}"
    r"|\[\s*\]|nothing\b"
)


class ChoiceForm(Form):
    """A choice among options, of which one, several or none may be right."""

    noun = (
        r"(?:answer|option|choice)(?:s|s?\(s\))?|statements?|selection|pick|letter|match|exception"
        r"|conclusion|one(?= that| which| who)|correct[_ ]options?|correct(?=\s*:)"
    )
    praise = (
        r"(?:(?:also|indeed|clearly|the|all|both|only|most|likely|probably|a)\s+)*"
        r"(?:correct|right|true|answers?|best|valid|supported|accurate|the one|what|matching?"
        r"|the way to go|(?:the )?most likely(?=\W*$)|my (?:answer|choice|pick)"
        r"|options?)\b|fits?\b|matches\b|对|正确"
    )
    several = True

    def __init__(self, declared: AnswerForm) -> None:
        """Build the form of one question."""
        self.count = declared.n_options
        texts = () if isinstance(declared.options, int) else declared.options
        self.texts = tuple(map(plain, texts))
        self.keys = tuple(map(text_key, self.texts))
        lettered, first_number = declared.option_labels == "letters", declared.first_number
        numbers = range(first_number, first_number + self.count)
        self._labels = [
            chr(65 + n) if lettered else str(number) for n, number in enumerate(numbers)
        ]
        label = _letter(self._labels[-1]) if lettered else _OPTION_NUMBER
        self._label = label
        short = {key.casefold() for key in self._labels}
        names = [t for t in set(self.texts) if len(t) > 1 and text_key(t) not in short]
        named = "|".join(map(re.escape, sorted(names, key=len)[::-1])) or r"(?!)"
        sentences = "|".join(re.escape(text) for text in names if " " in text) or r"(?!)"
        neither = r"(?:neither|none of)\b(?:,?\s?(?:(?:or|nor|and)\s)?"
        neither = rf"(?P<neither>{neither}{OPEN}{label}{CLOSE}){{2,}})"
        literals = (re.escape(plain(literal)) for literal in declared.none_literals)
        none = "|".join([neither, *literals, _NONE])
        self.item = re.compile(
            rf"(?i:{_LABEL_NOUN})#?{OPEN}(?P<label>{label}){CLOSE}"
            rf"|(?!(?i:{sentences})(?!\w))(?P<none>(?i:{none}))"
            rf"|{OPEN}(?P<text>(?i:{named}))(?!\w| correct answer| correct option){CLOSE}"
            rf"|(?i:the\s(?P<nth>{_NTH})(?:\s{THING}|(?=\s*(?:[.,;:)]|and\b|$)))|(?P<nth2>{_NTH})\s{THING})\b"
            rf"|(?P<all>(?i:{_ALL_OPTIONS}(?P<except>,?\s(?:except|but|apart from)(?: for)?\b)?))"
        )

    def value(self, match: re.Match[str]) -> Any:
        """Return the positions of the options that an item names."""
        if match["label"]:
            name = match["label"].upper()
            return (self._labels.index(name),) if name in self._labels else UNCLEAR
        if match["text"]:
            name = match["text"].casefold()
            found = [n for n, option in enumerate(self.texts) if option.casefold() == name]
            return (found[0],) if len(found) == 1 else UNCLEAR
        if ordinal := match["nth"] or match["nth2"]:
            position = ORDINALS.index(ordinal.lower())
            return (position,) if position < self.count else UNCLEAR
        if match["all"]:
            return tuple(range(self.count))
        if match["neither"]:
            return NONE if len(re.findall(self._label, match["neither"])) == self.count else UNCLEAR
        return None if re.search(r"\bother|\bbut\b|except", match["none"], re.I) else NONE


def _letter(last: str) -> str:
    """Return the pattern of a letter from A; a small one needs a mark behind it."""
    return (
        rf"(?:[A-{last}](?:(?=[A-{last}]{{1,9}}\b)|(?![A-Za-zÀ-ÿ\d_%(]|'\w))"
        rf"|[a-{last.lower()}](?=\s?(?:[)\]}}.,;:\"'⟧]|$)))"
    )
