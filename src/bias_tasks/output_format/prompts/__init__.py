"""How a question is asked in an output format (FormatEval, appendix E).

The sentence that asks for the format is the format's own; what stands around it is composed here
(`templates/output_format/SOURCE.md`).
"""

from __future__ import annotations

from collections.abc import Sequence

from bias_tasks.names import PaperProtocol
from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.formats.base import Format
from bias_tasks.output_format.items import CORE, SYNTHETIC, FormatItem, Prompting
from bias_tasks.prompts.templates import fill, template


def ask_format(
    item: FormatItem,
    fmt: Format,
    *,
    prompting: Prompting = "zs",
    repeat: int = 1,
    demos: Sequence[tuple[FormatItem, str]] = (),
    protocol: PaperProtocol = "corrected",
) -> str:
    """The prompt that asks `item` in the format.

    Under `zs_cot` the model reasons step by step, and every format but a wrapping one is asked for
    between <ANSWER> and </ANSWER>. The format's instruction stands there `repeat` times (section
    6), `demos`, each a question and its answer in the format, before all; `published` has the
    appendix's wording, mistakes included.
    """
    request = format_request(item, fmt, prompting=prompting, repeat=repeat, protocol=protocol)
    if fmt.category == "mcq":  # its instruction says what to do with the question
        parts = [request, item.input]
    else:
        parts = [_task(item, prompting, protocol), request]
    if fmt.wraps_answer(prompting):
        parts.append(fmt.tags_sentence())
    prompt = "\n".join(parts)
    return prompt if not demos else behind_demonstrations(demos, prompt)


def format_request(
    item: FormatItem,
    fmt: Format,
    *,
    prompting: Prompting = "zs",
    repeat: int = 1,
    protocol: PaperProtocol = "corrected",
) -> str:
    """The sentence that asks for the format, `repeat` times, each on a line of its own."""
    sentence = fmt.instruction(item, protocol, prompting)
    if fmt.category == "list":
        sentence = f"{sentence} {_text(f'manner_{prompting}')}"
    return "\n".join([sentence] * repeat)


def behind_demonstrations(demos: Sequence[tuple[FormatItem, str]], prompt: str) -> str:
    """The prompt behind demonstrations, each a question and its answer in the format."""
    examples = "\n\n".join(
        fill(_text("demonstration"), input=item.input, answer=answer) for item, answer in demos
    )
    return fill(_text("demonstrations"), examples=examples, prompt=prompt)


def _task(item: FormatItem, prompting: Prompting, protocol: PaperProtocol) -> str:
    """What to do, and the question (appendix E.2 to E.4).

    The core's questions say themselves what is listed, and are asked like any question.
    """
    question = fill(_text(f"question_{prompting}"), input=item.input)
    match item.answer_type:
        case "option_letter" | "option_text":
            by = FORMATS["character" if item.answer_type == "option_letter" else "text"]
            return f"{by.instruction(item, protocol, prompting)}\n{item.input}"
        case "text" | "number":
            return question
        case _ if item.dataset in (CORE, SYNTHETIC):
            return question
        case "binary_list":
            return fill(_text("documents"), input=item.input)
        case "string_list":
            return fill(_text("keyphrases"), input=item.input)
        case "mapping":
            request = _text(f"entities_{protocol}_{prompting}")
            return fill(request, input=item.input, keys=", ".join(item.keys))


def _text(name: str) -> str:
    return template(f"output_format/{name}.txt")
