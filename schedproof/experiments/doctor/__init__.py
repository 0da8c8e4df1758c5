"""`doctor(family)`: consistency checks between a family's parts on random draws."""
