"""Local search for dmlrs schedules."""
