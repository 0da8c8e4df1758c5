"""The jrp family's programs: JRP (5)-(13), and JRP with the split of time (16)-(17)."""
