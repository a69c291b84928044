"""Where yes/no questions come from."""
