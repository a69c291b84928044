"""Forest plots: a figure of several models with its intervals, as SVG within a page.

The colours are those of the page (CSS variables), so that they follow its dark mode, and so are the
letters: text stays text. The same runs give the same bytes.
"""

from __future__ import annotations

import io
import math
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as Xml

from rich.cells import cell_len, set_cell_size

from bias_tasks.names import encodable
from bias_tasks.results.tables import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INK, _DATA, _PAPER, _FAINT = "#010101", "#020202", "#030303", "#040404"
_COLOURS = {_INK: "--ink", _DATA: "--data", _PAPER: "--paper", _FAINT: "--faint"}
"""Stand-ins in the drawing for the page's own colours."""
_WIDTH, _ROW, _FRAME = 4.4, 0.24, 0.68
"""Inches: of the whole, of a row, and of what stands below and above the rows. As wide as a phone's
page, so that letters are as large there as the page's."""
_NARROWEST = 0.05
"""What an axis is long at least, in the figure's unit: figures have three digits on the page, and
what is smaller than these (the rounding of sums) is not to be looked at."""
_LABEL = 21
"""Columns of a row's label: a letter has one, an ideograph two."""
_SVG = "http://www.w3.org/2000/svg"
_LINK = "http://www.w3.org/1999/xlink"
_REFERENCE = re.compile(r"url\(#([^)]*)\)")
_DROPPED = {f"{{{_SVG}}}{tag}" for tag in ("metadata", "style")}
"""What a drawing's own file needs; within a page its styles would be the page's."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a plot."""

    label: str
    value: float
    low: float
    """nan where there is no interval."""
    high: float
    ours: bool = True
    """Whether it is a run's, and not a paper's."""


def forest(
    rows: Sequence[Row],
    figure: str,
    *,
    title: str,
    told: str,
    zero: bool,
    key: str,
    band: tuple[float, float] | None = None,
) -> str:
    """The plot as an `svg` element.

    Args:
        rows: from above to below; those without a value are left out.
        figure: what stands under the axis.
        title: the plot's name for those who can't see it.
        told: what it shows, in words.
        zero: whether there is a line at 0, as for differences.
        key: begins all ids of this plot, so that no other's on the page is the same.
        band: what lies between these values is shaded.
    """
    drawn = [row for row in rows if math.isfinite(row.value)]
    return _for_page(_drawn(drawn, figure, zero, band), title, told, key)


def in_words(rows: Sequence[Row]) -> str:
    """What a plot of the rows shows, in words."""
    return "; ".join(
        f"{row.label} {minus(number(row.value))}"
        + (
            f" ({minus(number(row.low))} to {minus(number(row.high))})"
            if math.isfinite(row.low)
            else ""
        )
        for row in rows
    )


def minus(text: str) -> str:
    """A number's text with a minus as long as a plus."""
    return text.replace("-", "−")


def _drawn(rows: Sequence[Row], figure: str, zero: bool, band: tuple[float, float] | None) -> bytes:
    # Half a second of imports, needed for nothing but a page.
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    style: Any = {
        "svg.fonttype": "none",  # text stays text
        "svg.hashsalt": "bias-tasks",  # the same ids each time
        "font.size": 10.5,
        "axes.edgecolor": _FAINT,
        "axes.labelcolor": _INK,
        "text.color": _INK,
        "text.parse_math": False,  # a model's name may hold dollars
        "xtick.color": _INK,
        "ytick.color": _INK,
    }
    with mpl.rc_context(style), warnings.catch_warnings():
        # The font that measures the labels lacks letters; the page's own fonts draw them.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        drawing = Figure(figsize=(_WIDTH, _FRAME + _ROW * max(len(rows), 1)))
        FigureCanvasSVG(drawing)
        axes = drawing.add_axes(_axes_place(len(rows)))
        places = range(len(rows), 0, -1)
        for place, row in zip(places, rows, strict=True):
            _draw_row(axes, place, row)
        if band is not None:
            axes.axvspan(*band, color=_FAINT, alpha=0.25, linewidth=0, zorder=0)
        if zero:
            axes.axvline(0, color=_INK, linewidth=0.8, zorder=0)
        axes.set_yticks(list(places), [_label(row.label) for row in rows])
        axes.set_ylim(0.4, len(rows) + 0.6)
        axes.set_xlabel(encodable(figure))
        axes.grid(axis="x", color=_FAINT, linewidth=0.5, alpha=0.5)
        axes.set_axisbelow(True)
        axes.tick_params(axis="y", length=0)
        _widen(axes)
        axes.locator_params(axis="x", nbins=5)
        for side in ("left", "right", "top"):
            axes.spines[side].set_visible(False)
        axes.patch.set_visible(False)
        drawing.patch.set_visible(False)
        stream = io.BytesIO()
        drawing.savefig(stream, format="svg", metadata={"Date": None, "Creator": None})
    return stream.getvalue()


def _axes_place(count: int) -> tuple[float, float, float, float]:
    """Left, bottom, width and height of the axes, as parts of the drawing."""
    height = _FRAME + _ROW * max(count, 1)
    return 0.41, 0.52 / height, 0.55, 1 - _FRAME / height


def _widen(axes: Axes) -> None:
    """Make a very short axis longer, on both sides alike."""
    low, high = axes.get_xlim()
    if high - low < _NARROWEST:
        middle = (low + high) / 2
        axes.set_xlim(middle - _NARROWEST / 2, middle + _NARROWEST / 2)


def _draw_row(axes: Axes, place: int, row: Row) -> None:
    colour = _DATA if row.ours else _PAPER
    bounded = math.isfinite(row.low) and math.isfinite(row.high)
    if bounded:
        axes.plot([row.low, row.high], [place, place], color=colour, linewidth=1.6)
    axes.plot(
        [row.value],
        [place],
        color=colour,
        marker="o" if row.ours else "D",
        markersize=5.5 if row.ours else 4.5,
        markerfacecolor=colour if row.ours else "none",
        linestyle="none",
    )


def _label(text: str) -> str:
    return text if cell_len(text) <= _LABEL else f"{set_cell_size(text, _LABEL - 1)}…"


def _for_page(drawing: bytes, title: str, told: str, key: str) -> str:
    """The drawing as an element of a page, with ids of its own and a text for who can't see it."""
    Xml.register_namespace("", _SVG)
    Xml.register_namespace("xlink", _LINK)
    root = Xml.fromstring(drawing)
    for parent in list(root.iter()):
        for child in [each for each in parent if each.tag in _DROPPED]:
            parent.remove(child)
    for element in root.iter():
        for name, value in list(element.attrib.items()):
            element.set(name, _own(name, value, key))
    for tag, text in (("desc", told), ("title", title)):
        child = Xml.Element(f"{{{_SVG}}}{tag}", {"id": f"{key}-{tag}"})
        child.text = encodable(text)
        root.insert(0, child)
    for name in ("width", "height"):
        root.attrib.pop(name, None)
    root.attrib |= {
        "role": "img",
        "class": "plot",
        "aria-labelledby": f"{key}-title {key}-desc",
    }
    return Xml.tostring(root, encoding="unicode")


def _own(name: str, value: str, key: str) -> str:
    """An attribute's value with the page's colours, and with ids and links that are its plot's."""
    if name == "id":
        return f"{key}-{value}"
    if name == f"{{{_LINK}}}href":
        return f"#{key}-{value.removeprefix('#')}"
    if name in ("style", "clip-path"):
        for stand_in, variable in _COLOURS.items():
            value = value.replace(stand_in, f"var({variable})")
        return _REFERENCE.sub(rf"url(#{key}-\1)", value)
    return value
