"""Biases of language models that come from how they are asked, as evaluation tasks."""
