"""Shared code of the jrp claims."""
