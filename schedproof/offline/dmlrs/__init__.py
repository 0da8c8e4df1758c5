"""Searches for dmlrs schedules with all jobs known."""
