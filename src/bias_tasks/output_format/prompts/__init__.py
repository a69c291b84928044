"""Renders the prompt of a question in an output format (FormatEval, appendix E)."""

from collections.abc import Sequence

from bias_tasks.names import CORE, SYNTHETIC
from bias_tasks.output_format.formats import FORMATS, OutputFormat
from bias_tasks.output_format.items import ANY_TASK, FormatItem, FormatParams
from bias_tasks.prompts.templates import fill, template


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
    sentence = fmt.instruction(item, params.protocol, params.prompting)
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
    prompt = "\n".join(parts)
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


def _render_task(item: FormatItem, params: FormatParams) -> str:
    """Return the request and the question (appendix E.2 to E.4).

    Lists of bias-core use the request of any question, because these questions say what to list.
    The prompt of another package's task needs no request.
    """
    if item.answer_type in ("option_letter", "option_text"):
        fmt = FORMATS["character" if item.answer_type == "option_letter" else "text"]
        return f"{fmt.instruction(item, params.protocol, params.prompting)}\n{item.input}"
    if item.dataset == ANY_TASK:
        return f"{item.input}\n"
    if item.answer_type in ("text", "number") or item.dataset in (CORE, SYNTHETIC):
        return fill(_load_text(f"question_{params.prompting}"), input=item.input)
    if item.answer_type == "binary_list":
        return fill(_load_text("documents"), input=item.input)
    if item.answer_type == "string_list":
        return fill(_load_text("keyphrases"), input=item.input)
    request = _load_text(f"entities_{params.protocol}_{params.prompting}")
    return fill(request, input=item.input, keys=", ".join(item.keys))


def _load_text(name: str) -> str:
    return template(f"output_format/{name}.txt")
