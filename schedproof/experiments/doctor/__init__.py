"""`doctor(family)`: a family's parts held against each other on draws, so that a part that lies is seen."""
