"""The one error that everything about data raises."""


class DataError(RuntimeError):
    """Items cannot be had or read; the message says what was found and what to do."""
