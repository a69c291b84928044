"""Figures of judges under auxiliary information, with their intervals."""
