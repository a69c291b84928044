"""Why no attack was made."""


class AttackError(ValueError):
    """The item lacks what the attack needs, or the response has no room for it."""
