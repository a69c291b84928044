"""Figures of binary question answering, with their intervals."""
