"""The claims of Li et al. 2023, one file for each printed statement; what is ours and not printed says so."""
