"""What a run asks, one module a family."""
