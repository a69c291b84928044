"""A family whose figures are made of columns, so that a run may be larger than memory."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bias_tasks.family import Family, Outcome
from bias_tasks.statistics.estimate import Estimate

if TYPE_CHECKING:
    from bias_tasks.statistics.outcomes import OutcomeColumns


class ColumnarFamily(Family):
    """Works out the figures of a list of outcomes as it does those of a store."""

    columnar = True

    def scorecard(
        self, outcomes: Sequence[Outcome], options: Mapping[str, Any]
    ) -> dict[str, Estimate]:
        """Every figure, of the outcomes' columns."""
        # Imported here: it loads numpy and scipy, which listing or building a task doesn't need.
        from bias_tasks.statistics.outcomes import Listed

        return self.scorecard_of(Listed(outcomes), options)

    @abstractmethod
    def scorecard_of(
        self, columns: OutcomeColumns, options: Mapping[str, Any]
    ) -> dict[str, Estimate]:
        """Every figure of outcomes in columns; `options` and errors as of `scorecard`."""
