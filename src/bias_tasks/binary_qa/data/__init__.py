"""Where yes/no questions come from: the paper's five domains, generated ones, the user's file."""
