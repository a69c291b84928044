"""Judges of other models' answers, each item judged plain, again and under probes."""
