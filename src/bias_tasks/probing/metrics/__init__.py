"""What the answers to a probed task come to; knows no host."""
