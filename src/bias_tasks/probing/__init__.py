"""Any benchmark asked in other ways: each item plain, again, and under probes."""
