"""Checkers for who trusts nothing here: each is one file on the standard library alone, `python -I FILE`."""
