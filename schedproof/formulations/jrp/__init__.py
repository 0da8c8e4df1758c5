"""The jrp family's programs: JRP (5)-(13), and with the split of time (16)-(17)."""
