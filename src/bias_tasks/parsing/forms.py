"""How an answer writes a verdict, a score, one of a few words, or the step of the first error."""

import re
from typing import Any

from bias_tasks.parsing.answer import AnswerForm
from bias_tasks.parsing.parsed_answer import TIE
from bias_tasks.parsing.values import CLOSE, OPEN, UNCLEAR, Form

_RESPONSE = (
    r"(?:response|assistant|output|answer|option|model|submission|system|candidate|feedback)"
)


WORDS = {
    **dict.fromkeys(("yes", "yeah", "yep"), "Yes"),
    **dict.fromkeys(("no", "nope"), "No"),
    **dict.fromkeys(("true", "correct", "proved", "proven", "entailed", "entailment"), "True"),
    **dict.fromkeys(("false", "incorrect", "disproved", "disproven", "contradiction"), "False"),
    **dict.fromkeys(("unknown", "uncertain", "undetermined", "neutral", "neither"), "Unknown"),
    "cannot be determined": "Unknown",
}
"""The labels of the words for the truth of a statement, and of those for Yes and No."""


class VerdictForm(Form):
    """Which of two responses is better: A, B or a tie."""

    noun = (
        r"verdict|winner|decision|choice|preference|judge?ment|answer|result"
        r"|(?:better|best|stronger|superior|preferred|winning)"
        rf"(?: (?:overall )?(?:{_RESPONSE}|one|choice|of the two))?"
    )
    praise = (
        r"(?:(?:overall|slightly|much|clearly|significantly|marginally|also|the|a|clear|far"
        r"|generally)\s+)*(?:better\b(?! (?:at|in|on|for|structured))|stronger\b|superior|best\b"
        r"|preferred|winner|preferable)|wins\b"
    )
    item = re.compile(
        rf"(?:the\s)?(?:(?:{_RESPONSE}|어시스턴트|アシスタント)?s?\s*{OPEN}"
        r"(?-i:(?P<pair>[AB]\s?[<>=]+\s?[AB])"
        r"|(?P<label>[ABC012](?![\w%]|[./]\d)|[abc](?=\s?[)\]\"'⟧]|\.?\s*$)))"
        rf"|{OPEN}(?P<nth>(?:first|second)\s(?:{_RESPONSE}|one))\b"
        rf"|{OPEN}(?P<tie>(?:an?\s)?(?:tied?|draw|equal)\b|both (?:are )?equal\w*"
        rf"|neither\b(?: {_RESPONSE}| of (?:them|the two))?)){CLOSE}",
        re.I,
    )

    def value(self, match: re.Match[str]) -> Any:
        """Return A, B or a tie."""
        if match["pair"]:
            left, right = match["pair"][0], match["pair"][-1]
            return TIE if "=" in match["pair"] else left if ">" in match["pair"] else right
        if match["label"]:
            return {"A": "A", "1": "A", "B": "B", "2": "B"}.get(match["label"].upper(), TIE)
        return TIE if match["tie"] else "A" if match["nth"].lower().startswith("first") else "B"


class ScoreForm(Form):
    """A number on a scale; what it is out of must be the highest score."""

    noun = r"rating|score|grade|mark|evaluation|overall|points|result"
    item = re.compile(
        rf"{OPEN}(?:an?\s)?(?<![A-Za-z\d_.])(?<!(?<!\d)-)"
        r"(?P<label>\d{1,6}(?:[.,]\d{1,15})?|\.\d{1,15})(?![A-Za-zÀ-ÿ\d_%]|\s?%|[.,]\d)"
        r"(?P<of>\s?(?:/|out of)\s?\(?\d{1,4}\)?)?(?P<unit>\s?(?:stars|\(out of))?"
        rf"{CLOSE}(?!\s?(?:for|on)\s[^.\n]{{0,60}}\d)"
    )

    def __init__(self, declared: AnswerForm) -> None:
        """Build the form of scores on a scale, whose ends are included."""
        self._low, self._high = declared.scale

    def value(self, match: re.Match[str]) -> Any:
        """Return the number."""
        number = float(match["label"].replace(",", "."))
        of = re.sub(r"\D", "", match["of"] or "")
        if match["unit"] or (of and float(of) != self._high):
            return UNCLEAR
        return number if self._low <= number <= self._high else UNCLEAR


class WordForm(Form):
    """One of a few words, perhaps behind a letter or number."""

    noun = (
        r"answer|label|verdict|conclusion|judge?ment|option|statement|claim|hypothesis|sentence"
        r"|classification|proposition|truth value|view|decision|response"
    )

    def __init__(self, declared: AnswerForm) -> None:
        """Build the form of the labels offered: Yes and No, or labels with numbers from 1."""
        is_judging = declared.name == "judging"
        allowed = declared.allowed_labels if is_judging else ("Yes", "No")
        self._labels = {word: label for word, label in WORDS.items() if label in allowed}
        if is_judging:
            self._labels |= {str(number): label for number, label in enumerate(allowed, start=1)}
        words = sorted((re.escape(word) for word in self._labels), key=len, reverse=True)
        self.item = re.compile(
            rf"(?:option\s)?(?:[(\[]?[A-Da-d1-4][).:\]]\s*(?=\w))?{OPEN}(?P<not>not\s)?"
            rf"(?P<label>{'|'.join(words)})\b(?!\s(?:idea|one|other|way|doubt|need|correct|matter"
            r"|more|information|further|that)\b|\s?/\s?\w"
            rf"|\s*[:=(]\s*(?:\d+\s?%|0?\.\d)){CLOSE}",
            re.I,
        )

    def value(self, match: re.Match[str]) -> Any:
        """Return the label that the word means; `not true` is False."""
        label = self._labels[" ".join(match["label"].lower().split())]
        if match["not"]:
            return "False" if label == "True" else None
        return label


class FirstErrorForm(Form):
    """The first wrong step of a solution, counted from 0; -1 if every step is right."""

    noun = (
        r"(?:the )?first[ _](?:wrong|incorrect|error|mistake)(?:[ _](?:step|index|error))?"
        r"|answer|step|index"
    )
    item = re.compile(
        rf"(?i)(?:(?:in|at)\s)?(?:(?:step|paragraph|index|number|no\.?|#)\s*)?{OPEN}"
        rf"(?P<label>-?\d{{1,3}})(?![\w%]|[.,:/]\d){CLOSE}"
        r"|(?:all steps are correct|(?:there are )?no (?:errors?|mistakes?))\b"
    )

    def __init__(self, declared: AnswerForm) -> None:
        """Build the form of a solution with a number of steps."""
        self._n_steps = declared.n_steps

    def value(self, match: re.Match[str]) -> Any:
        """Return the index of the step."""
        step = -1 if match["label"] is None else int(match["label"])
        return step if -1 <= step < self._n_steps else UNCLEAR
