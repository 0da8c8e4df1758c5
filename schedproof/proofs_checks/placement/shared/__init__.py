"""Shared code of the placement claims."""
