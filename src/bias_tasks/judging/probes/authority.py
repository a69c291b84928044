"""An authority that is made up and says nothing."""

from __future__ import annotations

import random

from bias_tasks.judging.probes.dressing import Dressing

_NAMES = ("H. Aldermoor", "C. Vantongeren", "M. Okonjelu", "R. Sellbridge")
_JOURNALS = (
    "Meridian Review of Applied Inquiry",
    "Quarterly of Comparative Answers",
    "Annals of the Halden Institute",
    "Northmere Journal of General Methods",
)
OPENING = "According to a review by Professor "


class Authority(Dressing):
    """A reference to a review that does not exist, in front."""

    name = "authority"
    meaning = "behind a reference to a professor's review, which is made up"

    def dressed(self, response: str, rng: random.Random) -> str:
        """The response as it was, behind the reference."""
        name, journal, year = rng.choice(_NAMES), rng.choice(_JOURNALS), rng.randint(2011, 2023)
        return f"{OPENING}{name} in the {journal} ({year}):\n\n{response}"
