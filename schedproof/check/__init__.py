"""Independent checkers, each one standard-library file, run as `python -I FILE`."""
