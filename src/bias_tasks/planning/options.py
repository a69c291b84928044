"""Options of the commands that tell what calls cost."""

from __future__ import annotations

from pathlib import Path

import click

_FROM_0 = click.FloatRange(min=0)

price_in_option = click.option(
    "--price-in", type=_FROM_0, help="Dollars for a million tokens that are sent."
)
price_out_option = click.option(
    "--price-out", type=_FROM_0, help="Dollars for a million tokens that are written."
)
price_file_option = click.option(
    "--model-cost-config",
    "config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file of prices, as Inspect takes it.",
)
