"""A question's words in the order of a statement: "Does it rain?" gives "it rains"."""

from __future__ import annotations

from bias_tasks.binary_qa.reformulation.auxiliaries import DO
from bias_tasks.binary_qa.reformulation.clause import Clause
from bias_tasks.binary_qa.reformulation.lexicon import is_adverb, past, third_person
from bias_tasks.binary_qa.reformulation.noun_phrase import NounPhrase


def statement(clause: Clause) -> str | None:
    """The statement that `clause` asks about, or None where a verb's form is not known."""
    subject = clause.subject_text
    if clause.aux not in DO:
        return f"{subject} {clause.aux} {clause.rest_text}".rstrip()
    verb = next((token for token in clause.rest if not is_adverb(token.low)), None)
    if verb is None or any(token.low in ("ever", "even") for token in clause.rest[:3]):
        return None
    form = _inflected(clause.aux, verb.low, clause.phrase)
    if form is None:
        return None
    text = clause.asked.text
    before = text[clause.rest[0].start : verb.start]
    return f"{subject} {before}{form}{text[verb.end :]}"


def _inflected(aux: str, verb: str, phrase: NounPhrase) -> str | None:
    if aux == "did":
        return past(verb)
    return verb if aux == "do" else third_person(verb)
