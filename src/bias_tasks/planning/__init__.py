"""What a run will ask, cost and show, before it makes a call."""
