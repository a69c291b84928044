"""The bias profile of a model: one task of each family, small and always the same."""
