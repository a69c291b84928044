"""What to do about format bias: whether a mitigation holds, and data to fine-tune with."""
