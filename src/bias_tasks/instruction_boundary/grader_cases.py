"""The answers with which the paper tests its grader (appendix H) and its rules (appendix M)."""

from dataclasses import dataclass

from bias_tasks.contract.outcomes import Answer
from bias_tasks.data.files import read_yaml
from bias_tasks.instruction_boundary.family import FAMILY
from bias_tasks.instruction_boundary.items import JUDGING_LABELS, VANILLA
from bias_tasks.instruction_boundary.scoring_data import OptionsData, SettingData
from bias_tasks.instruction_boundary.settings import select_forms
from bias_tasks.parsing.written_text import InvalidReplyError

_N_OPTIONS = 4
"""Number of options of the choice cases, which count from 0."""


@dataclass(frozen=True, slots=True)
class GraderCase:
    """An answer, and the value that a grader should report."""

    data: SettingData
    """The scoring data of a question whose correct answer is that value."""
    answer: Answer

    @property
    def prompt(self) -> str:
        """The request to the grader (appendix K)."""
        request = FAMILY.verdict_request(self.data, self.answer)
        if request is None:
            raise ValueError(f"{self.data.item}: no grader is asked about an empty answer")
        return request.prompt

    def read_verdict(self, reply: str) -> str:
        """Return the value that a grader reports: a label, or options such as "1, 3" or "none".

        Args:
            reply: The grader's reply, without reasoning.

        Raises:
            InvalidReplyError: The reply has no verdict in the requested form.
        """
        outcome = FAMILY.parse_verdict(self.data, self.answer, reply)
        if outcome is None or outcome.answer is None or not outcome.extra.graded:
            raise InvalidReplyError("no verdict")
        return outcome.answer


def load_grader_cases(form: str = "all") -> list[GraderCase]:
    """Load the cases in the paper's order.

    Args:
        form: `judging` (19 cases), `choice` (24 cases) or `all`.
    """
    rows = read_yaml(__package__, "grader_cases")
    return [
        _build_case(f"{name}-{number}", expected, text)
        for name in select_forms(form)
        for number, (expected, text) in enumerate(rows[name], start=1)
    ]


def _build_case(name: str, expected: str | list[int], text: str) -> GraderCase:
    options, gold = None, str(expected)
    if isinstance(expected, list):
        positions = tuple(range(_N_OPTIONS))
        options = OptionsData(
            positions=positions, gold=tuple(expected), n_item_options=_N_OPTIONS, first_number=0
        )
        gold = options.symbols_of(expected) or "none"
    data = SettingData(
        item=name,
        cluster=name,
        variant=VANILLA,
        gold=gold,
        form="judging" if options is None else "choice",
        protocol="corrected",
        n_options=len(JUDGING_LABELS) if options is None else _N_OPTIONS,
        options=options,
    )
    return GraderCase(data, Answer(text))
