"""Entry point of Inspect: importing this module registers everything the package brings."""
