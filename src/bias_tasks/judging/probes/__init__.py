"""What is done to a response or to a pair, to see whether a judge minds; the content stays.

A file a probe; `choice.py` has them by name.
"""
