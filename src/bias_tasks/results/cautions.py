"""A run's headline as every output tells it, and what must be known before it is believed."""

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from math import isnan
from typing import NamedTuple

from bias_tasks.contract.figures import Figure, cannot_tell, figure_of, parts_of
from bias_tasks.contract.record import MOST, unread_notice
from bias_tasks.results.answers import RunAnswers, answers_of, with_every_figure
from bias_tasks.results.parts import LESS
from bias_tasks.results.run import Run, UnusableRunError
from bias_tasks.results.tables import interval, number
from bias_tasks.results.text import brief
from bias_tasks.statistics.estimate import Estimate

CANNOT_TELL = "cannot tell better from worse"
_SIMULATED = ("simulated", "mockllm", "dummy")  # how names of models begin that are none


class Headline(NamedTuple):
    """A run's headline as texts: its value and interval, or a dash and why there is none."""

    value: str
    interval: str
    doubt: str = ""
    """`CANNOT_TELL` where plain answers are no better than chance."""


def headline_told(run: Run) -> Headline:
    """A run's headline; none where no answer was read."""
    unread = run.metrics.get("unread")
    if unread is not None and unread.value == 1:
        return Headline("-", "no answer was read")
    figure = None if run.headline is None else run.metrics[run.headline]
    declared = run.figure(run.headline)
    if figure is not None and not isnan(figure.value):
        part = brief(largest_part(declared, figure.value, run.metrics))
        value = f"{part} {number(figure.value)}".strip()
        return Headline(value, interval(figure), _doubt(run))
    return Headline("-", declared.words.get("none", "there was nothing to measure"))


def _doubt(run: Run) -> str:
    """Whether plain answers are shown to be better than chance (`can_tell`, `TaskSpec.chance`)."""
    if cannot_tell(run.metrics):
        return CANNOT_TELL
    try:
        figures = with_every_figure(run).metrics if run.spec.chance else {}
    except UnusableRunError:
        return ""
    for pattern, chance in run.spec.chance.items():
        plain = next((each for name, each in figures.items() if fnmatchcase(name, pattern)), None)
        if plain is not None and not plain.ci_low > chance:
            return CANNOT_TELL
    return ""


def cautions(run: Run, answers: RunAnswers | None = None) -> Iterator[str]:
    """The gravest first. Without the run's answers they are read where many are unread."""
    if run.model.partition("/")[0] in _SIMULATED:
        yield "the model is simulated: its answers say nothing of any real model"
    asked, *lost = run.samples
    if any(lost):
        kinds = zip(lost, ("failed", "unscored"), strict=True)
        told = ", ".join(f"{count:,} {kind}" for count, kind in kinds if count)
        yield f"{sum(lost):,} of {asked:,} samples are in no figure: {told}"
    notice = _unread(run, answers)
    if notice is not None:
        yield notice
    yield from run.record["notes"]
    partly = [each for each in LESS if run.settings.get(each)]
    if partly:
        yield f"only a part of the task was asked ({', '.join(partly)})"
    if run.settings.get("temperature") == 0:
        settled = needs_noise(run.metrics, run.family.figures)
        for value in sorted(set(settled.values())):
            names = ", ".join(name for name, fixed in settled.items() if fixed == value)
            yield (
                f"at temperature 0 a deterministic model has {value:g} by construction: {names}; "
                "to measure noise, ask at the temperature in use"
            )


def once(told: Iterable[tuple[Run, Iterable[str]]]) -> dict[str, list[Run]]:
    """Each caution with the runs that it is about."""
    found: dict[str, list[Run]] = {}
    for run, said in told:
        for each in said:
            found.setdefault(each, []).append(run)
    return found


def _unread(run: Run, answers: RunAnswers | None) -> str | None:
    unread = run.metrics.get("unread")
    if answers is None:
        if unread is None or not unread.value > MOST:
            return None
        try:
            answers = answers_of(run)
        except UnusableRunError:
            return f"{unread.value:.0%} of the answers could not be read; they are not here"
    return unread_notice(run.family, answers.outcomes())


def needs_noise(names: Iterable[str], declared: Iterable[Figure]) -> dict[str, float]:
    """By printed name the value that is a matter of course where nothing is sampled."""
    figures, found = tuple(declared), {}
    for name in names:
        figure = figure_of(name, figures)
        ending = name.rpartition(figure.name)[2].lstrip("/") if figure else ""
        if figure is not None and ending in figure.without_noise:
            found[name] = figure.without_noise[ending]
    return found


def largest_part(figure: Figure | None, value: float, card: Mapping[str, Estimate]) -> str:
    """The part that a figure of this value is of; empty where it is of none."""
    found = parts_of(figure, card).items()
    return next((part for part, (name, *_) in found if card[name].value == value), "")
