"""How an answer is read as Yes or No."""
