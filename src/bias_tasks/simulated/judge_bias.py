"""Simulated judges of the family `judge_bias`.

For pairs, the first of these traits that applies decides; each draw depends on the seed and the
values in parentheses:

1. *abstention* (prompt): an answer without a verdict.
2. *unsteady* (prompt, number of the call): a random verdict.
3. *order_effect* (item): the response displayed first.
4. *length_pull*, *layout_pull*, *authority_pull* (item): the response with that edit.
5. *accuracy* (item): the better response, else the worse one.

Expected values: `first_position_rate` is (1 + order_effect) / 2, `preference_shift/<probe>` of a
pull p is accuracy times p, and the shift of its control (1 - accuracy) times p. `edited_shift` of
near ties is p / 2: half of the responses are preferred without the edit.

Single responses: the better one gets 7 points and the other 4. An edit adds its pull as a share of
the scale, and *noise* a normal draw.
"""

from bias_tasks.contract.questions import Question
from bias_tasks.digests import content_hash
from bias_tasks.judge_bias.cosmetic_edits import find_control, find_cosmetic_edit
from bias_tasks.judge_bias.family import FAMILY
from bias_tasks.judge_bias.items import JudgeBiasData, remove_role
from bias_tasks.judge_bias.outcomes import SCALE
from bias_tasks.judge_bias.prompts.judge_prompt import parse_blocks
from bias_tasks.simulated.draws import UNKNOWN
from bias_tasks.simulated.traits import Traits

_PULLS = {"verbosity": "length", "formatting": "layout", "authority": "authority"}
"""Name of the pull of each cosmetic edit."""
_BETTER, _WORSE, _UNLABELLED = 7.0, 4.0, 5.5
"""Scores of single responses without pull and noise."""


def answer_probed_judge(model: Traits, prompt: str, question: Question) -> str:
    """Return a judge's answer about a pair of responses, or about a single one."""
    data = question.data_as(JudgeBiasData)
    if not data.response_order:  # a prompt that two models answer
        return UNKNOWN
    key = content_hash(sorted(parse_blocks(prompt).items()) or prompt)
    if model.abstains(key):
        return model.refuse(key)
    judge = _prefer if data.response is None else _score_response
    return FAMILY.write_answer(data, judge(model, data, f"{key}/{model.call(key)}"))


def _score_response(model: Traits, data: JudgeBiasData, call: str) -> float:
    base = _UNLABELLED
    if data.better_response is not None:
        is_better = data.response == data.better_response
        base = _BETTER if is_better == model.is_right(data.item) else _WORSE
    edit, edited = _find_edit(data)
    pull = _find_pull(model, edit) if data.response == edited else 0.0
    low, high = SCALE
    return min(max(base + (high - low) * (model.draw_noise(call) + pull), low), high)


def _prefer(model: Traits, data: JudgeBiasData, call: str) -> int:
    """Return the number of the preferred response."""
    order = data.response_order
    if model.draw("unsteady", call) < model.unsteady:
        return order[1] if model.draw("coin", call) < 0.5 else order[0]
    if model.draw("first", data.item) < model.order_effect:
        return order[0]
    edit, edited = _find_edit(data)
    if edited is not None and model.draw(_PULLS[edit], data.item) < _find_pull(model, edit):
        return edited
    if not data.gold:
        return model.pick(order, "better", data.item, name=lambda number: number - 1)
    is_right = model.is_right(data.item)
    return next(number for number in order if (str(number) == data.gold) == is_right)


def _find_pull(model: Traits, edit: str) -> float:
    """Return the trait of an edit, 0 to 1."""
    pull: float = getattr(model, f"{_PULLS[edit]}_pull")
    return pull


def _find_edit(data: JudgeBiasData) -> tuple[str, int | None]:
    """Return the name of a question's edit, and the number of the edited response, if any."""
    variant = remove_role(data.variant)
    edit = find_cosmetic_edit(variant)
    if edit is None:
        return "", None
    if find_control(variant) is None:
        return edit, data.edited_response
    unedited = (number for number in data.response_order if number != data.edited_response)
    return edit, next(unedited, None)
