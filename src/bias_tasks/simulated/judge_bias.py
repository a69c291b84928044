"""Simulated judges of the family `judge_bias`.

For pairs, the first of these traits that applies decides; each draw depends on the seed and the
values in parentheses:

1. *abstention* (prompt): an answer without a verdict.
2. *unsteady* (prompt, number of the call): a random verdict.
3. *order_effect* (item): the response displayed first.
4. *length_pull*, *layout_pull*, *authority_pull* (item): the response with that edit.
5. *accuracy* (item): the better response, else the worse one.

Expected values: `first_position_rate` is (1 + order_effect) / 2, `preference_shift/<probe>` of a
pull p is accuracy times p, and the shift of its control (1 - accuracy) times p.

Single responses: the better one gets 7 points and the other 4. An edit adds its pull as a share of
the scale, and *noise* a normal draw.
"""

from bias_tasks.digests import content_hash
from bias_tasks.judge_bias.cosmetic_edits import find_control, find_cosmetic_edit
from bias_tasks.judge_bias.items import JudgeBiasData, JudgedPrompt, remove_role
from bias_tasks.judge_bias.outcomes import SCALE
from bias_tasks.judge_bias.prompts.judge_prompt import parse_blocks
from bias_tasks.simulated.draws import pick, refuse
from bias_tasks.simulated.traits import Traits

_PULLS = {"verbosity": "length", "formatting": "layout", "authority": "authority"}
"""Name of the pull of each cosmetic edit."""
_BETTER, _WORSE, _UNLABELLED = 7.0, 4.0, 5.5
"""Scores of single responses without pull and noise."""


def answer_probed_judge(model: Traits, prompt: str, item: JudgedPrompt, data: JudgeBiasData) -> str:
    """Return a judge's answer about a pair of responses, or about a single one.

    Args:
        model: The simulated model with its traits.
        prompt: The prompt.
        item: The item, with its label.
        data: The question's scoring data.
    """
    key = content_hash(sorted(parse_blocks(prompt).items()) or prompt)
    if model.draw("abstain", key) < model.abstention:
        return refuse(model.draw("refusal", key))
    call = f"{key}/{model.call(key)}"
    if data.response is not None:
        return f"Score: {_score_response(model, item, data, data.response, call):.6g}"
    return f"Verdict: {'AB'[data.response_order.index(_prefer(model, item, data, call))]}"


def _score_response(
    model: Traits, item: JudgedPrompt, data: JudgeBiasData, response: int, call: str
) -> float:
    is_right = model.draw("right", item.id) < model.accuracy
    base = _UNLABELLED
    if item.preferred:
        base = _BETTER if (response - 1 in item.preferred) == is_right else _WORSE
    pull_name, edited = _find_pull(data)
    pull: float = getattr(model, f"{pull_name}_pull") if response == edited else 0.0
    low, high = SCALE
    return min(max(base + (high - low) * (model.draw_noise(call) + pull), low), high)


def _prefer(model: Traits, item: JudgedPrompt, data: JudgeBiasData, call: str) -> int:
    """Return the number of the preferred response."""
    order = data.response_order
    if model.draw("unsteady", call) < model.unsteady:
        return order[1] if model.draw("coin", call) < 0.5 else order[0]
    if model.draw("first", item.id) < model.order_effect:
        return order[0]
    pull_name, edited = _find_pull(data)
    if edited is not None:
        pull: float = getattr(model, f"{pull_name}_pull")
        if model.draw(pull_name, item.id) < pull:
            return edited
    better = [number for number in order if number - 1 in item.preferred]
    if len(better) == 1:
        is_right = model.draw("right", item.id) < model.accuracy
        return next(number for number in order if (number in better) == is_right)
    return pick([(str(number - 1), number) for number in order], model.seed, "better", item.id)


def _find_pull(data: JudgeBiasData) -> tuple[str, int | None]:
    """Return the name of an edit's pull, and the number of the edited response, if any."""
    variant = remove_role(data.variant)
    edit = find_cosmetic_edit(variant)
    if edit is None:
        return "", None
    if find_control(variant) is None:
        return _PULLS[edit], data.edited_response
    unedited = (number for number in data.response_order if number != data.edited_response)
    return _PULLS[edit], next(unedited, None)
