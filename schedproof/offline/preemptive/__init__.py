"""Local search for preemptive schedules."""
