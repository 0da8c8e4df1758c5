"""Shared code of the preemptive claims."""
