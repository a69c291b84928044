"""What two finished runs on the same items differ in, by figures, and whether that is shown."""
