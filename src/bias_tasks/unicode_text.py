"""Text that UTF-8 can encode."""


def encodable(text: str) -> str:
    """Return the text with surrogate pairs joined and lone surrogates replaced by U+FFFD."""
    if is_encodable(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def is_encodable(text: str) -> bool:
    """Return whether the text has no surrogates, so that UTF-8 can encode it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
