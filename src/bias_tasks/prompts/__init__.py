"""What the prompts of every family have in common: reading templates, and seeded choices."""
