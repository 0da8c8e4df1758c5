"""Independent checkers: each is one standard-library file, run as `python -I FILE`."""
