"""Renders the prompt of a question in an output format.

The wording is that of FormatEval's appendix E; `protocol=published` sends the prompts of the
authors' public scripts.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product

from bias_tasks.data.files import read_yaml
from bias_tasks.output_format.formats import FORMATS, OutputFormat
from bias_tasks.output_format.items import (
    ANY_TASK,
    SCRIPT_VARIANTS,
    FormatItem,
    FormatParams,
    Prompting,
    ScriptVariant,
)
from bias_tasks.prompts.templates import fill, template
from bias_tasks.protocols import CORE, SYNTHETIC


def render_mode_prompt(item: FormatItem, mode: OutputFormat) -> str:
    """Return the prompt that asks for the answer to an item in a mode (`modes.MODES`).

    Args:
        item: The item.
        mode: The mode.
    """
    task = _render_task(item, FormatParams())
    if item.answer_type.startswith("option_"):  # FormatEval's request is for a bare label
        task = item.input
        if item.dataset != ANY_TASK:
            task = fill(_load_text("question_zs"), input=item.input)
    return f"{task.rstrip()}\n{mode.instruction(item, 'corrected', 'zs')}"


def render_prompt(
    item: FormatItem, fmt: OutputFormat, params: FormatParams, demos: Sequence[FormatItem] = ()
) -> str:
    """Return the prompt that requests the answer to an item in a format.

    Args:
        item: The item.
        fmt: The format.
        params: The prompting, the protocol, and how often the instruction is repeated (section 6).
        demos: Items that the prompt shows first, with their answers in the format.

    Raises:
        ValueError: The format cannot express the answer of a demonstration.
    """
    prompt = _render_script(item, fmt, params) if params.protocol == "published" else None
    if prompt is None:
        prompt = _render_paper_text(item, fmt, params)
    if not demos:
        return prompt
    examples = [
        fill(
            _load_text("demonstration"),
            input=demo.input,
            answer=fmt.render(demo.answer, demo, params.prompting),
        )
        for demo in demos
    ]
    return fill(_load_text("demonstrations"), examples="\n\n".join(examples), prompt=prompt)


def _render_script(item: FormatItem, fmt: OutputFormat, params: FormatParams) -> str | None:
    """Return the prompt of the authors' public script; None if the data set has none.

    If the variant has no script, the first variant that has one is used. Where no script has the
    number of repetitions, the sentence of the format is repeated, with blanks between.
    """
    scripts = _load_scripts()
    for variant in (params.variant, *SCRIPT_VARIANTS):
        for repeat, copies in ((params.repeat, 1), (1, params.repeat)):
            key = item.dataset, fmt.name, params.prompting, variant, repeat
            if key in scripts:
                text, sentence = scripts[key]
                text = text.replace("{format}", " ".join([sentence] * copies))
                return fill(text, input=item.input, papers=item.input.removeprefix("Topic: "))
    return None


@cache
def _load_scripts() -> Mapping[tuple[str, str, Prompting, ScriptVariant, int], tuple[str, str]]:
    """Return prompts and sentences by data set, format, prompting, variant and repetitions."""
    table = read_yaml(__package__, "templates/published")
    scripts: dict[tuple[str, str, Prompting, ScriptVariant, int], tuple[str, str]] = {}
    for row in table["prompts"]:
        cells = product(row["datasets"], row["formats"], row["variants"], row.get("repeat", [1]))
        for dataset, name, variant, repeat in cells:
            script = table["begins"][variant] + row["prompt"], row["formats"][name]
            scripts.setdefault((dataset, name, row["prompting"], variant, repeat), script)
    return scripts


def _render_paper_text(item: FormatItem, fmt: OutputFormat, params: FormatParams) -> str:
    """Return the prompt in the paper's printed wording (appendix E)."""
    sentence = fmt.instruction(item, params.parsing_protocol, params.prompting)
    if fmt.category == "list":
        sentence = f"{sentence} {_load_text(f'manner_{params.prompting}')}"
    instruction = "\n".join([sentence] * params.repeat)
    if fmt.category == "mcq":  # the instruction to choose says what to do with the question
        parts = [instruction, item.input]
    else:
        parts = [_render_task(item, params), instruction]
    if fmt.uses_tags(params.prompting):
        kind = "answer" if fmt.category == "mcq" else "list"
        parts.append(_load_text(f"instructions/final_{kind}"))
    return "\n".join(parts)


def _render_task(item: FormatItem, params: FormatParams) -> str:
    """Return the request and the question (appendix E.2 to E.4).

    Lists of bias-core use the request of any question, because these questions say what to list.
    The prompt of another package's task has its request around it.
    """
    if item.dataset == ANY_TASK:
        return item.input if item.options else f"{item.input}\n"
    if item.answer_type in ("option_letter", "option_text"):
        fmt = FORMATS["character" if item.answer_type == "option_letter" else "text"]
        return f"{fmt.instruction(item, params.parsing_protocol, params.prompting)}\n{item.input}"
    if item.answer_type in ("text", "number") or item.dataset in (CORE, SYNTHETIC):
        return fill(_load_text(f"question_{params.prompting}"), input=item.input)
    if item.answer_type == "binary_list":
        return fill(_load_text("documents"), input=item.input)
    if item.answer_type == "string_list":
        return fill(_load_text("keyphrases"), input=item.input)
    request = _load_text(f"entities_{params.parsing_protocol}_{params.prompting}")
    return fill(request, input=item.input, keys=", ".join(item.keys))


def _load_text(name: str) -> str:
    return template(f"output_format/{name}.txt")
