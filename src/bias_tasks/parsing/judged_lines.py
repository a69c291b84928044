"""Options that are judged line by line: each with one verdict, all of them or nothing."""

import re

from bias_tasks.parsing.choice import ChoiceGrammar
from bias_tasks.parsing.grammar import Grammar, Match, NotOffered

_VERDICT = (
    r"(?:(?P<right>✓|\[x\]|(?:correct|right|true|yes|supported|valid)(?=\s*(?:[.,;:!(|}\"—–-]|$)))"
    r"|✗|☐|\[ ?\]|(?:not (?:correct|right|true|supported|valid)|incorrect|wrong|false|no"
    r"|unsupported|contradicted|invalid)(?=\s*(?:[.,;:!(|}\"—–-]|$)))"
)
_FIRST_MARK = re.compile(r"[\s,;|•+>-]*(?:(?P<right>✓|\[x\])|(?P<wrong>✗|☐|\[ ?\]))?[\s|>-]*", re.I)
_NEXT = re.compile(rf"[\s:.)\]\"'|(—–→=-]*(?:is )?{_VERDICT}", re.I)
_LAST = re.compile(rf"(?:[.:;|(,→—–-]\s*|\s(?=[✓✗☐]))(?:is |so )?{_VERDICT}[\s.!)|]*$", re.I)
# Items behind a comma, such as the fields of an object, are lines too.
_LINE = re.compile(
    r"(?:[^\n,;]|(?<![a-z✓✗\"])[,;]|[,;](?!\s+\W{0,3}(?:[Oo]ption )?(?:[A-Z]|\d{1,2})[\s\"':.)]))+"
)
_MIN_OPTIONS = 2


def parse_judged_lines(text: str, grammar: Grammar) -> Match | None:
    """Return the set of options that lines call right.

    A line is about the option that it begins with. Its verdict is a mark or a word directly behind
    the option, a mark before it, or the last word of the line.

    Returns:
        The set, or None unless each option has exactly one verdict.
    """
    if not isinstance(grammar, ChoiceGrammar) or grammar.n_options < _MIN_OPTIONS:
        return None
    verdicts: dict[int, set[bool]] = {n: set() for n in range(grammar.n_options)}
    start, end = len(text), 0
    for line in _LINE.finditer(text):
        positions, of_line = _judged_options(line[0], grammar)
        for position in positions if of_line else ():
            verdicts.get(position, set()).update(of_line)
            start, end = min(start, line.start()), line.end()
    if any(len(of_option) != 1 for of_option in verdicts.values()):
        return None
    return Match(tuple(n for n in sorted(verdicts) if True in verdicts[n]), start, end, 2)


def _judged_options(line: str, grammar: ChoiceGrammar) -> tuple[tuple[int, ...], set[bool]]:
    """Return the options that a line begins with, and the verdicts of the line on them."""
    mark = _FIRST_MARK.match(line)
    begin = mark.end() if mark else 0
    match, option = grammar.set_at(line, begin), grammar.option_at(line, begin)
    if match is not None and not isinstance(match.value, NotOffered):
        positions, end = match.value, match.end
    elif option is not None:
        positions, end = (option.value,), option.end
    else:
        return (), set()
    verdicts = {mark["right"] is not None} if mark and (mark["right"] or mark["wrong"]) else set()
    matches = (_NEXT.match(line, end), _LAST.search(line, end))
    return positions, verdicts | {verdict["right"] is not None for verdict in matches if verdict}
