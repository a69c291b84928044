"""Models without a model: personas that answer from an item's key, with known biases planted."""
