"""Probes of the options: their order, labels, marks (FormatSpread, Sclar et al. 2024) and case."""

import random

from bias_tasks.data.option_texts import refers_to_options
from bias_tasks.probing.displayed_options import (
    OptionStyle,
    are_plain_words,
    contain_label,
)
from bias_tasks.probing.items import Perturbation, ProbedItem
from bias_tasks.probing.probes.base import ProbeInput, probe, require_choices
from bias_tasks.probing.skip_reasons import ProbeNotApplicableError, SkipReason

_LABEL_SCHEMES: tuple[tuple[str, ...], ...] = (
    tuple(str(number) for number in range(1, 11)),
    ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"),
    tuple("PQRSTUVWXY"),
)
_MAX_LABELS = len(_LABEL_SCHEMES[0])
_MARKS = ("({label}) ", "{label}. ", "{label}: ", "[{label}] ", "{label} - ", "<{label}> ")
_SEPARATORS = ("; ", "\n\n", " | ", ", ")
"""A line break is not among them: tasks have it, and no draw may repeat the baseline prompt."""


@probe()
def order(item: ProbedItem, rng: random.Random, run: ProbeInput) -> Perturbation:
    """Shuffled choices; the correct one gets another label."""
    require_choices(item, different=True)
    if not item.correct:
        raise ProbeNotApplicableError(SkipReason.UNKNOWN_CORRECT_CHOICE)
    if any(refers_to_options(text, item.text) for text in item.choices):
        raise ProbeNotApplicableError(SkipReason.CHOICES_REFER_TO_OTHERS)
    indices = list(range(len(item.choices)))
    shift = rng.randrange(1, len(indices))
    if len(item.correct) > 1:
        rng.shuffle(indices)
        if indices == sorted(indices):
            indices = indices[shift:] + indices[:shift]
        return Perturbation(order=tuple(indices))
    [correct] = item.correct
    indices.remove(correct)
    rng.shuffle(indices)
    indices.insert((correct + shift) % len(item.choices), correct)
    return Perturbation(order=tuple(indices))


@probe()
def labels(item: ProbedItem, rng: random.Random, run: ProbeInput) -> Perturbation:
    """Choices labelled 1, 2, 3; I, II, III; or P, Q, R."""
    require_choices(item, at_most=_MAX_LABELS)
    if any(refers_to_options(text, item.text) for text in item.choices):
        raise ProbeNotApplicableError(SkipReason.CHOICES_REFER_TO_OTHERS)
    count = len(item.choices)
    others = [scheme for scheme in _LABEL_SCHEMES if scheme[:count] != item.labels[:count]]
    usable = [scheme for scheme in others if not contain_label(item.choices, scheme[:count])]
    if not usable:
        raise ProbeNotApplicableError(SkipReason.CHOICES_CONTAIN_LABELS)
    return Perturbation(option_style=OptionStyle(labels=rng.choice(usable)))


@probe()
def separator(item: ProbedItem, rng: random.Random, run: ProbeInput) -> Perturbation:
    """Other marks around labels, and other separators between choices."""
    require_choices(item)
    style = OptionStyle(mark=rng.choice(_MARKS), separator=rng.choice(_SEPARATORS))
    return Perturbation(option_style=style)


@probe()
def casing(item: ProbedItem, rng: random.Random, run: ProbeInput) -> Perturbation:
    """Choices in upper or lower case."""
    require_choices(item)
    if not are_plain_words(item.choices):
        raise ProbeNotApplicableError(SkipReason.CHOICES_NOT_PLAIN_WORDS)
    words = "".join(item.choices)
    casings = []
    if words.upper() != words:
        casings.append("upper")
    if words.lower() != words:
        casings.append("lower")
    return Perturbation(option_style=OptionStyle(casing=rng.choice(casings)))
