"""Shared code of the dmlrs claims."""
