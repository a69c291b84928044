"""What is done to a response, or to a pair of them, to see whether a judge minds; its content stays.

A file a probe; `choice.py` has them by name.
"""
