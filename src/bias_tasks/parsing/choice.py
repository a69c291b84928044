"""The grammar of choices: one option, several or none, by number or letter, by text, or by both."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bias_tasks.parsing.candidates import PLURAL_NOUNS
from bias_tasks.parsing.grammar import (
    LINE_MARKS,
    Candidate,
    Grammar,
    Match,
    NotOffered,
)
from bias_tasks.parsing.none_of_the_above import DENIAL, DENIAL_STATEMENT, RIGHT, THING
from bias_tasks.parsing.normalized_text import NormalizedText
from bias_tasks.parsing.parsed_answer import Level

_COUNT_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_ANY_ORDINAL = f"(?P<ordinal>{'|'.join(_ORDINALS)})"
_ORDINAL = re.compile(
    rf"(?:the\s+)?{_ANY_ORDINAL}(?:\s+{THING}(?!\w)|(?=\s+and\s+the\s))"
    rf"|(?<=and )the\s+{_ANY_ORDINAL.replace('ordinal', 'last')}(?=[\s.:]*\Z)",
    re.I,
)
_CONJUNCTION = re.compile(
    r"\s*\.?\s*(?:[,;]\s*(?:and\b|&)?|[/+&]|\band\b(?:\s+also\b)?|\bplus\b|\bas well as\b"
    r"|\n+\s*(?:[-•+]\s*)?)\s*",
    re.I,
)
# A remark in brackets behind an option, such as its text.
_REMARK = re.compile(r"[\"']?(?:\s*\((?:[^()\n]|\([^()\n]{0,40}\)){1,120}\))?")
# Words before several options.
_PLURAL = re.compile(
    rf"(?:both|only)\s+|(?:(?:the|correct|following)\s+)*(?:{THING}|numbers|letters)\s*:?\s+"
    r"(?=[(\[]?\w{1,2}\W)",
    re.I,
)
# `B. False` is option B; the word is its text.
_SHORT_TEXT = re.compile(r"[.)\]]+\s*(?:true|false|correct|incorrect|wrong|not [^.\n]+)\W*$", re.I)
# Nouns behind which a small letter is a label: `option b`, but not `answer a`.
_NAMES_OPTION = re.compile(r"options?|choices?|statements?|letters?", re.I)
_ARTICLE = re.compile(r"(?:an?|the)\s+(?=\w{3})")
# What may follow an option that is named by its text alone: `Paris. It is ...`.
_TEXT_ALONE = re.compile(r"\s*(?:[.!]|[—–]|-\s|because\b|since\b|$)")
_THROUGH = re.compile(r"\s+(?:through|to)\s+")
_EXCEPT = re.compile(r"\s*,?\s*(?:except|but|apart from)(?: for)?\s+")
_BRACKET = re.compile(r"\s*\(")
_MORE_IN_BRACKETS = re.compile(r"[^)]")
_MORE_WORDS = re.compile(r"\s+(?!and\b|or\b|plus\b)\w")
_ALONE = re.compile(r"\s+(?:only|alone|together)\b")
# Several labels without commas: `ABD`, `A B D`, `1 3`.
_LETTER_RUN, _NUMBER_RUN = re.compile(r"[A-Z](?: ?[A-Z])+"), re.compile(r"\d{1,2}(?: \d{1,2})+")
_EMPTY_LIST = re.compile(r"[\s\"']*\[\s*\][\s,]*")
_BETWEEN_LABEL_AND_TEXT = re.compile(r"[\s.:)—–(-]*")


class ChoiceGrammar(Grammar):
    """A choice among options that are numbered from `first_number`, or lettered.

    A value is a sorted tuple of positions from 0; `()` denies every option.
    """

    statement = DENIAL_STATEMENT

    def __init__(
        self,
        n_options: int,
        *,
        lettered: bool = False,
        first_number: int = 1,
        texts: Sequence[str] = (),
        none_literals: Sequence[str] = (),
    ) -> None:
        """Build the grammar of one prompt.

        Args:
            n_options: Number of options offered.
            lettered: Whether they carry letters instead of numbers.
            first_number: The number of the first option.
            texts: Their texts, if known.
            none_literals: What the prompt asks to respond with if no option is right.
        """
        self.n_options, self.lettered, self.first_number = n_options, lettered, first_number
        self.texts = [normalize_option(text) for text in texts]
        self._max_length = 2 * max(map(len, (*texts, *none_literals)), default=0) + 40
        self._none_literals = {normalize_option(literal) for literal in none_literals}
        label = r"[A-Za-z]" if lettered else r"\d{1,3}"
        fraction = r"(?! ?[A-Za-z](?!\w))" if lettered else ""
        self._label = re.compile(
            rf"(?:the\s+)?(?P<noun>(?:{THING}|letters?|numbers?|nos?\.)\s*[:#]?\s*|\#)?"
            rf"(?P<open>[(\[{{<\"']*)\s*(?P<label>{label})(?P<close>[)\]}}>\"']*)"
            r"(?![\w%'½(]|\.\d|\s*[=<>×*^°]"
            rf"|\s*[+/]{fraction}|\s?[-–]\d)",
            re.I,
        )
        self._mentions_another = re.compile(
            r"\s*(?:is|are|was|says|would|could|may|might)\b"
            rf"|\s*\({label}\)|[^.\n]{{0,200}}\b(?:and|or)\s+\(?{label}\)"
            rf"|[^.\n]{{0,200}}\s{'[A-Z]' if lettered else label}\)\s+\w"
        )
        count = "|".join((str(n_options), *_COUNT_WORDS[n_options - 1 : n_options]))
        both = r"|both(?! (?:of|[A-Z0-9(]))(?: options| answers)?(?: are correct)?"
        self._all = re.compile(
            rf"(?:all(?: of)?|every)(?: correct)?(?: (?:the|these|them))?"
            rf"(?: (?:above|given|{count}))*(?: {THING})?(?: (?:of the )?above)?"
            rf"(?: (?:is|are) (?:all )?{RIGHT})?(?![\w-])" + (both if n_options == 2 else ""),
            re.I,
        )
        self.predicate = re.compile(
            r"\s+(?:is|are)(?:\s+(?:the|both|all|each|clearly|therefore|thus|most|likely|indeed"
            rf"|definitely|only|also))*\s+(?:{RIGHT}|(?<=the )answer|(?<=the )most likely)"
            rf"(?:\s+{THING})?(?:\s+(?:too|as well))?"
            r"(?!\s*,?\s*(?:and|but) (?:so|neither|also)\b)"
            r"(?=\s*(?:[.,;!:(]|$|\n|because|since|as\b|and\b|while|whereas|by\b))",
            re.I | re.M,
        )

    def value_at(self, text: str, at: int) -> Match | None:
        """Return the set of options, or the denial of all, that begins at an index."""
        whole = normalize_option(text[at:]) if len(text) < self._max_length else ""
        if whole and whole in self._none_literals:
            return Match((), at, len(text), 2)
        label = self._label_at(text, at)
        is_offered = label is not None and 0 <= label.value < self.n_options
        is_label = is_offered and label and not text[label.end :].strip(LINE_MARKS + ")")
        if whole and whole in self.texts and not is_label:
            is_unique = self.texts.count(whole) == 1
            return Match((self.texts.index(whole),), at, len(text), 2) if is_unique else None
        begin = at + (text[at : at + 1] == "(")
        denials = (pattern.match(text, begin) for pattern in (DENIAL, DENIAL_STATEMENT))
        end = max((denial.end() for denial in denials if denial), default=begin)
        if end > begin:
            return Match((), begin, end)
        every = self._all.match(text, at)
        return self._set_unless_template(text, at) if every is None else self._all_but(text, every)

    def _set_unless_template(self, text: str, at: int) -> Match | None:
        """Return the set that begins at an index; `A/B/C/D` is what a template offers."""
        match = self.set_at(text, at)
        if match is None:
            return None
        is_every = match.value == tuple(range(self.n_options))
        return None if is_every and "/" in text[match.start : match.end] else match

    def ends(self, text: str, end: int) -> bool:
        """Return whether an explanation follows that is about no other option."""
        if self._mentions_another.match(text, end):
            return False  # `(A) is possible`, `(A) ... and (C) ...`
        end -= text[end - 1 : end] in (")", "]")
        return _SHORT_TEXT.match(text, end) is not None or super().ends(text, end)

    def match(self, text: str, candidate: Candidate) -> Match | None:
        """Return the options of a candidate."""
        level, stripped = candidate.level, text.lstrip()
        if level in (Level.WHOLE, Level.LINE, Level.HEAD):
            is_small_letter = level != Level.WHOLE and re.match(r"\W*[a-z](?:\)|\W*$)", text)
            if stripped.startswith("{") or is_small_letter:
                return None
        if level == Level.HEAD and re.match(r"[^\n]{1,20}?\w\W?:", text):
            return None  # `A: correct, B: wrong`
        if _EMPTY_LIST.fullmatch(text):
            return Match((), 0, len(text))
        run = text.strip(LINE_MARKS)
        if level <= Level.LABEL and (_LETTER_RUN if self.lettered else _NUMBER_RUN).fullmatch(run):
            labels = re.findall("[A-Z]" if self.lettered else r"\d+", run)
            positions = tuple(self._position(label) for label in labels)
            is_run = positions == self._offered(positions) and run.casefold() not in self.texts
            return Match(positions, 0, len(text)) if is_run else None
        if candidate.block or (level == Level.WHOLE and "\n" in text):
            return self._list(text)
        if stripped.startswith("["):
            text, candidate = text.replace('"', " "), replace(candidate, explained=False)
        match = super().match(text, candidate)
        if match is None or isinstance(match.value, NotOffered):
            return match
        if level in (Level.STATEMENT, Level.FINAL_STATEMENT) and candidate.name in PLURAL_NOUNS:
            return match if len(match.value) != 1 else None  # `The correct options are 1. ...`
        named = self._text_at(text, match.start) if match.strength == 1 else None
        if level == Level.HEAD and named and match.value == (named.value,):
            rest = text[match.end :].casefold()
            names_another = any(option and option in rest for option in self.texts)
            is_alone = _TEXT_ALONE.match(text, match.end) is not None
            return match if is_alone and not names_another else None
        if level == Level.PREDICATE and match.value:
            is_many = len(match.value) > 1
            return match if is_many == (" are" in candidate.name) else None
        return match

    def agrees(self, value: Any, other: Any) -> bool:
        """Return whether a set is a part of another, whose options an explanation goes through."""
        is_sets = isinstance(value, tuple) and isinstance(other, tuple)
        return value == other or (is_sets and bool(value) and {*value} < {*other})

    # --- One option ------------------------------------------------------------------------------

    def _label_at(self, text: str, at: int) -> Match | None:
        """Return the option whose label is at an index; the value is its position."""
        ordinal = _ORDINAL.match(text, at)
        if ordinal is not None:
            word = (ordinal["ordinal"] or ordinal["last"]).lower()
            return Match(_ORDINALS.index(word), *ordinal.span())
        match = self._label.match(text, at)
        if match is None:
            return None
        label, rest = match["label"], text[: match.start("label")] + text[match.end() :]
        is_marked = _NAMES_OPTION.match(match["noun"] or "") or match["open"] or match["close"]
        if label.islower() and not is_marked and rest.strip(LINE_MARKS + "()"):
            return None
        return Match(self._position(label), *match.span(), 1 if match["noun"] else 0)

    def _position(self, label: str) -> int:
        return ord(label.upper()) - 65 if self.lettered else int(label) - self.first_number

    def _text_at(self, text: str, at: int) -> Match | None:
        """Return the option whose text is at an index, the longest one; None if two have it."""
        matches = list[Match]()
        while not matches:
            begin = len(text) - len(text[at:].lstrip(" \"'("))
            matches = [
                Match(position, begin, begin + len(option))
                for position, option in enumerate(self.texts)
                if option
                and text[begin : begin + len(option)].casefold() == option
                and not re.match(r"[^\W_]|[.,]\d", text[begin + len(option) :])
            ]
            article = _ARTICLE.match(text, begin)
            if article is None:
                break
            at = article.end()
        longest = [match for match in matches if match.end == max(m.end for m in matches)]
        return longest[0] if len(longest) == 1 else None

    def option_at(self, text: str, at: int) -> Match | None:
        """Return the option at an index; the value is its position.

        An option is its label, its text, or both in either order if they agree.
        """
        label, option = self._label_at(text, at), self._text_at(text, at)
        if label is not None:
            gap = _BETWEEN_LABEL_AND_TEXT.match(text, label.end)
            named = self._text_at(text, gap.end()) if gap and gap[0] else None
            if gap and named and named.value == label.value:
                in_brackets = "(" in gap[0]
                more = _MORE_IN_BRACKETS if in_brackets else _MORE_WORDS
                return (
                    label
                    if more.match(text, named.end)
                    else Match(label.value, label.start, min(named.end + in_brackets, len(text)), 2)
                )
            if (
                named
                and not option
                and normalize_option(text[named.start :]) == self.texts[named.value]
            ):
                return None  # the label of one option with the text of another
        bracket = _BRACKET.match(text, option.end) if option else None
        after = self._label_at(text, bracket.end()) if bracket else None
        if after and option and after.value == option.value:
            return Match(option.value, option.start, after.end, 2)
        return label or option

    # --- Sets of options -------------------------------------------------------------------------

    def _all_but(self, text: str, every: re.Match[str]) -> Match | None:
        """Return all options, or all except those that are named."""
        exception, remark = _EXCEPT.match(text, every.end()), _REMARK.match(text, every.end())
        excluded = self.value_at(text, exception.end()) if exception else None
        if exception is not None and (excluded is None or isinstance(excluded.value, NotOffered)):
            return None
        without = excluded.value if excluded else ()
        end = excluded.end if excluded else remark.end() if remark else every.end()
        return Match(
            tuple(n for n in range(self.n_options) if n not in without), every.start(), end
        )

    def set_at(self, text: str, at: int) -> Match | None:
        """Return the options in a list with commas, `and` and the like."""
        plural, options, positions = _PLURAL.match(text, at), list[Match](), list[int]()
        begin, end = at, at
        at = plural.end() if plural else at
        while (option := self.option_at(text, at)) is not None:
            through = _THROUGH.match(text, option.end)
            last = (self.option_at(text, through.end()) if through else None) or option
            options.append(option)
            positions += [option.value, *range(option.value + 1, last.value + 1)]
            end = last.end
            remark = _REMARK.match(text, end)
            joint = _CONJUNCTION.match(text, remark.end() if remark else end)
            if joint is None or joint.end() == end:
                break
            at = joint.end()
        is_both = plural is not None and plural[0].lower().startswith("both")
        if len(positions) < (2 if is_both else 1):
            return None
        alone = _ALONE.match(text, end)
        end = alone.end() if alone else end
        if len(positions) > 1 and re.match(r"\s+\w", text[end:]):
            return None
        strength = min(option.strength for option in options)
        return Match(self._offered(positions), begin, end, strength)

    def _offered(self, positions: Sequence[int]) -> object:
        """Return the sorted positions, or `NotOffered` if one is out of range."""
        offered = tuple(sorted({n for n in positions if 0 <= n < self.n_options}))
        return offered if len(offered) == len({*positions}) else NotOffered(offered)

    def _list(self, text: str) -> Match | None:
        """Return the set that lines name, one option each; None if they go through all options."""
        positions, lines = list[int](), text.strip().split("\n")
        for line in lines if len(lines) > 1 else ():
            match = self.value_at(line, len(line) - len(line.lstrip(" -•+✓")))
            if match is None or isinstance(match.value, NotOffered) or set(line) & {*"✗☐"}:
                return None
            has_text = any(option and option in normalize_option(line) for option in self.texts)
            is_named = has_text or re.match(r"\W*option", line, re.I)
            is_long = line[match.end :].strip(LINE_MARKS + ")").count(" ") > 2
            if not self.ends(line + " \n", min(match.end, len(line))) or (is_long and not is_named):
                return None  # a list of something else
            positions += match.value
        is_set = positions and len({*positions}) == len(positions) < self.n_options
        return Match(self._offered(positions), 0, len(text)) if is_set else None


def normalize_option(text: str) -> str:
    """Return the text of an option without case, marks and blanks at its ends."""
    plain = NormalizedText(text).text if re.search(r"[^\w .,-]", text) else text
    return re.sub(r"\s+", " ", plain).strip(" .,;:!?\"'()[]*`$").casefold()
