"""Items without end, whose correct answers come from an enumeration of all cases."""
