"""Shared code of the multiserver claims."""
