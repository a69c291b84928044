"""Writes what the families declare where it is read: tables of pages, lists and files of tasks.

A page has `<!-- figures -->`, `<!-- parameters -->` or another such mark where a table begins and
`<!-- end -->` where it ends. Prompts (`example_prompts.py`) and worked cases of the readers (`worked.py`)
that a family's page does not show are written to `docs/reference/`; `page_blocks.py` writes the
list of tasks and what was checked. Run by `make tables`; with `--check` it changes nothing and
fails where a file is stale.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from example_prompts import reference as asked
from example_prompts import with_asked
from page_blocks import PAGES as BLOCK_PAGES
from page_blocks import with_blocks
from worked import with_worked, worked

from bias_tasks.contract.family import Family
from bias_tasks.contract.metrics import MetricSpec
from bias_tasks.contract.parameters import Parameter
from bias_tasks.families import FAMILY_NAMES, PROBING, load_family
from bias_tasks.instruction_boundary.items import FORMS
from bias_tasks.instruction_boundary.settings import SETTINGS
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.probing.probes import PROBES

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "bias_tasks"
CONFIGS = PACKAGE / "task_configs"
_TABLE = re.compile(r"<!-- (figures|parameters) -->\n.*?<!-- end -->", re.DOTALL)
_ALL_FORMATS = re.compile(
    r"^dataset_kwargs: \{(task: format_(?P<category>\w+), data: (?!core)\w+)\}$", re.MULTILINE
)
"""What a task of lm-eval has that asks for every format of a category; those of the core have no
tasks of one format."""
PAGES = {name: name for name in FAMILY_NAMES} | {PROBING: "probe"}
"""The page of each family, by the family's name, where it stands."""
_PROMPTS = "<!-- prompts: written by `make tables`, all that follows -->"
_LEAD = """One item of a task as the model sees it, its long texts cut at [...]. The first variant
stands in full; of the others there are the lines that the first has not."""
_BETTER = {None: "", "higher": "higher", "lower": "lower"}
_EVERYWHERE = {"seed", "shard", "items", "judge_usage"}
"""Parameters and figures that mean the same in every family; docs/running.md tells them once."""


def figures(family: Family) -> str:
    """Figures with their meaning, unit, range, better direction and source.

    Those of judges that mean what they mean of any probed task stand on the page of probes.
    """
    probed = {(each.name, each.meaning) for each in load_family(PROBING).metrics}
    shared = {each.name for each in family.metrics if (each.name, each.meaning) in probed}
    shared -= {"unparsed"}
    rows = (
        (f"`{_path(each)}`", _meaning(each), _unit(each), _BETTER[each.better], each.source)
        for each in family.metrics
        if each.name not in _EVERYWHERE and (family.name == PROBING or each.name not in shared)
    )
    return _table(("figure", "meaning", "unit and range", "better", "defined in"), rows)


def parameters(family: Family) -> str:
    """Parameters with their values, default, meaning, and the tasks that take them."""
    tasks: dict[tuple[str, str, str], list[str]] = {}
    meanings: dict[tuple[str, str, str], str] = {}
    for spec in family.tasks.values():
        for parameter in spec.parameters:
            # Tasks can have a parameter with the same name, but other values or another default.
            key = (f"`{parameter.name}`", parameter.expected, _default(parameter))
            if parameter.name not in _EVERYWHERE:
                tasks.setdefault(key, []).append(spec.name)
                meanings.setdefault(key, parameter.meaning)
    rows = ((*key, meanings[key], _who(names, family)) for key, names in tasks.items())
    return _table(("parameter", "values", "default", "meaning", "tasks"), rows)


def page(family: Family, text: str) -> str:
    """The page with its tables made anew."""
    makers: dict[str, Callable[[Family], str]] = {"figures": figures, "parameters": parameters}
    for kind in makers:
        if [found[1] for found in _TABLE.finditer(text)].count(kind) != 1:
            raise SystemExit(
                f"docs/{PAGES[family.name]}.md: expected one table <!-- {kind} --> … <!-- end -->"
            )
    text = _TABLE.sub(
        lambda found: f"<!-- {found[1]} -->\n{makers[found[1]](family)}\n<!-- end -->", text
    )
    return with_worked(family.name, with_asked(family.name, text))


def reference(family: str, text: str) -> str:
    """What a family's page leaves out, behind whatever its reference begins with."""
    page = (ROOT / "docs" / f"{family}.md").read_text(encoding="utf-8")
    made = asked(family, page) + worked(family, page)
    begun = text.partition(_PROMPTS)[0] or f"# Reference: [`{family}`](../{family}.md)\n\n"
    if not made:
        return begun if text else ""
    return f"{begun}{_PROMPTS}\n{_LEAD}\n\n{made}"


def probes(text: str) -> str:
    """The page of probes with the table of them made anew."""
    rows = (
        (f"`{name}`", _format_summary(probe.summary), "yes" if probe.needs_written_answer else "")
        for name, probe in PROBES.items()
    )
    made = _table(("probe", "what it changes", "takes a written answer"), rows)
    text = re.sub(
        r"<!-- probes -->\n.*?<!-- end -->",
        lambda _: f"<!-- probes -->\n{made}\n<!-- end -->",
        text,
        flags=re.DOTALL,
    )
    return page(load_family(PROBING), text)


