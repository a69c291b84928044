"""When a run may stop asking because its headline is known, whichever host asks."""
