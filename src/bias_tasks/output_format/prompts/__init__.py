"""How a question is asked in an output format (FormatEval, appendix E)."""

from collections.abc import Sequence

from bias_tasks.output_format.formats import FORMATS, Format
from bias_tasks.output_format.items import CORE, FOREIGN, SYNTHETIC, FormatItem, FormatParams
from bias_tasks.prompts.templates import fill, template


def ask_format(
    item: FormatItem, fmt: Format, params: FormatParams, demos: Sequence[FormatItem] = ()
) -> str:
    """The prompt that asks `item` in the format, whose instruction stands there `repeat` times
    (section 6), and `demos` before all. A ValueError where the format can't hold the answer of a
    demonstration."""
    sentence = fmt.instruction(item, params.protocol, params.prompting)
    if fmt.category == "list":
        sentence = f"{sentence} {_text(f'manner_{params.prompting}')}"
    request = "\n".join([sentence] * params.repeat)
    # An instruction to choose says what to do with the question.
    parts = [request, item.input] if fmt.category == "mcq" else [_task(item, params), request]
    if fmt.wraps_answer(params.prompting):
        parts.append(_text(f"instructions/final_{'answer' if fmt.category == 'mcq' else 'list'}"))
    prompt = "\n".join(parts)
    if not demos:
        return prompt
    answers = (fmt.render(demo.answer, demo, params.prompting) for demo in demos)
    examples = [
        fill(_text("demonstration"), input=demo.input, answer=answer)
        for demo, answer in zip(demos, answers, strict=True)
    ]
    return fill(_text("demonstrations"), examples="\n\n".join(examples), prompt=prompt)


def _task(item: FormatItem, params: FormatParams) -> str:
    """What to do, and the question (appendix E.2 to E.4).

    The core's questions say themselves what is listed, and are asked like any question; what
    another task's prompt says is all there is to say.
    """
    question = fill(_text(f"question_{params.prompting}"), input=item.input)
    match item.answer_type:
        case "option_letter" | "option_text":
            by = FORMATS["character" if item.answer_type == "option_letter" else "text"]
            return f"{by.instruction(item, params.protocol, params.prompting)}\n{item.input}"
        case _ if item.dataset == FOREIGN:
            return f"{item.input}\n"
        case each if each in ("text", "number") or item.dataset in (CORE, SYNTHETIC):
            return question
        case "binary_list":
            return fill(_text("documents"), input=item.input)
        case "string_list":
            return fill(_text("keyphrases"), input=item.input)
        case _:
            request = _text(f"entities_{params.protocol}_{params.prompting}")
            return fill(request, input=item.input, keys=", ".join(item.keys))


def _text(name: str) -> str:
    return template(f"output_format/{name}.txt")
