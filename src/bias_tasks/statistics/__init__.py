"""What the figures of every family rest on: estimates, intervals, and how items were chosen."""