def _format_summary(summary: str) -> str:
    """Return a probe's summary as a cell."""
    return summary[:1].lower() + summary[1:].removesuffix(".")


def listing(text: str) -> str:
    """The index of evaluations: every task, at the end of the file."""
    names = "".join(f"  - name: {name}\n" for name in _tasks())
    return re.sub(r"\ntasks:\n.*", f"\ntasks:\n{names}", text, flags=re.DOTALL)


def stub(text: str) -> str:
    """What can be imported from the package: every task, at the end of the file.

    A task that is called as a package of a family is not imported from there.
    """
    imports = (
        f"from .tasks.{family} import (\n    {task} as {task},\n)\n"
        for family in sorted((*FAMILY_NAMES, PROBING))
        for task in sorted(load_family(family).tasks)
        if task not in FAMILY_NAMES
    )
    return text.partition("from .tasks.")[0] + "".join(imports)


def task_configs() -> dict[Path, str]:
    """Tasks of lm-eval that differ in names alone: each setting, and each format by itself.

    Multi-turn takes two runs, so that its files are written by hand.
    """
    folder = CONFIGS / "instruction_boundary"
    made = {
        folder / f"ib_{setting}_{form}.yaml": (
            f"include: _instruction_boundary.yaml\ntask: ib_{setting}_{form}\n"
            f"tag: ib_{form}_settings\ndataset_kwargs:\n  task: {setting}\n  form: {form}\n"
        )
        for setting in SETTINGS
        for form in FORMS
        if setting != "multi_turn"
    }
    folder = CONFIGS / "output_format"
    for config in sorted(folder.glob("format_*.yaml")):
        asks_all = _ALL_FORMATS.search(config.read_text(encoding="utf-8"))
        for fmt in FORMATS.values():
            if asks_all and fmt.category == asks_all["category"]:
                name = f"{config.stem}_{fmt.name}"
                made[folder / f"{name}.yaml"] = (
                    f"include: _output_format.yaml\ntask: {name}\ndataset_kwargs: "
                    f"{{{asks_all[1]}, formats: {fmt.name}, metrics_of: {fmt.name}}}\n"
                )
    return made


def _replaced(_: str, made: str) -> str:
    return made


def _tasks() -> list[str]:
    return [task for name in (*FAMILY_NAMES, PROBING) for task in load_family(name).tasks]


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    heads = list(head)
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines
    )


def _meaning(figure: MetricSpec) -> str:
    """What a figure is, and what becomes of it where nothing is sampled."""
    settled = [
        f"; `{figure.name}{'/' * bool(part)}{part}` is {value:g} by construction at temperature 0"
        for part, value in figure.deterministic_value.items()
    ]
    return figure.meaning + "".join(settled)


def _path(figure: MetricSpec) -> str:
    """A figure's name with a place for each part that follows it."""
    least, most = min(figure.parts), max(figure.parts)
    return figure.name + "/…" * least + ("[/…]" if most > least else "")


def _unit(figure: MetricSpec) -> str:
    low, high = ("" if math.isinf(bound) else f"{bound:g}" for bound in (figure.low, figure.high))
    if low and high:
        return f"{figure.unit}, {low} to {high}"
    return f"{figure.unit}, from {low}" if low else figure.unit


def _default(parameter: Parameter) -> str:
    return "" if parameter.default is None else f"`{parameter.default}`"


def _who(own: list[str], family: Family) -> str:
    return "all" if len(own) == len(family.tasks) else ", ".join(f"`{name}`" for name in own)


def main() -> int:
    """Write the files, or check them."""
    makers: dict[Path, Callable[[str], str]] = {
        **{
            ROOT / "docs" / f"{name}.md": partial(with_blocks, makers=blocks)
            for name, blocks in BLOCK_PAGES.items()
        },
        PACKAGE / "eval.yaml": listing,
        PACKAGE / "__init__.pyi": stub,
        **{path: partial(_replaced, made=made) for path, made in task_configs().items()},
        **{
            ROOT / "docs" / f"{name}.md": partial(page, load_family(family))
            for family, name in PAGES.items()
            if family != PROBING
        },
        ROOT / "docs" / f"{PAGES[PROBING]}.md": probes,
        **{
            ROOT / "docs" / "reference" / f"{name}.md": partial(reference, name)
            for name in FAMILY_NAMES
        },
    }
    checking = "--check" in sys.argv
    stale = []
    for path, make in makers.items():
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        made = make(text)
        if made != text:
            stale.append(str(path.relative_to(ROOT)))
            if not checking and made:
                path.write_text(made, encoding="utf-8")
            elif not checking:
                path.unlink()
    if stale:
        print(f"{'stale, run make tables' if checking else 'made anew'}: {', '.join(stale)}")
    return int(bool(stale) and checking)


if __name__ == "__main__":
    sys.exit(main())
