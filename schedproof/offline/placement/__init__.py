"""Local search for placement schedules."""
