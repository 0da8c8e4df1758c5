"""`doctor(family)`: check a family's parts against each other on random draws."""
