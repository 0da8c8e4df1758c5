"""The claims of Zhao et al. 2024, one file for each printed statement."""
