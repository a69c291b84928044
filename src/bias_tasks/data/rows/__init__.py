"""The rows of a user's file, one module a kind of file."""
