"""What two finished runs on the same items differ in, figure by figure, and whether that is shown."""
