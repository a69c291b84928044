"""What a model is asked that rewords or translates the items of a task."""
