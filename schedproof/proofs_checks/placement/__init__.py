"""The claims of Li et al. 2023, one file for each printed statement.

Statements that the paper does not make are marked.
"""
