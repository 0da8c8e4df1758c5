"""The claims of Li et al. 2023, one file for each printed statement.

Statements of ours are marked as such.
"""
