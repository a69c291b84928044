"""Binary question answering: how right a yes or no is, to which it leans, and whether it stands."""
