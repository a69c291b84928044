"""Asks models for texts, many at once, and keeps what they replied."""
