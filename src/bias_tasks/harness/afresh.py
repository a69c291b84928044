"""Requests that repeat another one's prompt, kept apart in the harness's caches."""

from __future__ import annotations

from collections.abc import Sequence

from lm_eval.api.instance import Instance


def asked_afresh(request: Instance, name: str) -> Instance:
    """The request with a key of its own in the harness's cache.

    With `--use_cache` the harness answers a request again when context and generation arguments are
    the same. On a later run all repeats of a prompt would get one answer, and every model would be
    perfectly consistent with itself. So a repeat also stops at a text that no answer has in it,
    which changes nothing else.

    Args:
        request: one that generates text; its arguments are changed.
        name: what tells the repeat from others of its prompt.
    """
    arguments = request.args[1]
    arguments["until"] = [*_stops(arguments.get("until")), f"<|{name}|>"]
    return request


def _stops(until: str | Sequence[str] | None) -> list[str]:
    return [until] if isinstance(until, str) else list(until or ())
