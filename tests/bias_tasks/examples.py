"""How many examples a property is tried on."""

from hypothesis import settings


def examples(count):
    """Settings of a property that is slow: `count` examples where others get 100."""
    return settings(max_examples=count * settings().max_examples // 100)
