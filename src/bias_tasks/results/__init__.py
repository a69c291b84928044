"""Reads the finished runs of both hosts alike."""
